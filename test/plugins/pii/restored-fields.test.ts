/** Where a value comes back, and where its token stays: what a person reads, and nothing that is sent on by itself. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { completion, delta, json, type ScriptedExchange, stream } from '../../../core/testing/provider.ts'
import { REPLY_FIELDS } from '../../helpers/fields.ts'
import { asking, post, setupForSuite } from '../../helpers/gateway.ts'

const ADDRESS = 'jo.smith@example.com'
const TOKEN = /email_[a-z2-7]{10,}/i
/** Names of fields that a person reads. */
const READ = /^(?:content|reasoning|refusal|audio transcript|logprobs)/
const CALLED = /^(?:tool arguments|custom tool|function_call)/

/** The note in front of the messages shows a token too, which is nobody's. */
const tokenOf = ({ request }: ScriptedExchange): string =>
  TOKEN.exec((request.json as { messages: { content: string }[] }).messages.at(-1)?.content ?? '')?.[0] ??
  assert.fail('no token')

for (const [name, more, comesBack] of [
  ['by default', {}, (field: string) => READ.test(field)],
  [
    'with restore_tool_arguments',
    { restore_tool_arguments: true },
    (field: string) => READ.test(field) || CALLED.test(field),
  ],
] as const) {
  describe(`pii: a token in a reply, ${name}`, () => {
    const parts = setupForSuite({ plugins: [{ use: 'pii', options: { action: 'tokenize', ...more } }] })

    for (const field of REPLY_FIELDS) {
      const back = comesBack(field.name)
      const does = back ? 'comes back as the value' : 'stays a token'

      it(`${field.name}, buffered: ${does}`, async () => {
        parts().provider.reply((exchange) => {
          const choice = { finish_reason: 'stop', ...field.choice(tokenOf(exchange)) }
          return json({ ...completion('x'), choices: [choice] })(exchange)
        })
        const answer = await post(parts().gateway, asking(`I am ${ADDRESS}`))
        check(await answer.text(), back)
      })

      it(`${field.name}, streamed: ${does}`, async () => {
        parts().provider.reply((exchange) => {
          const ends = [0, 1].map((index) => delta({}, index, 'stop'))
          const events = [delta({ content: 'Hi' }, 1), ...field.events(tokenOf(exchange)), ...ends]
          return stream(events, { split: 'byte' })(exchange)
        })
        const answer = await post(parts().gateway, asking(`I am ${ADDRESS}`, { stream: true, n: 2 }))
        const events = await answer.events()
        check(grownText(events.filter((event) => event !== '[DONE]')), back)
      })
    }

    function check(said: string, back: boolean): void {
      assert.equal(said.includes(ADDRESS), back, said)
      // As it was spelled, or letter by letter with escapes.
      if (back) assert.ok(!TOKEN.test(said), said)
    }
  })
}

/** All texts of all events, each field put together. */
function grownText(events: readonly string[]): string {
  const fields = new Map<string, string>()
  const add = (path: string, value: unknown): void => {
    if (typeof value === 'string') fields.set(path, (fields.get(path) ?? '') + value)
    else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        const index = Array.isArray(value) ? ((member as { index?: number } | null)?.index ?? key) : key
        add(`${path}\n${index}`, member)
      }
    }
  }
  for (const event of events) add('', JSON.parse(event))
  return [...fields.values()].join('\n')
}
