import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { json as reply } from 'governed-gateway/testing'
import { completions } from '../../../../../core/engine/dialects/completions/dialect.ts'
import type { Dialect } from '../../../../../core/engine/dialects/dialect.ts'
import { messages } from '../../../../../core/engine/dialects/messages/dialect.ts'
import { responses } from '../../../../../core/engine/dialects/responses/dialect.ts'
import { type Plugin, type Running, running, type StreamRig, streamOf, word } from '../../../../helpers/core.ts'
import { asking, post } from '../../../../helpers/gateway.ts'
import { ALL, diagonal, some } from '../../../../helpers/rounds.ts'
import { type Form, put, type Telling } from './forms.ts'
import { CHAT, COMPLETIONS, inDelta, inText } from './forms-of-chat.ts'
import { MESSAGES } from './forms-of-messages.ts'
import { RESPONSES } from './forms-of-responses.ts'

const SEAL = 'Zk3qP9xTtB7vLwQ2mXyR8sJfD4hGc6NnVuEaK1oIiY5pWl0zCbMr'
/** What some member has in its API, so that it is not inspected there. */
const WORDS = [
  ...'call_a1 msg_b2 function gpt-4o auto stop assistant fp_a1 wav text low completed'.split(' '),
  SEAL,
  `iVBORw0KGgo${SEAL}`,
  `data:image/png;base64,iVBORw0KGgo${SEAL}A`,
]
const [A, B] = ['z, secre', 'tz q']
const CUTS: readonly (readonly string[])[] = [
  [A, B],
  [A, B, '. w'],
  // What stood there first comes again within the value.
  ['e', ', s', 'e', 'cr', 'e', 'tz q'],
  ...WORDS.flatMap((one) => [
    [one, B],
    [A, one],
    [one, A, B],
    [A, one, B],
    [A, B, one],
    [one, A, one],
  ]),
]

/** Pieces that are digits alone are told as numbers. */
const NUMBERS: readonly (readonly string[])[] = [
  ['z 41', '1111', '1111111', '11 x'],
  ['4111', '1111', 'x', '1111111', '1'],
  ['z 4', '1111', '1111', '1111111 q'],
]

/** Random in every event, or elements of a list to every client: docs/decisions/0124; or calls that end twice. */
const APART = /obfuscation|citation (?:url|enc|type|file_id)|done twice fc/

/** All strings at one path, over events of one type with the same indexes. */
function joined(rig: StreamRig): Map<string, string> {
  const out = new Map<string, string>()
  const add = (path: string, value: unknown): void => {
    if (typeof value === 'string' || typeof value === 'number') out.set(path, `${out.get(path) ?? ''}${value}`)
    else if (Array.isArray(value))
      for (const [i, inner] of value.entries()) add(`${path}[${indexOf(inner) ?? i}]`, inner)
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) add(`${path}.${key}`, inner)
  }
  for (const { service: _, ...event } of rig.chunks) {
    const at = Object.entries(event).filter(([key]) => key.endsWith('index'))
    add(`${typeof event.type === 'string' ? event.type : ''}@${at.map(([, index]) => index).join('.')}`, event)
    // Every event with the response tells it again.
    if (event.response !== undefined) add('response', event.response)
  }
  return out
}
const indexOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? (value as { index?: unknown }).index : undefined

interface Api {
  readonly name: string
  readonly dialect?: Dialect
  readonly body?: object
  readonly forms: readonly [string, Telling][]
}
const around =
  (form: Form, end: Form): Telling =>
  (pieces) => [...pieces.map((one) => put(form, one)), end]
const APIS: readonly Api[] = [
  {
    name: 'chat completions',
    forms: Object.entries(CHAT).map(([name, form]) => [name, around(form, inDelta({}, { finish_reason: 'stop' }))]),
  },
  {
    name: 'completions',
    dialect: completions,
    body: { model: 'm', prompt: 'hi', stream: true },
    forms: Object.entries(COMPLETIONS).map(([name, form]) => [
      name,
      around(form, inText({ text: '', finish_reason: 'stop' })),
    ]),
  },
  {
    name: 'messages',
    dialect: messages,
    body: { model: 'm', max_tokens: 9, stream: true, messages: [{ role: 'user', content: 'hi' }] },
    forms: Object.entries(MESSAGES),
  },
  {
    name: 'responses',
    dialect: responses,
    body: { model: 'm', stream: true, input: 'hi' },
    forms: Object.entries(RESPONSES),
  },
]

