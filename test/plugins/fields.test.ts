/** No value passes, in either direction, in any field: the bundled detectors over every field that carries text. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Observer } from '../../core/testing/plugin/observer.ts'
import { completion, delta, type JsonObject, json, stream } from '../../core/testing/provider.ts'
import { REPLY_FIELDS, REQUEST_FIELDS } from '../helpers/fields.ts'
import { asking, barrier, post, setupForSuite } from '../helpers/gateway.ts'
import type { Reply } from '../helpers/http.ts'

const DETECTORS = [
  { plugin: 'pii', options: {}, value: 'jo.smith@example.com', placeholder: '[EMAIL]', blocking: { action: 'block' } },
  {
    plugin: 'secrets',
    options: { input: 'redact' },
    // Put together at run time: no key-shaped string stands in the repository.
    value: `ghp_${'abcdEFGH1234ijklMNOP5678qrstUVWX9012'}`,
    placeholder: '[GITHUB_TOKEN]',
    blocking: { input: 'block' },
  },
]

/** Fields whose text nothing follows in these streams. */
const JUDGED_AT_THE_END = /^(tool|custom tool|function_call|annotation|audio|a vendor)/

/** Every text, key and number of a value; what is JSON inside a text too. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...inner(value)]
  if (typeof value !== 'object' || value === null) return [String(value)]
  return Object.entries(value).flatMap(([key, member]) => [key, ...textsOf(member)])
}

function inner(text: string): string[] {
  if (!/^\s*[[{]/.test(text)) return []
  try {
    return textsOf(JSON.parse(text))
  } catch {
    return []
  }
}

for (const { plugin, options, value, placeholder, blocking } of DETECTORS) {
  describe(`${plugin}: a value in a request`, () => {
    const redacts = setupForSuite({ plugins: [{ use: plugin, options }] })
    const blocks = setupForSuite({ plugins: [{ use: plugin, options: blocking }] })

    for (const [name, make] of REQUEST_FIELDS) {
      for (const streamed of [false, true]) {
        it(`${name}, ${streamed ? 'streamed' : 'buffered'}: does not reach the provider`, async () => {
          const { provider, gateway } = redacts()
          const answer = await post(gateway, { ...make(value), ...(streamed && { stream: true }) })
          const body = await answer.text()
          assert.equal(answer.status, 200, body)
          const sent = (await provider.next()).json
          const texts = textsOf(sent)
          assert.ok(!texts.join('').includes(value), JSON.stringify(sent))
          assert.ok(
            texts.some((text) => text.includes(placeholder)),
            JSON.stringify(sent),
          )
          assert.ok(!body.includes(value))
        })
      }

      it(`${name}: is refused when told so`, async () => {
        const answer = await post(blocks().gateway, make(value))
        const body = await answer.text()
        assert.equal(answer.status, 403, body)
        assert.ok(!body.includes(value))
        assert.equal(blocks().provider.requests.length, 0)
      })
    }

    it('stands in no log line and no event', () => {
      for (const { gateway } of [redacts(), blocks()]) {
        assert.ok(gateway.log.length > 0)
        assert.ok(!JSON.stringify(gateway.log).includes(value))
      }
    })
  })

  describe(`${plugin}: a value in a reply`, () => {
    const parts = setupForSuite({ plugins: [{ use: plugin, options }] })

    for (const field of REPLY_FIELDS) {
      it(`${field.name}, buffered: does not reach the client`, async () => {
        const choice: Record<string, unknown> = { finish_reason: 'stop', ...field.choice(value) }
        const other = {
          index: choice.index === 1 ? 0 : 1,
          message: { role: 'assistant', content: 'Hi' },
          finish_reason: 'stop',
        }
        parts().provider.reply(json({ ...completion('x'), choices: [choice, other] }))
        const answer = await post(parts().gateway)
        assert.equal(answer.status, 200)
        check(JSON.parse(await answer.text()), field.name)
      })

      it(`${field.name}, streamed: does not reach the client`, async () => {
        const ends = [0, 1].map((index) => delta({}, index, 'stop'))
        parts().provider.reply(stream([delta({ content: 'Hi' }, 1), ...field.events(value), ...ends]))
        const answer = await post(parts().gateway, asking('Hello', { stream: true, n: 2 }))
        const events = await answer.events()
        assert.equal(events.at(-1), '[DONE]', events.join('\n'))
        check(grown(events.slice(0, -1).map((event) => JSON.parse(event) as Grown)), field.name)
      })
    }

    it('stands in no log line and no event', () => {
      assert.ok(!JSON.stringify(parts().gateway.log).includes(value))
    })

    function check(reply: unknown, name: string): void {
      const texts = textsOf(reply)
      assert.ok(!texts.join('\n').includes(value), `${name}: ${JSON.stringify(reply)}`)
      assert.ok(
        texts.some((text) => text.includes(placeholder)),
        `${name}: ${JSON.stringify(reply)}`,
      )
    }
  })

  describe(`${plugin}: a client that leaves`, () => {
    const observer = new Observer('observer')
    const parts = setupForSuite({
      plugins: [{ use: plugin, options }, { use: 'observer' }],
      specs: new Map([['observer', observer.spec]]),
    })

    for (const [i, { name, events }] of REPLY_FIELDS.entries()) {
      const all = events(value)
      it(`${name}: in the middle of the value, does not get it`, async () => {
        await leave(`field-${i}-half`, all.slice(0, Math.ceil(all.length / 2)))
      })

      it(`${name}: after the value, does not get it, and it is counted`, async () => {
        const ended = await leave(`field-${i}-all`, [...all, delta({}, 0, 'stop')])
        // A call, or a text with nothing behind it, is judged at the end of the stream, which never comes.
        const { detections = [] } = ended as { detections?: readonly { count: number }[] }
        if (detections.length === 0 && JUDGED_AT_THE_END.test(name)) return
        assert.deepEqual(
          detections.map(({ count }) => count),
          [1],
          JSON.stringify(ended),
        )
        assert.equal(ended.action, 'redact')
      })
    }

    it('stands in no log line and no event', () => {
      assert.ok(!JSON.stringify([parts().gateway.log, observer.events]).includes(value))
    })

    /** The provider says this and no more; the client leaves when the gateway had the chance to handle it. */
    async function leave(id: string, events: readonly JsonObject[]) {
      const told = Promise.withResolvers<void>()
      const steps = [delta({ content: 'Hi, so: ' }, 1), ...events, () => told.resolve()]
      parts().provider.reply(stream(steps, { end: 'hang', done: false }))
      const answer = await post(parts().gateway, asking('Hello', { stream: true, n: 2 }), {
        headers: { 'x-client-request-id': id },
      })
      const reading = read(answer)
      await told.promise
      await barrier(parts().gateway)
      answer.destroy()
      const texts = textsOf(grown((await reading).map((event) => JSON.parse(event) as Grown)))
      assert.ok(!texts.some((text) => text.includes(value.slice(0, 5))), JSON.stringify(texts))
      const ended = await observer.ended(id)
      await parts().provider.idle()
      const terminal = observer.eventsOf(id).filter((event) => observer.isTerminal(event))
      assert.deepEqual(
        terminal.map(({ type }) => type),
        ['stream.aborted'],
      )
      assert.equal(observer.outcomeOf(id), 'aborted')
      return ended
    }
  })
}

/** The events that came before the connection closed; a last one may have come in half. */
async function read(answer: Reply): Promise<string[]> {
  const events: string[] = []
  try {
    for (let event = await answer.event(); event !== undefined; event = await answer.event()) events.push(event)
  } catch (error) {
    assert.match(String(error), /ended inside an event/)
  }
  return events
}

type Grown = string | number | boolean | null | Grown[] | { [key: string]: Grown }

/** What a client that adds up every text of every choice and call would have. */
function grown(events: readonly Grown[]): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  const add = (path: string, value: Grown): void => {
    if (typeof value === 'number' || typeof value === 'boolean') out[path] = value
    else if (typeof value === 'string') out[path] = `${(out[path] as string | undefined) ?? ''}${value}`
    else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        const index =
          Array.isArray(value) && typeof member === 'object' ? (member as { index?: number } | null)?.index : undefined
        add(`${path}\n${index ?? key}`, member)
      }
    }
  }
  for (const event of events) add('', event)
  return out
}
