/** Random streams and replies: no text that a client can put together has the value. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { generator, json, stream } from '../../../../../core/testing/provider.ts'
import { running, word } from '../../../../helpers/core.ts'
import { rounds } from '../../../../helpers/rounds.ts'
import { cutAt } from '../../../../helpers/text.ts'
import { complete } from './completing.ts'

const SECRET = 'secret'
const CASES = rounds(60)

/** Each place of a string in a tree, with list positions left out below a choice, where its index stands for them. */
function* stringsOf(value: unknown, place: string): Generator<[string, string]> {
  if (typeof value === 'string') yield [place, value]
  else if (Array.isArray(value)) {
    for (const one of value) {
      const index = (one as { index?: unknown } | null)?.index
      yield* stringsOf(one, typeof index === 'number' ? `${place}[${index}]` : place)
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      yield [`${place} names`, `${name} `]
      yield* stringsOf(inner, `${place}.${name}`)
    }
  }
}

/** What a client gets by putting together the strings of each place. */
function together(trees: readonly unknown[]): Map<string, string> {
  const out = new Map<string, string>()
  for (const tree of trees)
    for (const [place, text] of stringsOf(tree, '')) out.set(place, (out.get(place) ?? '') + text)
  return out
}

function makerOf(seed: number) {
  const random = generator(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const pieces = (text: string) => cutAt(text, random)
  const text = () => pick(['', 'a ', 'sec ']) + pick([SECRET, 'second', SECRET + SECRET]) + pick([' b', '', ' sec'])
  const logprobs = (said: string) => {
    const tokens = pick([pieces(said), [said], [SECRET], pieces(SECRET)])
    const form = { tokens, token_logprobs: tokens.map(() => -1), text_offset: tokens.map((_, i) => i) }
    return pick([null, null, form, { ...form, top_logprobs: [{ [SECRET]: -1 }] }, { ...form, note: SECRET }, SECRET])
  }
  const choice = (index: number, said: string, more: object = {}) => ({
    ...{ index, text: said, finish_reason: null, logprobs: logprobs(said), ...more },
    ...(random() < 0.1 ? { [pick(['note', SECRET])]: pick([SECRET, [SECRET], { note: SECRET }]) } : {}),
  })
  const head = { id: 'cmpl-7x1', object: 'text_completion', created: 1793000000, model: 'm' }
  const event = (choices: object[]) => ({ ...head, choices, ...(random() < 0.05 ? { note: SECRET } : {}) })
  const streamed = (): object[] => {
    const left = [0, 1, 2].map(() => pieces(text()))
    const events: object[] = []
    while (left.some(({ length }) => length > 0)) {
      const now = [0, 1, 2].filter((index) => (left[index]?.length ?? 0) > 0 && random() < 0.6)
      const choices = now.map((index) => {
        const said = left[index]?.shift() as string
        const ends = left[index]?.length === 0 && random() < 0.5
        return choice(index, said, ends ? { finish_reason: 'length' } : {})
      })
      if (choices.length > 0) events.push(event(choices))
    }
    events.push(event([0, 1, 2].map((index) => choice(index, '', { finish_reason: 'stop', logprobs: null }))))
    return events
  }
  const buffered = () => event([0, 1, 2].map((index) => choice(index, text(), { finish_reason: 'stop' })))
  return { streamed, buffered, split: pick(['event', 'byte', 'whole'] as const) }
}

it('no text that a client can put together has the value', async (t) => {
  const { provider, gateway } = await running(t, [word(SECRET)])
  for (let seed = 1; seed <= CASES; seed++) {
    const { streamed, buffered, split } = makerOf(seed)
    const isStream = seed % 3 !== 0
    provider.reply(isStream ? stream(streamed() as never, { split }) : json(buffered()))
    const reply = await complete(gateway, { stream: isStream, n: 3 })
    assert.equal(reply.status, 200, `seed ${seed}`)
    const payloads = isStream ? await reply.events() : [await reply.text()]
    if (isStream) assert.equal(payloads.at(-1), '[DONE]', `seed ${seed}`)
    const trees = payloads.filter((payload) => payload !== '[DONE]').map((payload) => JSON.parse(payload) as object)
    for (const [place, text] of together(trees)) assert.ok(!text.includes(SECRET), `seed ${seed}, at ${place}: ${text}`)
  }
})
