import { definePlugin } from 'governed-gateway'

/** Compares each character with each other one: what the judge of growth has to find. */
export default definePlugin({
  name: 'quadratic',
  schema: { type: 'object', additionalProperties: false, properties: {} },
  create: () => ({
    detect({ text }) {
      let same = 0
      for (let i = 0; i < text.length; i++) {
        for (let j = 0; j < i; j++) if (text.charCodeAt(i) === text.charCodeAt(j)) same++
      }
      if (same < 0) throw new Error('a count fell below zero')
    },
  }),
})
