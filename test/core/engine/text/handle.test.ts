import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Exchange, TextView } from '../../../../core/engine/contract/plugin.ts'
import { delta } from '../../../../core/testing/provider.ts'
import { type Plugin, running, streamOf } from '../../../helpers/core.ts'
import { asking, post } from '../../../helpers/gateway.ts'

const text = (content: string) => delta({ content })
const spoil = (view: TextView) => view.report({ type: 'late', start: 0, end: 1, action: 'redact' })
const codeOf = (act: () => void): string => {
  try {
    act()
    return 'nothing'
  } catch (error) {
    return (error as { code: string }).code
  }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('a view after its tap returned', () => {
  it("refuses reports, holds and restorations, in whoever's turn they come", async () => {
    const kept: TextView[] = []
    const codes: string[] = []
    let exchange: Exchange | undefined
    const keeper: Plugin = {
      lookbehind: 0,
      apply(hooks) {
        hooks.onChunk.tap('keeper', (views, x) => {
          exchange = x
          for (const view of kept) {
            codes.push(codeOf(() => spoil(view)))
            codes.push(codeOf(() => view.hold(0)))
            codes.push(codeOf(() => x.reply.restore(view, 0, 1, 'x')))
          }
          kept.push(...views)
        })
      },
    }
    const other: Plugin = {
      lookbehind: 0,
      apply(hooks) {
        hooks.onChunk.tap('other', () => void codes.push(codeOf(() => spoil(kept[0] as TextView))))
      },
    }
    const rig = await streamOf([keeper, other])
    rig.say(text('one ')).say(text('two '))
    assert.deepEqual(codes, Array(5).fill('GW_STALE_HANDLE'))
    assert.equal(
      codeOf(() => spoil(kept.at(-1) as TextView)),
      'GW_STALE_HANDLE',
    )
    assert.equal(
      codeOf(() => exchange?.reply.restore(kept.at(-1) as TextView, 0, 1, 'x')),
      'GW_STALE_HANDLE',
    )
    assert.equal(rig.text(), 'one two ')
  })

  it('can still be read', async () => {
    let kept: TextView | undefined
    const keeper: Plugin = {
      lookbehind: 0,
      detect(view) {
        kept ??= view
        view.hold(0)
      },
    }
    const rig = await streamOf([keeper])
    rig.say(text('one')).say(text(' two'))
    assert.deepEqual(
      [
        kept?.text,
        kept?.path,
        kept?.channel,
        kept?.role,
        kept?.choice,
        kept?.offset,
        kept?.final,
        kept?.direction,
        kept?.before,
        kept?.id,
        kept?.fresh,
      ],
      ['one two', 'choices[0].delta.content', 'content', 'assistant', 0, 0, false, 'output', '', 0, 3],
    )
  })

  it('that took too long cannot speak in the turn of the next plugin', async (t) => {
    const codes: string[] = []
    const late = Promise.withResolvers<void>()
    const slow: Plugin = {
      name: 'slow',
      onError: 'allow',
      timeoutMs: 10,
      async detect(view) {
        if (view.direction === 'output') return
        await late.promise
        codes.push(codeOf(() => spoil(view)))
      },
    }
    const next: Plugin = {
      name: 'next',
      timeoutMs: 60_000,
      async detect(view) {
        late.resolve()
        await turn()
        view.report({ type: 'seen', start: 0, end: 1, action: 'detect' })
      },
    }
    const { gateway, provider } = await running(t, [slow, next])
    const reply = await (await post(gateway, asking('Hello'))).json()
    assert.ok(codes.length > 0 && codes.every((code) => code === 'GW_STALE_HANDLE'))
    assert.match((await provider.next()).text, /Hello/)
    const { detections } = reply.service as { detections: { type: string }[] }
    assert.ok(detections.every(({ type }) => type === 'seen'))
  })

  it('of the request is closed with classify', async (t) => {
    const codes: string[] = []
    let kept: readonly TextView[] = []
    const plugin: Plugin = {
      apply(hooks) {
        hooks.classify.tap('p', (x) => {
          kept = x.request.views
          assert.equal(x.request.views, kept, 'one turn, one set of handles')
        })
        hooks.block.tap('p', (x) => {
          codes.push(codeOf(() => spoil(kept[0] as TextView)))
          codes.push(codeOf(() => spoil(x.request.views[0] as TextView)))
        })
      },
    }
    const { gateway } = await running(t, [plugin])
    assert.equal((await post(gateway)).status, 200)
    assert.deepEqual(codes, ['GW_STALE_HANDLE', 'GW_STALE_HANDLE'])
  })
})