async function told({ dialect, body }: Api, plugin: Plugin, events: readonly Form[]): Promise<StreamRig> {
  const rig = await streamOf([plugin], { ...(dialect && { dialect }), ...(body && { body }), more: { n: 1 } })
  for (const event of events) if (!rig.response.closed) rig.say(event)
  if (!rig.response.closed && (dialect === undefined || dialect === completions)) rig.say('[DONE]')
  return rig
}

function withNumbers<T>(value: T): T {
  if (typeof value === 'string' && /^\d+$/.test(value)) return Number(value) as T
  if (Array.isArray(value)) return value.map(withNumbers) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withNumbers(inner)])) as T
}

for (const api of APIS)
  describe(`a value in pieces over events of ${api.name}`, () => {
    const check = async (value: string, events: readonly Form[]): Promise<void> => {
      const rig = await told(api, word(value), events)
      // Out of order for the API: nothing of it leaves.
      if (rig.response.status !== 200) return
      for (const [path, text] of joined(rig)) assert.ok(!text.includes(value), `${path}: ${text}`)
      rig.response.close()
    }
    for (const [row, [name, tell]] of some(
      api.forms.filter(([one]) => !APART.test(one)),
      3,
    ).entries()) {
      it(`is not whole at any path: ${name}`, async () => {
        for (const pieces of diagonal(CUTS, row)) await check(pieces.join(''), tell(pieces))
      })
      if (name.endsWith('delta sequence_number')) continue // Numbers that count events are read with none of their texts.
      it(`is not whole at any path, with numbers in it: ${name}`, async () => {
        for (const pieces of ALL ? NUMBERS : [NUMBERS[row % 3]!])
          await check(pieces.join(''), tell(pieces).map(withNumbers))
      })
    }
  })

describe('a word that a member may have', () => {
  const [chat] = APIS as [Api]
  const picture = WORDS.at(-1) as string
  const FITS: Readonly<Record<string, string>> = {
    ...{
      'images.url': picture,
      'images.type': 'text',
      'images.detail': 'auto',
      'tool id': 'call_a1',
      'tool type': 'function',
    },
    ...{ 'audio id': 'call_a1', 'audio data': SEAL, 'annot type': 'text', 'annot id': 'call_a1', 'annot data': SEAL },
    ...{ 'rd signature': SEAL, 'rd data': SEAL, 'rd id': 'call_a1', 'rd format': 'wav', 'rd type': 'text' },
    ...{ 'content part type': 'text', 'content part id': 'msg_b2', 'content part data': SEAL, 'vendor id': 'call_a1' },
    ...{ role: 'assistant', id: 'msg_b2', model: 'gpt-4o', fingerprint: 'fp_a1', tier: 'auto', filter: 'low' },
  }
  for (const [name, one] of Object.entries(FITS))
    it(`leaves as it came, however often: ${name}`, async () => {
      const tell = new Map(chat.forms).get(name) as Telling
      const said = tell([one, one, one])
      const rig = await told(chat, { detect: () => {} }, said)
      assert.deepEqual(rig.chunks.slice(0, 3), said.slice(0, 3))
    })
})

describe('a value in one piece of a whole reply', () => {
  const owner: (() => Promise<void>)[] = []
  let parts: Running
  const VALUE = `${A}${B}`
  before(async () => {
    parts = await running({ after: (fn) => void owner.push(fn) }, [word(VALUE)])
  })
  after(async () => {
    for (const fn of owner) await fn()
  })
  for (const [name, form] of some(Object.entries(CHAT), 3, 1))
    it(`is not told: ${name}`, async () => {
      const { choices, ...event } = put(form, VALUE) as { choices: { delta?: object }[] }
      const whole = choices.map(({ delta: message = {}, ...choice }) => ({ message, ...choice, finish_reason: 'stop' }))
      parts.provider.reply(reply({ ...event, object: 'chat.completion', choices: whole }))
      const text = await (await post(parts.gateway, asking())).text()
      assert.ok(!text.includes(VALUE) && !text.includes(JSON.stringify(VALUE).slice(1, -1)), text)
    })
})
