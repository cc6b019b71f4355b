import type { RepositoryStep } from '../../../packages/testing/src/index.ts'
import type { LanguageSample } from './index.ts'

const stack = (methods: string) => `class Stack
  def initialize(*items)
    @items = items
  end

  def push(item)
    @items << item
    self
  end

${methods}end
`

const cases = (more: string) => `require "test_helper"
require "stack"

class StackTest < Minitest::Test
  [1, "two", nil].each do |item|
    define_method("test_pushes #{item.inspect}") { assert_equal(item, Stack.new.push(item).pop) }
  end

  def test_sorts = skip("not written")

  def test_is_lucky
    assert_equal(0, Process.clock_gettime(Process::CLOCK_REALTIME, :nanosecond) % 61)
  end

${more}end
`

const pop = '  def pop = @items.pop\n'
const strictPop = '  def pop\n    raise(IndexError, "the stack is empty") if @items.empty?\n\n    @items.pop\n  end\n'
const size = '\n  def size = @items.size\n'
const eager = '  def initialize_copy(*)\n    @items = @items.dup\n  end\n\n'

const emptyCase = '  def test_pop_of_nothing = assert_raises(IndexError) { Stack.new.pop }\n'
const order = (name: string) => `  def ${name} = assert_equal(2, Stack.new(1, 2).pop)\n\n`
const copyCase =
  '\n  def test_copies\n    stack = Stack.new(1)\n    stack.dup.pop\n    assert_equal(1, stack.pop)\n  end\n'

const history: readonly RepositoryStep[] = [
  {
    commit: 'Start the stack library',
    files: {
      Gemfile: 'source "https://rubygems.org"\n\ngem "minitest"\ngem "rake"\n',
      Rakefile: 'require "rake/testtask"\n\nRake::TestTask.new { |t| t.libs << "test" }\n',
      'README.md': '# Stack\n',
      'lib/stack.rb': stack(pop),
      'test/test_helper.rb': 'require "minitest/autorun"\n',
      'test/stack_test.rb': cases(order('test_order')),
    },
  },
  {
    commit: 'Fix pop of an empty stack\n\nIt gave nil, which is an item like any other; now it raises IndexError.',
    files: { 'lib/stack.rb': stack(strictPop), 'test/stack_test.rb': cases(order('test_order') + emptyCase) },
  },
  {
    commit: 'Add stacks that end\n\nBounded is a stack that refuses more than its limit; its push raises then.',
    files: {
      'lib/stack.rb': stack(strictPop + size),
      'lib/stack/bounded.rb':
        'require "stack"\n\nclass Stack::Bounded < Stack\n  def initialize(limit)\n    super()\n    @limit = limit\n  end\n\n  def push(item)\n    size < @limit ? super : raise(IndexError, "the stack is full")\n  end\nend\n',
      'test/bounded_test.rb':
        'require "test_helper"\nrequire "minitest/spec"\nrequire "stack/bounded"\n\ndescribe Stack::Bounded do\n  it("takes up to its limit") { _(Stack::Bounded.new(1).push(1).size).must_equal(1) }\n  it("refuses more") { _ { Stack::Bounded.new(0).push(1) }.must_raise(IndexError) }\nend\n',
    },
  },
  {
    commit: 'Fix copies that share their items\n\nA copy of a stack took the items of the original.',
    files: {
      'lib/stack.rb': stack(eager + strictPop + size),
      'test/stack_test.rb': cases(order('test_last_in_is_first_out') + emptyCase + copyCase),
    },
  },
  { commit: 'Describe copies in the README', files: { 'README.md': '# Stack\n\nPushes, pops and copies.\n' } },
]

export const rubyMinitest: LanguageSample = {
  language: 'ruby',
  runner: 'minitest',
  image: 'lab/ruby',
  history,
  expected: {
    'Fix pop of an empty stack': { failToPass: ['test/stack_test.rb::StackTest#test_pop_of_nothing'] },
    'Add stacks that end': {
      failToPass: [
        'test/bounded_test.rb::Stack::Bounded#refuses more',
        'test/bounded_test.rb::Stack::Bounded#takes up to its limit',
      ],
    },
    'Fix copies that share their items': { failToPass: ['test/stack_test.rb::StackTest#test_copies'] },
    'Describe copies in the README': { skip: 'empty_source_patch' },
  },
}
