/** While a model writes, the texts of the request are not kept as views; a plugin may still ask for them. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { definePlugin, type Exchange, Stage, type TextView } from 'governed-gateway'
import { startPlugin } from '../../../../core/testing/index.ts'
import { collect } from '../../../helpers/collect.ts'

const MESSAGES = [
  { role: 'user', content: 'The falcon.' },
  { role: 'assistant', content: 'It is a bird' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'of prey' },
      { type: 'image_url', image_url: { url: 'https://x/y' } },
    ],
  },
]

const textsOf = (views: readonly TextView[]) =>
  views.map(({ id, path, text, reading }) => ({ id, path, text, reading }))

it('makes views again when they are asked for behind the first stage', async (t) => {
  const seen: Record<string, unknown> = {}
  const refs: WeakRef<TextView>[] = []
  const plugin = definePlugin({
    name: 'reader',
    schema: { type: 'object', properties: {}, additionalProperties: false },
    create: () => ({
      apply(hooks) {
        hooks.classify.tap('reader', (x) => {
          seen.classify = textsOf(x.request.views)
          for (const view of x.request.views) refs.push(new WeakRef(view))
          x.request.views[0]?.report({ type: 'bird', start: 4, end: 10, action: 'redact' })
        })
        hooks.onChunk.tap('reader', () => {
          if (seen.kept === undefined) collect()
          seen.kept ??= refs.filter((ref) => ref.deref() !== undefined).length
        })
        hooks.postResponse.tap({ name: 'reader', stage: Stage.Final }, (x) => {
          seen.after = textsOf(x.request.views)
          assert.throws(() => x.request.views[0]?.report({ type: 'bird', start: 0, end: 1 }), {
            code: 'GW_STALE_HANDLE',
          })
          seen.refused = true
        })
      },
    }),
  })
  const rig = await startPlugin(plugin)
  t.after(() => rig.close())
  const { sent, detections, service } = await rig.send({ messages: MESSAGES })
  const messages = sent?.body.messages as typeof MESSAGES | undefined
  assert.equal(messages?.[0]?.content, 'The [BIRD].')
  assert.deepEqual(
    detections.map(({ type, count }) => ({ type, count })),
    [{ type: 'bird', count: 1 }],
  )
  assert.deepEqual((service as { warnings?: string[] }).warnings, ['uninspected:image_url=1'])
  assert.deepEqual(seen.after, seen.classify)
  assert.equal(seen.kept, 0)
  assert.equal(seen.refused, true)
})

for (const stream of [true, false]) {
  it(`${stream ? 'streamed' : 'buffered'}: a plugin may look at the request behind the reply`, async (t) => {
    const seen: Record<string, unknown> = {}
    let ref: WeakRef<object> | undefined
    const plugin = definePlugin({
      name: 'reader',
      schema: { type: 'object', properties: {}, additionalProperties: false },
      create: () => ({
        apply(hooks) {
          hooks.classify.tap('reader', (x) => {
            for (const view of x.request.views) {
              const at = view.text.indexOf('falcon')
              if (at >= 0) view.report({ type: 'bird', start: at, end: at + 6, action: 'redact' })
            }
          })
          hooks.block.tap({ name: 'reader', stage: Stage.Final }, (x) => {
            ref = new WeakRef(x.request.json)
            seen.before = readOf(x)
          })
          hooks.onChunk.tap('reader', () => {
            if (seen.kept === undefined) collect()
            seen.kept ??= ref?.deref() !== undefined
          })
          hooks.postResponse.tap({ name: 'reader', stage: Stage.Final }, (x) => {
            seen.after = readOf(x)
          })
        },
      }),
    })
    const rig = await startPlugin(plugin)
    t.after(() => rig.close())
    const text = 'The falcon, é 日本.'
    const { status, sent } = await rig.send({ messages: [{ role: 'user', content: text }], max_tokens: 9 }, { stream })
    assert.equal(status, 200)
    assert.match(JSON.stringify(sent?.body), /The \[BIRD\], é 日本/)
    assert.match(String(seen.before), /The \[BIRD\], é 日本/)
    assert.deepEqual(seen.after, seen.before)
    // A stream may take minutes.
    assert.equal(seen.kept, !stream)
  })
}

const readOf = ({ request }: Exchange) => {
  const { json, messages, prompt, model, maxOutputTokens } = request
  return JSON.stringify({ json, messages, texts: prompt.texts, model, maxOutputTokens })
}
