# frozen_string_literal: true

# Loads test files of Minitest or Test::Unit, runs them in a fixed order and writes one JSON line per event (format
# events-jsonl): ruby minitest_events.rb --out FILE [-rLIBRARY]... [-n /PATTERN/] FILE...
#
# An id is FILE::Class#test_m; of a description that Minitest::Spec numbers, FILE::Class#description.

require "json"

# Each event is one write to the end of the file, so that a fork or a crash garbles nothing.
class R2eEvents
  FROM_BAD_TO_GOOD = %w[ERROR FAILED SKIPPED].freeze
  SPEC_NUMBER = /\Atest_\d{4,}_/

  def initialize(path)
    @handle = File.open(path, File::WRONLY | File::CREAT | File::APPEND, 0o600)
    @write = @handle.method(:syswrite)
    @generate = JSON.method(:generate)
    @listed = {} # paths as they were given, by whole path
    @files = {}.compare_by_identity # of the classes, by class
    @unloaded = {}
    @counts = Hash.new(0)
  end

  def write(**event) = @write.call("#{@generate.call(event)}\n")

  def load_files(paths, libraries)
    paths.each { |path| @listed[File.expand_path(path)] = path }
    paths.each { |path| write(event: "module", scope: path) }
    libraries.each { |library| guard(paths) { require library } }
    paths.each do |path|
      before = classes
      guard([path]) { require File.expand_path(path) }
      (classes - before).each { |found| @files[found] = path }
    end
  end

  def start(owner, name, label = "")
    @statuses = []
    @running = identify(owner, name, label)
    write(event: "start", id: @running) if @running
  end

  def finish(*statuses)
    @statuses.concat(statuses)
    status = FROM_BAD_TO_GOOD.find { |bad| @statuses.include?(bad) } || "PASSED"
    write(event: "end", id: @running, status: status) if @running
    @statuses = nil
  end

  # Of the running test, or of the class that has just been prepared or cleaned up.
  def note(status, class_name)
    return @statuses << status if @statuses

    owner = @files.keys.find { |found| found.name == class_name }
    unload(file_of(owner)) if FROM_BAD_TO_GOOD.first(2).include?(status)
  end

  private

  # What one file raises keeps the others from nothing.
  def guard(paths)
    yield
  rescue SignalException
    raise
  rescue Exception => error # rubocop:disable Lint/RescueException
    warn(error.full_message(highlight: false))
    paths.each { |path| unload(path) }
  end

  def unload(path)
    @unloaded[path] = true
    write(event: "unloaded", scope: path)
  end

  def classes
    found = []
    found.concat(Minitest::Runnable.runnables) if defined?(Minitest::Runnable)
    found.concat(Test::Unit::TestCase::DESCENDANTS) if defined?(Test::Unit::TestCase::DESCENDANTS)
    found
  end

  # nil where the file failed to load: what it defined before that is no test.
  def identify(owner, name, label)
    file = file_of(owner, name)
    return if @unloaded[file]

    id = "#{file}::#{owner.name || "(anonymous)"}##{name.to_s.sub(SPEC_NUMBER, "")}#{label}"
    count = @counts[id] += 1
    count == 1 ? id : "#{id} ##{count}"
  end

  # Where a class itself defines the method, since it may be reopened in another file; else where the class began.
  def file_of(owner, name = nil)
    own = name && owner.method_defined?(name, false)
    place = own ? owner.instance_method(name).source_location&.first : nil
    @listed[place] || @files[owner] || @listed.values.first
  end
end

module R2eMinitest
  def prerecord(owner, name)
    R2E_EVENTS.start(owner, name)
    super
  end

  def record(result)
    skipped = result.skipped? ? "SKIPPED" : nil
    failed = result.failures.empty? || skipped ? nil : "FAILED"
    R2E_EVENTS.finish(*[result.error? ? "ERROR" : nil, skipped, failed].compact)
    super
  end

  def report
    R2E_EVENTS.write(event: "done")
    super
  end
end

# A new test then changes the place of no other.
module R2eMinitestOrder
  def test_order = :alpha
end

module R2eTestUnitCase
  def run(...)
    R2E_EVENTS.start(self.class, method_name, local_name.to_s.delete_prefix(method_name.to_s))
    result = super
    R2E_EVENTS.finish
    result
  end
end

module R2eTestUnitResult
  { failure: "FAILED", error: "ERROR", pending: "SKIPPED", omission: "SKIPPED" }.each do |kind, status|
    define_method(:"add_#{kind}") do |fault|
      R2E_EVENTS.note(status, fault.test_name)
      super(fault)
    end
  end
end

module R2eTestUnitRun
  def run(...)
    result = super
    R2E_EVENTS.write(event: "done")
    result
  end
end

options = { libraries: [], name: [] }
until ARGV.empty? || !ARGV.first.start_with?("-")
  case ARGV.shift
  when "--out" then options[:out] = ARGV.shift
  when "-n" then options[:name] = ["-n", ARGV.shift]
  when /\A-r(.+)/ then options[:libraries] << $1
  else abort "usage: minitest_events.rb --out FILE [-rLIBRARY]... [-n PATTERN] FILE..."
  end
end
R2E_EVENTS = R2eEvents.new(options.fetch(:out))
paths = ARGV.slice!(0..)
R2E_EVENTS.load_files(paths, options[:libraries])
if defined?(Test::Unit::TestCase::DESCENDANTS) && Test::Unit::TestCase::DESCENDANTS.any?
  require "test/unit/ui/testrunnermediator"
  require "test/unit/testresult"
  Test::Unit::TestCase.prepend(R2eTestUnitCase)
  Test::Unit::TestResult.prepend(R2eTestUnitResult)
  Test::Unit::UI::TestRunnerMediator.prepend(R2eTestUnitRun)
  ARGV.replace(options[:name])
elsif defined?(Minitest::CompositeReporter)
  Minitest::CompositeReporter.prepend(R2eMinitest)
  Minitest::Test.singleton_class.prepend(R2eMinitestOrder)
  ARGV.replace(["--seed", "1", *options[:name]])
  Minitest.autorun
else
  R2E_EVENTS.write(event: "done")
end
