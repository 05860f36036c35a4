/** Tokenise and restore: what a user sent must come back exactly, however the model and the network cut its tokens. */
import type { PluginSpec } from '../../core/engine/contract/plugin.ts'
import { card, email, ibanAny, phoneInternational, ssn } from './data/values.ts'
import { Drive } from './drive.ts'
import { byteChunks, tokens } from './measure.ts'
import { Random, seedOf } from './random.ts'

export interface Restoration {
  readonly trips: number
  readonly exact: number
  readonly failed: readonly string[]
}

const REPLIES = [
  'I wrote to {}.',
  '{}',
  '**{}** is noted, and {} too',
  '- {}\n- {}\n',
  'Sure! ({})',
  '“{}”: done',
  'Is "{}" right?',
  '`{}`',
  '| {} | {} |',
]
/** What models do to tokens. */
const MANNERS: readonly ((token: string) => string)[] = [
  (t) => t,
  (t) => t,
  (t) => t,
  (t) => t.toLowerCase(),
  (t) => t.replaceAll('_', '\\_'),
  (t) => t.toUpperCase(),
]

export function measureRestoration(plugin: PluginSpec): Restoration {
  const r = new Random(seedOf('restoration'))
  const root = new Drive(plugin, { action: 'tokenize' })
  const result = { trips: 0, exact: 0, failed: [] as string[] }
  for (let i = 0; i < 400; i++) {
    const drive = root.next({ keyId: `key ${i % 7}` })
    const values = Array.from({ length: r.int(1, 4) }, () =>
      r.pick([email, email, ssn, card, phoneInternational, ibanAny])(r),
    )
    const sent = drive.input(`Please remember: ${values.join(' ; ')} .`).output
    const made = sent.slice('Please remember: '.length, -2).split(' ; ')
    const template = r.pick(REPLIES)
    const picked: number[] = []
    const manner = r.pick(MANNERS)
    const reply = template.replace(/\{\}/g, () => {
      picked.push(r.int(0, values.length - 1))
      return manner(made[picked.at(-1)!]!)
    })
    let at = 0
    const expected = template.replace(/\{\}/g, () => values[picked[at++]!]!)
    const cut = r.int(0, reply.length)
    const ways = [
      drive.reply(reply),
      drive.stream([...reply]),
      drive.stream(tokens(reply)),
      drive.stream([reply.slice(0, cut), reply.slice(cut)]),
      drive.stream(byteChunks(reply, 3)),
    ]
    for (const way of ways) {
      result.trips++
      if (way.output === expected) result.exact++
      else if (result.failed.length < 10) result.failed.push(`${expected} came back as ${way.output}`)
    }
  }
  return result
}
