/** Policies such as operators write. */
import { definePlugin } from 'governed-gateway'
import { KEYWORDS } from './values.ts'

/** As people write them: in texts, in names of files and in addresses. */
const PATTERN = KEYWORDS.map((word) => word.replace(' ', '[ _-]')).join('|')
const WORDS = new RegExp(PATTERN, 'gi')

const schema = { type: 'object', properties: {}, additionalProperties: false } as const

/** `detect` and nothing else: the host keeps back what it needs. */
export const codeWords = definePlugin({
  name: 'code-words',
  schema,
  create: () => ({
    detect(view) {
      for (const { 0: word, index: start } of view.text.matchAll(WORDS)) {
        view.report({ type: 'code_word', start, end: start + word.length, action: 'redact' })
      }
    },
  }),
})

const ONE = new RegExp(PATTERN, 'i')

/** A guard outside, which is asked about all text so far and answers later. */
export const wordGuard = definePlugin({
  name: 'word-guard',
  schema,
  create: () => ({
    detect(view) {
      const said = view.before + view.text
      const answer = new Promise<{ reason: string } | undefined>((resolve) => {
        setImmediate(() => resolve(ONE.test(said) ? { reason: 'That name stays in the house' } : undefined))
      })
      view.hold(0, answer)
    },
  }),
})
