/** A policy such as operators write: `detect` and nothing else, so that the host keeps back what it needs. */
import { definePlugin } from 'governed-gateway'
import { KEYWORDS } from './values.ts'

const WORDS = new RegExp(KEYWORDS.join('|'), 'gi')

export default definePlugin({
  name: 'code-words',
  schema: { type: 'object', properties: {}, additionalProperties: false },
  create: () => ({
    detect(view) {
      for (const { 0: word, index: start } of view.text.matchAll(WORDS)) {
        view.report({ type: 'code_word', start, end: start + word.length, action: 'redact' })
      }
    },
  }),
})
