import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { definePlugin, type GovernanceEvent } from 'governed-gateway'
import { encode, eventSource } from 'governed-gateway/kit'
import { type Receiver, respond, startReceiver } from 'governed-gateway/testing'
import { asking, post, setup } from '../helpers/gateway.ts'

declare module 'governed-gateway' {
  interface EventPayloads {
    'badge.leaked': { gate: string }
    'badge.plain': { gate: string }
  }
}

const payload = { type: 'object', properties: { gate: { type: 'string' } }, required: ['gate'] } as const

/** A plugin of somebody's own, which declares what its events are. */
const badges = definePlugin({
  name: 'badges',
  schema: { type: 'object', properties: {}, additionalProperties: false },
  events: {
    'badge.leaked': {
      severity: 'action',
      title: 'Badge number leaked',
      category: 'data',
      data: 'governmental',
      disposition: 'observed',
      schema: payload,
    },
    'badge.plain': { severity: 'detection', schema: payload },
  },
  create: () => ({
    apply(hooks) {
      hooks.preRequest.tap('badges', (x) => {
        x.emit('badge.leaked', { gate: 'north' })
        x.emit('badge.plain', { gate: 'south' })
      })
    },
  }),
})

const specs = new Map([['badges', badges]])

/** What a receiver gets of the event of this type. */
async function arrived(receiver: Receiver, wanted: (one: string) => boolean): Promise<string> {
  for (;;) {
    const { text } = await receiver.next()
    const parts = text.startsWith('[')
      ? (JSON.parse(text) as object[]).map((one) => JSON.stringify(one))
      : text.split('\n')
    const found = parts.find(wanted)
    if (found !== undefined) return found
  }
}

describe("a plugin's own event is shown by its declaration", () => {
  const settings = { enabled: true, flush_interval_seconds: 0.1, buffer_size: 1, event_types: ['badge.*'] }

  async function exported(t: Parameters<typeof setup>[0], format: string, wanted: (one: string) => boolean) {
    const receiver = await startReceiver()
    t.after(() => receiver.close())
    const { gateway } = await setup(t, {
      specs,
      plugins: [{ use: 'badges' }, { use: 'siem', options: { ...settings, url: receiver.url, format } }],
      config: { egress: { allow: [new URL(receiver.url).host] } },
    })
    await (await post(gateway, asking('Hello'))).text()
    return arrived(receiver, wanted)
  }

  it('in OCSF: title, class, disposition and kind of data', async (t) => {
    const text = await exported(t, 'ocsf', (one) => one.includes('badge.leaked'))
    const event = JSON.parse(text)
    assert.equal(event.class_uid, 2006)
    assert.equal(event.message, 'Badge number leaked')
    assert.equal(event.finding_info.title, 'Badge number leaked')
    assert.deepEqual([event.disposition, event.data_security.category], ['Detected', 'Governmental'])
    assert.equal(event.unmapped.gate, 'north')
  })

  it('in CEF: name, category and act', async (t) => {
    const line = await exported(t, 'cef', (one) => one.includes('badge.leaked'))
    assert.match(line, /^CEF:0(\|[^|]*){3}\|badge\.leaked\|Badge number leaked\|/)
    assert.match(line, / cat=detection act=observed outcome=success /)
  })

  it('in JSON nothing is added to it', async (t) => {
    const event = JSON.parse(await exported(t, 'json', (one) => one.includes('badge.leaked')))
    assert.equal(event.gate, 'north')
    for (const member of ['title', 'category', 'disposition', 'data']) assert.ok(!(member in event), member)
  })

  it('an undeclared event is shown by its name and severity', async (t) => {
    const event = JSON.parse(await exported(t, 'ocsf', (one) => one.includes('badge.plain')))
    assert.deepEqual([event.class_uid, event.message, event.disposition], [2004, 'Badge plain', 'Detected'])
  })

  it('in an alert', async (t) => {
    const receiver = await startReceiver()
    t.after(() => receiver.close())
    receiver.otherwise(respond(200, 'ok'))
    const { gateway } = await setup(t, {
      specs,
      plugins: [
        { use: 'badges' },
        {
          use: 'alerting',
          options: {
            ...{ enabled: true, webhook_url: receiver.url, webhook_type: 'slack' },
            ...{ min_severity: 'all', event_types: ['badge.leaked'] },
          },
        },
      ],
      config: { egress: { allow: [new URL(receiver.url).host] } },
    })
    await (await post(gateway, asking('Hello'))).text()
    const { blocks } = (await receiver.next()).json as { blocks: { text: { text: string } }[] }
    assert.equal(blocks[0]?.text.text, 'Badge number leaked')
  })
})

it('events of a plugin that is gone, or of an older version, still become every format', () => {
  const source = eventSource({ source_name: 'gw', environment: 'test' })
  const event: GovernanceEvent = {
    id: '019a9f3e-7c1b-7d2a-8f00-1234567890ab',
    time: '2026-03-16T10:00:00.123Z',
    type: 'badge.leaked',
    severity: 'block',
  }
  assert.match(encode('cef', event, source), /\|badge\.leaked\|Badge leaked\|8\|.* act=blocked /)
  assert.equal(JSON.parse(encode('ocsf', event, source)).message, 'Badge leaked')
  assert.equal(JSON.parse(encode('json', event, source)).type, 'badge.leaked')
  for (const type of ['valueOf', '__proto__', 'constructor', '']) {
    assert.equal(JSON.parse(encode('ocsf', { ...event, type }, source)).class_uid, 2004)
  }
})
