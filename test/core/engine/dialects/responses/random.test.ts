/** Random streams and replies: no text that a client can put together has the value. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { generator, json, stream } from '../../../../../core/testing/provider.ts'
import { running, word } from '../../../../helpers/core.ts'
import { rounds } from '../../../../helpers/rounds.ts'
import { cutAt } from '../../../../helpers/text.ts'
import { type Event, eventsOf, numbered, respond, response } from './responding.ts'

const SECRET = 'secret'
const CASES = rounds(600)

type Random = () => number

function makerOf(seed: number) {
  const random: Random = generator(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const pieces = (text: string) => cutAt(text, random)
  const text = () =>
    pick(['', 'a ', 'sec ']) + pick([SECRET, 'second', SECRET + SECRET, 'sec', 'ret']) + pick([' b', '', 'sec'])
  const item = (index: number): Event => {
    const id = `it_${index}a1`
    const parts = (type: string) => Array.from({ length: 1 + Math.floor(random() * 2) }, () => ({ type, text: text() }))
    return pick([
      () => ({ id, type: 'message', role: 'assistant', status: 'completed', content: parts('output_text') }),
      () => ({
        id,
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'refusal', refusal: text() }],
      }),
      () => ({ id, type: 'reasoning', summary: parts('summary_text'), content: parts('reasoning_text') }),
      () => ({
        id,
        type: 'function_call',
        call_id: 'call_1',
        name: 'f',
        arguments: JSON.stringify({ a: text(), b: [text()] }),
      }),
      () => ({ id, type: 'custom_tool_call', call_id: 'call_1', name: pick(['f', SECRET]), input: text() }),
      () => ({ id, type: 'mcp_call', name: 'f', server_label: 's', arguments: text(), output: text(), error: null }),
      () => ({ id, type: 'code_interpreter_call', code: text(), outputs: [{ type: 'logs', logs: text() }] }),
      () => ({ id, type: 'shell_call', call_id: 'call_1', action: { commands: [text(), text()] } }),
      () => ({ id, type: 'shell_call_output', call_id: 'call_1', output: [{ stdout: text(), stderr: text() }] }),
      () => ({ id, type: 'web_search_call', action: { type: 'search', query: text() } }),
      () => ({ id, type: 'vendor_thing', note: text() }),
    ])()
  }
  const other = () => pick([text(), text(), undefined])
  /** The events of an item; now and then one is missing, or says something else than the deltas. */
  const eventsOfItem = (one: Event, output_index: number): object[] => {
    const at = { item_id: one.id, output_index }
    const events: object[] = []
    const grow = (type: string, place: object, whole: string, member: string) => {
      if (random() < 0.9) {
        for (const delta of pieces(whole)) events.push({ type: `response.${type}.delta`, ...at, ...place, delta })
      }
      const told = random() < 0.1 ? (other() ?? whole) : whole
      if (random() < 0.9) events.push({ type: `response.${type}.done`, ...at, ...place, [member]: told })
    }
    const bare = { ...one, ...(one.content && { content: [] }), ...(one.summary && { summary: [] }) }
    for (const name of ['arguments', 'input', 'code', 'output', 'note'])
      if (typeof one[name] === 'string') bare[name] = ''
    if (one.action) bare.action = { type: 'search', query: '', commands: [] }
    if (Array.isArray(one.output)) bare.output = []
    delete bare.outputs
    // Of two texts that are told whole, none may grow any more.
    const isSingle = (one.content ?? []).length < 2 && (one.summary ?? []).length < 2
    events.push({ type: 'response.output_item.added', output_index, item: random() < 0.1 && isSingle ? one : bare })
    for (const [i, part] of (one.content ?? []).entries()) {
      const place = { content_index: i }
      const type = part.type === 'reasoning_text' ? 'reasoning_text' : part.type
      if (type === 'refusal') grow('refusal', place, part.refusal, 'refusal')
      else grow(type, place, part.text, 'text')
      if (random() < 0.8) events.push({ type: 'response.content_part.done', ...at, ...place, part })
    }
    for (const [i, part] of (one.summary ?? []).entries()) {
      grow('reasoning_summary_text', { summary_index: i }, part.text, 'text')
    }
    if (one.type === 'function_call') grow('function_call_arguments', {}, one.arguments, 'arguments')
    if (one.type === 'mcp_call') grow('mcp_call_arguments', {}, one.arguments, 'arguments')
    if (one.type === 'custom_tool_call') grow('custom_tool_call_input', {}, one.input, 'input')
    if (one.type === 'code_interpreter_call') grow('code_interpreter_call_code', {}, one.code, 'code')
    for (const [k, command] of (one.action?.commands ?? []).entries())
      grow('shell_call_command', { command_index: k }, command, 'command')
    if (random() < 0.2) for (const delta of pieces(SECRET)) events.push({ type: 'response.vendor.delta', ...at, delta })
    if (random() < 0.2) {
      events.push({
        type: 'response.output_text.delta',
        ...at,
        content_index: (one.content ?? []).length,
        delta: 'x',
        vendor: pick([SECRET, { a: SECRET }]),
      })
    }
    if (random() < 0.9) events.push({ type: 'response.output_item.done', output_index, item: one })
    return events
  }
  const items = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, i) => item(i))
  const more = random() < 0.2 ? { vendor: SECRET, metadata: { a: SECRET } } : {}
  const whole = response({ output: items, ...more })
  const streamed = () =>
    numbered([
      { type: 'response.created', response: response({ status: 'in_progress', ...more }) },
      ...items.flatMap(eventsOfItem),
      { type: 'response.completed', response: whole },
    ])
  return { streamed, whole, split: pick(['event', 'whole'] as const) }
}

