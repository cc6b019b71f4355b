import prDiff from '../../../packages/pipeline-pr-diff/src/index.ts'

/** pr_diff with a sentence by a model at the end of each instruction: needs a model and nothing else. */
export default {
  ...prDiff,
  name: 'asking',
  needs: { ...prDiff.needs, model: true },
  async draft(candidate, input) {
    const made = await prDiff.draft(candidate, input)
    if (made.kind === 'skip') return made
    const messages = [{ role: 'user', text: `Say something kind about ${candidate.id}` }]
    const call = { phase: 'instructions', signal: input.signal }
    const { text, model } = await input.model.complete({ messages, maxOutputTokens: 100 }, call)
    return { ...made, instruction: `${made.instruction}\n${text}\n`, synthesisModel: model }
  },
}
