/** A view that begins in the middle of a streamed text names the view that showed the beginning. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import type { TextView } from '../../../../core/engine/contract/plugin.ts'
import { delta } from '../../../../core/testing/provider.ts'
import { type Plugin, streamOf } from '../../../helpers/core.ts'
import { rounds } from '../../../helpers/rounds.ts'
import { base64 } from '../../../helpers/text.ts'

/** Not text that is encoded twice: in a rare draw a view of one part counts its positions anew there. */
const PIECES = [
  'a word, ',
  '\\n',
  '%41',
  '&#65;',
  '=41=42',
  '\\u0041',
  'e\u0301',
  '\u0301',
  base64('the secret of the house'),
  Buffer.from('the secret of the house').toString('hex'),
  'x'.repeat(300),
]

it('the view that showed the beginning was shown in the same call, before it, up to the same place, or ends there', async () => {
  let begun = 0
  const pieces = fc.array(
    fc.record({ text: fc.constantFrom(...PIECES), cut: fc.nat(40), part: fc.boolean(), holds: fc.boolean() }),
    { minLength: 2, maxLength: 10 },
  )
  await fc.assert(
    fc.asyncProperty(pieces, async (all) => {
      const known = new Set<number>()
      // A view of which a detector knows nothing yet may count positions in its own way.
      const shown = new Map<number, Pick<TextView, 'text' | 'offset' | 'fresh'> & { isFirst: boolean }>()
      const ends = new Map<number, number>()
      const odd: unknown[] = []
      let holds = false
      const watch: Plugin = {
        lookbehind: 0,
        detect(view) {
          if (!known.has(view.id) && view.continues !== undefined) {
            const before = shown.get(view.continues)
            const same = view.text.slice(0, before?.fresh) === before?.text.slice(0, before.fresh)
            const isSame = before?.isFirst === true || (same && view.offset === before?.offset)
            // Without text it is not shown.
            const end = ends.get(view.continues) ?? 0
            if (before === undefined ? end > view.offset : !isSame)
              odd.push([view.reading, view.text, view.offset, before])
            begun++
          }
          const isFirst = !known.has(view.id) && view.continues === undefined
          const fresh = known.has(view.id) ? view.fresh : 0
          known.add(view.id)
          ends.set(view.id, view.offset + view.text.length)
          shown.set(view.id, { text: view.text, offset: view.offset, fresh, isFirst })
          if (holds && !view.final) view.hold(Math.max(0, view.text.length - 100))
        },
      }
      const rig = await streamOf([watch])
      for (const { text, cut, part, holds: more } of all) {
        holds = more
        for (const said of [text.slice(0, cut), text.slice(cut)]) {
          shown.clear()
          if (said !== '') rig.say(delta({ content: part ? [{ type: 'text', text: said }] : said }))
        }
      }
      shown.clear()
      rig.say(delta({}, 0, 'stop'), '[DONE]')
      assert.deepEqual(odd, [])
      assert.ok(rig.done, rig.response.body.slice(-200))
    }),
    { numRuns: rounds(1500) },
  )
  assert.ok(begun > 10, `${begun} views began in the middle`)
})
