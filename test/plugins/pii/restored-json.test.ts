/** A value with a quote, a backslash or a line break comes back into JSON as JSON spells it, so valid JSON stays valid. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { chat, delta, type ScriptedExchange, stream } from '../../../core/testing/provider.ts'
import pii from '../../../plugins/pii/index.ts'
import { JsonStrings } from '../../../plugins/pii/places/json-strings.ts'
import { Drive } from '../../eval/drive.ts'
import { asking, post, setup } from '../../helpers/gateway.ts'
import { seenJson, seenStream } from '../../helpers/replies.ts'
import { rounds } from '../../helpers/rounds.ts'

const VALUE = 'ODD "q" \\E\n\tEND'
const options = {
  action: 'tokenize',
  output: { action: 'off' },
  patterns: [{ type: 'odd', pattern: 'ODD[^~]{3,40}END', max_length: 64 }],
}
const root = new Drive(pii, options)

/** The reply with the token of the value for `T`, and all that may come of it: buffered, by letter, and in two pieces. */
function* replies(text: string, value = VALUE): Generator<string> {
  const drive = root.next()
  const token = drive.input(value).output
  const whole = text.replaceAll('T', token)
  yield drive.reply(whole).output
  yield drive.stream([...whole]).output
  for (let at = 1; at < whole.length; at++) yield drive.stream([whole.slice(0, at), whole.slice(at)]).output
}

const inJson = (depth: number, text: string): string =>
  depth === 0 ? text : JSON.stringify({ b: [1, true], a: inJson(depth - 1, text) })

describe('pii: a value with characters that JSON escapes', () => {
  for (const [name, write] of [
    ['a document', (json: string) => json],
    ['a document with blanks', (json: string) => JSON.stringify(JSON.parse(json), null, 2)],
    ['a fenced document', (json: string) => `Here you are:\n\n\`\`\`json\n${json}\n\`\`\`\n`],
    ['a document behind others', (json: string) => `{"a":"x"}\n[1]\n${json}`],
    ['a document behind brackets and quotes that are none', (json: string) => `["x" {a: "b"} [x] "${json}`],
  ] as const) {
    it(`comes back as it was, in ${name} and in documents within its strings`, () => {
      for (const depth of [1, 2, 3]) {
        const json = inJson(depth, 'T and T')
        const before = write(json)
        const at = before.indexOf(name === 'a document with blanks' ? '{' : json)
        for (const out of replies(before)) {
          let meant = JSON.parse(out.slice(at).replace(/\n```\n$/, ''))
          for (let i = 1; i < depth; i++) meant = JSON.parse(meant.a)
          // The third one spells a quote with three backslashes, which may begin the name of a host: the token stays.
          assert.equal(depth > 2 && meant.a.includes('ODD_'), depth > 2)
          if (depth < 3) assert.equal(meant.a, `${VALUE} and ${VALUE}`)
        }
      }
    })
  }

  it('comes back as a name, as a whole string, and behind escapes', () => {
    for (const out of replies('{"T":"\\u00e4\\nT"}')) {
      assert.deepEqual(JSON.parse(out), { [VALUE]: `ä\n${VALUE}` })
    }
    for (const out of replies('"T"')) assert.equal(JSON.parse(out), VALUE)
  })

  it('comes back unchanged outside of JSON', () => {
    for (const text of ['T', 'It is "T".', 'send({ to: "T" })', '[T] and {T}', '[1, 2] T', '["a\nT']) {
      for (const out of replies(text)) assert.equal(out, text.replaceAll('T', VALUE))
    }
  })

  it('keeps the escapes that it already has', () => {
    for (const out of replies('{"a":"T"}', 'ODD M\\u00fcller 1\\/2 END')) {
      assert.deepEqual(JSON.parse(out), { a: 'ODD Müller 1/2 END' })
    }
  })
})

it('the strings around the end of a text are counted in any JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 4 }), fc.boolean(), (value, depth, indented) => {
      const mark = '\u2603'
      let text: string = mark
      for (let i = 0; i < depth; i++) text = JSON.stringify([value, { k: text }, value], null, indented ? 1 : 0)
      if (JSON.stringify(value).includes(mark)) return
      const strings = new JsonStrings()
      strings.read(text.slice(0, text.indexOf(mark)))
      assert.equal(strings.depth, depth)
      strings.read(text.slice(text.indexOf(mark)))
      assert.equal(strings.depth, 0)
    }),
    { numRuns: rounds(300) },
  )
})

it('within an escape, and in too many strings, nobody can tell the number', () => {
  for (const text of ['{"a":"\\', '{"a":"\\u00', inJson(12, 'T').split('T')[0] as string]) {
    const strings = new JsonStrings()
    strings.read(text)
    assert.equal(strings.depth, undefined, text)
  }
})

describe('pii: JSON of a model stays valid', () => {
  for (const isStream of [false, true]) {
    const form = isStream ? 'streamed' : 'buffered'
    const tokenOf = ({ request }: ScriptedExchange) =>
      /ODD_[a-z2-7]{10}/.exec(JSON.stringify((request.json as { messages: object[] }).messages.at(-1)))?.[0] ?? ''
    const ask = { stream: isStream, response_format: { type: 'json_object' } }
    const seen = async (answer: Awaited<ReturnType<typeof post>>) =>
      isStream ? seenStream(answer.status, await answer.events()) : seenJson(answer.status, await answer.text())

    it(`content, ${form}`, async (t) => {
      const { provider, gateway } = await setup(t, { plugins: [{ use: 'pii', options }] })
      provider.reply((exchange) =>
        chat(JSON.stringify({ a: JSON.stringify({ b: tokenOf(exchange) }) }), { split: 'byte' })(exchange),
      )
      const { choices } = await seen(await post(gateway, asking(VALUE, ask)))
      assert.equal(JSON.parse(JSON.parse(choices[0]?.content ?? '').a).b, VALUE)
    })

    it(`arguments, ${form}`, async (t) => {
      const plugins = [{ use: 'pii', options: { ...options, restore_tool_arguments: true } }]
      const { provider, gateway } = await setup(t, { plugins })
      provider.reply((exchange) => {
        const args = JSON.stringify({ a: tokenOf(exchange), body: JSON.stringify({ a: tokenOf(exchange) }) })
        const call = { id: 'call_1', type: 'function', function: { name: 'send', arguments: args } }
        const script = isStream
          ? stream([delta({ tool_calls: [{ index: 0, ...call }] }), delta({}, 0, 'tool_calls')], { split: 'byte' })
          : chat({ choices: [{ toolCalls: [{ id: 'call_1', name: 'send', arguments: args }] }] } as never)
        return script(exchange)
      })
      const text = await (await post(gateway, asking(VALUE, ask))).text()
      const found = /"arguments":("(?:[^"\\]|\\.)*")/g
      const args = JSON.parse([...text.matchAll(found)].map(([, one]) => JSON.parse(one as string)).join(''))
      assert.equal(args.a, VALUE)
      assert.equal(JSON.parse(args.body).a, VALUE)
    })
  }
})