/** Every text of a tree, and each text that grows over events. */
function together(trees: readonly Event[]): Map<string, string> {
  const out = new Map<string, string>()
  const add = (place: string, text: string) => out.set(place, (out.get(place) ?? '') + text)
  trees.forEach((tree, n) => {
    const walk = (value: unknown, place: string): void => {
      if (typeof value === 'string') {
        add(`${n} ${place}`, value)
        if (String(tree.type).endsWith('.delta'))
          add(`${tree.type} ${tree.output_index} ${tree.command_index} ${place}`, value)
        if (tree.type === 'response.output_text.delta' && place === '.delta') add('shown as one', value)
      } else if (typeof value === 'object' && value !== null) {
        for (const [name, inner] of Object.entries(value)) {
          if (!Array.isArray(value)) add(`${n} ${place} names`, `${name} `)
          walk(inner, `${place}.${name}`)
        }
      }
    }
    walk(tree, '')
    const output = tree.output ?? tree.response?.output
    for (const item of Array.isArray(output) ? output : []) {
      if (item.type !== 'message') continue
      for (const part of item.content) if (part.type === 'output_text') add(`${n} shown as one`, part.text)
    }
  })
  return out
}

it('no text that a client can put together has the value', async (t) => {
  const { provider, gateway } = await running(t, [word(SECRET)])
  for (let seed = 1; seed <= CASES; seed++) {
    const { streamed, whole, split } = makerOf(seed)
    const isStream = seed % 4 !== 0
    provider.reply(isStream ? stream(streamed(), { split, done: false }) : json(whole))
    const reply = await respond(gateway, { stream: isStream, store: false })
    const body = await reply.text()
    assert.equal(reply.status, 200, `seed ${seed}: ${body.slice(0, 300)}`)
    const trees = isStream ? eventsOf(body) : [JSON.parse(body) as Event]
    if (isStream)
      assert.equal(
        trees.at(-1).type,
        'response.completed',
        `seed ${seed}: ${JSON.stringify(trees.at(-1)).slice(0, 300)}`,
      )
    for (const [place, text] of together(trees)) assert.ok(!text.includes(SECRET), `seed ${seed}, at ${place}: ${text}`)
  }
})
