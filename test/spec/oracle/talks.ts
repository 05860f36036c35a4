/** Talks over several turns: the client sends back what it got, with results of tools, as agents do. */
import type { JsonObject } from './places-in.ts'
import type { Members } from './places-out.ts'

export interface Talk {
  /** The first messages of the client. */
  readonly opening: (text: string) => JsonObject[]
  readonly turns: readonly {
    /** What the model says; `token` stands for what it knows of the value. */
    readonly says: (token: string) => Members
    /** What the client adds behind the message that it got. */
    readonly after?: (text: string) => JsonObject[]
  }[]
}

const user = (content: string): JsonObject => ({ role: 'user', content })
const result = (content: string, id = 'call_1'): JsonObject => ({ role: 'tool', tool_call_id: id, content })
const prose = (token: string): Members => ({ delta: { content: `I noted ${token} for you.` } })
const calls = (...args: object[]): Members => ({
  delta: {
    content: null,
    tool_calls: args.map((one, at) => ({
      index: at,
      id: `call_${at + 1}`,
      type: 'function',
      function: { name: 'save', arguments: JSON.stringify(one) },
    })),
  },
})

// biome-ignore format: a table reads best with one entry in a line.
export const TALKS: Readonly<Record<string, Talk>> = {
  'said-again': { opening: (text) => [user(`I note ${text} for later`)], turns: [{ says: prose, after: () => [user('And what was it?')] }, { says: prose, after: () => [user('Once more')] }, { says: prose }] },
  'system': { opening: (text) => [{ role: 'system', content: `You know ${text} well` }, user('Hello')], turns: [{ says: prose, after: (text) => [user(`Is it ${text} or not?`)] }, { says: prose }] },
  'tool-call': { opening: (text) => [user(`Save ${text} please`)], turns: [{ says: (token) => calls({ note: token, n: 1 }), after: (text) => [result(JSON.stringify({ saved: true, note: text }, null, 2))] }, { says: prose }] },
  'tool-call-text': { opening: (text) => [user(`Save ${text} please`)], turns: [{ says: (token) => calls({ body: `Dear all,\nthe value is ${token}.\n` }), after: (text) => [result(`saved\n\nvalue: ${text}\n`)] }, { says: (token) => calls({ body: JSON.stringify({ inner: token }) }), after: () => [result('ok')] }, { says: prose }] },
  'tool-result': { opening: () => [user('Look it up')], turns: [{ says: () => calls({ q: 'it' }), after: (text) => [result(`name\tvalue\nit\t${text}\n`)] }, { says: prose, after: () => [user('Thanks')] }, { says: prose }] },
  'two-tools': { opening: () => [user('Look it up twice')], turns: [{ says: () => calls({ q: 'a' }, { q: 'b' }), after: (text) => [result('nothing'), result(JSON.stringify([{ row: 1, text }]), 'call_2')] }, { says: (token) => calls({ a: token }, { b: token }), after: () => [result('ok'), result('ok', 'call_2')] }, { says: prose }] },
}
