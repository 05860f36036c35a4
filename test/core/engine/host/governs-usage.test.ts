/** What governs usage holds on replies too, whatever the mode: a request cannot switch a limit off. */
import { it } from 'node:test'
import { definePlugin } from 'governed-gateway'
import { testPlugin } from 'governed-gateway/testing'

const limiter = definePlugin({
  name: 'limiter',
  governs: 'usage',
  schema: { type: 'object', properties: {}, additionalProperties: false },
  create: () => ({
    apply(hooks) {
      hooks.onChunk.tap('limiter', (_views, x) => x.reply.block({ reason: 'The limit is reached.' }))
    },
  }),
})

for (const mode of ['enforce', 'monitor', 'off']) {
  it(`a limit on the reply holds under mode=${mode}`, async () => {
    await testPlugin(limiter, {
      with: [{ use: 'flags', options: { defaults: { mode } } }],
      variants: ['buffered', 'streamed'],
      reply: 'ab',
      expect: { status: 403 },
    })
  })
}
