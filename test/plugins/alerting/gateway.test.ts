import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { GovernanceEvent } from '../../../core/engine/contract/plugin.ts'
import { respond } from '../../../core/testing/index.ts'
import { until } from '../../helpers/until.ts'
import { alertingTo, emitted, logged, PATH, receiverFor } from './rig.ts'

describe('a block', () => {
  for (const type of ['slack', 'teams', 'generic'] as const) {
    it(`reaches ${type}`, async (t) => {
      const receiver = await receiverFor(t)
      receiver.otherwise(respond(200, type === 'slack' ? 'ok' : ''))
      const options = { enabled: true, webhook_url: receiver.url, webhook_type: type }
      const gateway = await alertingTo(t, [receiver], options)
      await gateway.block()
      const { json, method, headers } = await receiver.next()
      assert.equal(method, 'POST')
      assert.match(String(headers['content-type']), /^application\/json/)
      const text = JSON.stringify(json)
      assert.match(text, /That word is not allowed/)
      assert.doesNotMatch(text, /forbidden/)
      const event = gateway.rig.events.find((one) => one.type === 'request.blocked')!
      if (type === 'generic') {
        const { seq, hash, prev_hash, ...sent } = json as Record<string, unknown>
        assert.deepEqual(sent, JSON.parse(JSON.stringify(event)))
        assert.equal(typeof hash, 'string')
        assert.equal(typeof prev_hash, 'string')
        assert.ok(Number.isInteger(seq))
      }
      const entry = await logged(gateway, ({ outcome }) => outcome === 'delivered')
      const { id, time, latency_ms: latency, ...rest } = entry
      assert.match(id, /^[0-9a-f-]{36}$/)
      assert.ok(Date.parse(time) > 0)
      assert.ok(latency !== null && latency >= 0)
      assert.deepEqual(rest, {
        event_id: event.id,
        event_type: 'request.blocked',
        destination: 'default',
        outcome: 'delivered',
        http_status: 200,
        attempts: 1,
        error: null,
      })
    })
  }

  it('is only counted when it repeats', async (t) => {
    const receiver = await receiverFor(t)
    const gateway = await alertingTo(t, [receiver], {
      enabled: true,
      webhook_url: receiver.url,
      dedupe_window_seconds: 1,
    })
    for (let i = 0; i < 5; i++) await gateway.block()
    const first = (await receiver.next()).json as Record<string, unknown>
    assert.equal(first.type, 'request.blocked')
    const digest = (await receiver.next()).json as Record<string, unknown>
    assert.equal(digest.type, 'alert.digest')
    assert.equal(digest.count, 4)
    assert.equal(digest.instance, first.instance)
    const entry = await logged(gateway, ({ outcome }) => outcome === 'suppressed')
    assert.equal(entry.error, 'repeat: included in the next digest')
  })
})

describe('a receiver that fails', () => {
  it('is retried, then reported as failed', async (t) => {
    const receiver = await receiverFor(t)
    receiver.otherwise(respond(503))
    const options = { enabled: true, webhook_url: receiver.url, max_retries: 2, retry_backoff_seconds: 0.1 }
    const gateway = await alertingTo(t, [receiver], options)
    await gateway.block()
    const failed = await emitted(gateway.rig, 'alert.failed')
    assert.equal(failed.severity, 'info')
    assert.equal(failed.destination, 'default')
    assert.equal(failed.event_type, 'request.blocked')
    assert.equal(failed.http_status, 503)
    assert.equal(failed.attempts, 3)
    assert.equal(failed.error, 'http_503')
    const entry = await logged(gateway, ({ outcome }) => outcome === 'failed')
    assert.equal(entry.attempts, 3)
    assert.equal(entry.http_status, 503)
    assert.equal(receiver.requests.length, 3)
    assert.ok(!JSON.stringify(await gateway.log()).includes('/hook'))
  })

  it('gets the retry when Retry-After says', async (t) => {
    const receiver = await receiverFor(t)
    receiver.reply(respond(429, '', { 'retry-after': '1' }), respond(200, 'ok'))
    const options = { enabled: true, webhook_url: receiver.url, webhook_type: 'slack', retry_backoff_seconds: 0.1 }
    const gateway = await alertingTo(t, [receiver], options)
    await gateway.block()
    await receiver.next()
    const began = performance.now()
    await receiver.next()
    // Its own pause would be a tenth of a second; the clock starts late on a busy machine.
    assert.ok(performance.now() - began >= 500)
    assert.equal((await logged(gateway, ({ outcome }) => outcome === 'delivered')).attempts, 2)
  })

  it('counts as failed when a 200 reports an error', async (t) => {
    const receiver = await receiverFor(t)
    receiver.otherwise(respond(200, 'no_service'))
    const gateway = await alertingTo(t, [receiver], { enabled: true, webhook_url: receiver.url, webhook_type: 'slack' })
    await gateway.block()
    const { error, attempts } = await logged(gateway, ({ outcome }) => outcome === 'failed')
    assert.deepEqual([error, attempts], ['slack_no_service', 1])
  })

  it('gets plain text when it rejects blocks', async (t) => {
    const receiver = await receiverFor(t)
    receiver.reply(respond(400, 'invalid_blocks'), respond(200, 'ok'))
    const gateway = await alertingTo(t, [receiver], { enabled: true, webhook_url: receiver.url, webhook_type: 'slack' })
    await gateway.block()
    await receiver.next()
    assert.deepEqual((await receiver.next()).json, {
      text: '[block] Request blocked by policy: `That word is not allowed`',
      unfurl_links: false,
      unfurl_media: false,
    })
    await logged(gateway, ({ outcome }) => outcome === 'delivered')
  })
})

describe('several destinations', () => {
  it('each get the events that they select', async (t) => {
    const [single, team, other] = [await receiverFor(t), await receiverFor(t), await receiverFor(t)]
    const gateway = await alertingTo(t, [single, team, other], {
      enabled: true,
      webhook_url: single.url,
      destinations: [
        { name: 'all', url: team.url, min_severity: 'all', event_types: ['request.completed'] },
        { name: 'other', url: other.url, filters: { key: ['nobody-*'] } },
      ],
    })
    await gateway.rig.send('Hello')
    await gateway.block()
    assert.equal(((await single.next()).json as { type: string }).type, 'request.blocked')
    assert.equal(((await team.next()).json as { type: string }).type, 'request.completed')
    await logged(gateway, ({ destination }) => destination === 'default')
    await logged(gateway, ({ destination }) => destination === 'all')
    assert.equal(other.requests.length, 0)
  })
})

describe('the settings', () => {
  it('come from the environment, and a url enables', async (t) => {
    const receiver = await receiverFor(t)
    const env = {
      SERVICE_ALERT_WEBHOOK_URL: receiver.url,
      SERVICE_ALERT_WEBHOOK_TYPE: 'slack',
      SERVICE_ALERT_MIN_SEVERITY: 'detect',
    }
    const gateway = await alertingTo(t, [receiver], {}, { env })
    const { body } = await gateway.rig.admin('GET', PATH)
    assert.equal(body.enabled, true)
    assert.equal(body.webhook_type, 'slack')
    assert.equal(body.min_severity, 'detect')
    assert.equal(body.webhook_url, '********')
    assert.equal(body.webhook_url_set, true)
    await gateway.block()
    assert.match(JSON.stringify((await receiver.next()).json), /Request blocked/)
  })

  it('change while the gateway runs', async (t) => {
    const receiver = await receiverFor(t)
    const gateway = await alertingTo(t, [receiver], {})
    await gateway.block()
    const { status, body } = await gateway.rig.admin('PUT', PATH, { enabled: true, webhook_url: receiver.url })
    assert.equal(status, 200, JSON.stringify(body))
    await gateway.block()
    assert.equal(((await receiver.next()).json as { type: string }).type, 'request.blocked')
    assert.equal((await gateway.log('?outcome=delivered')).length <= 1, true)
  })

  it('are masked, kept when the mask comes back, and cleared by null', async (t) => {
    const receiver = await receiverFor(t)
    const gateway = await alertingTo(t, [receiver], {})
    const secrets = { webhook_url: receiver.url, signing_secret: 'a secret of the receiver' }
    const put = async (body: object) => {
      const answer = await gateway.rig.admin('PUT', PATH, body)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body
    }
    await put({ ...secrets, muted_until: '2030-01-01T00:00:00Z', destinations: [{ name: 'team', url: receiver.url }] })
    const shown = (await gateway.rig.admin('GET', PATH)).body
    assert.ok(!JSON.stringify(shown).includes(new URL(receiver.url).port))
    assert.ok(!JSON.stringify(shown).includes(secrets.signing_secret))
    await put(shown)
    const { muted_until: muted, signing_secret_set: signed } = await put({ muted_until: null, signing_secret: null })
    assert.equal(muted ?? null, null)
    assert.equal(signed, false)
    await gateway.rig.admin('POST', `${PATH}/test`)
    assert.equal(receiver.requests.length, 2)
  })

  it('reject invalid values', async (t) => {
    const gateway = await alertingTo(t, [], {})
    const cases: [object, string][] = [
      [{ enabled: true }, 'webhook_url'],
      [{ webhook_url: 'http://169.254.169.254/latest' }, 'webhook_url'],
      [{ webhook_url: 'https://93.184.215.14/', signing_secret: 'whsec_tooshort' }, 'signing_secret'],
      [{ webhook_type: 'pager' }, 'webhook_type'],
      [{ min_severity: 'high' }, 'min_severity'],
      [{ quiet_hours: { from: '22:00', to: '07:00', time_zone: 'Mars/Olympus' } }, 'quiet_hours.time_zone'],
      [{ destinations: [{ name: 'default', url: 'https://93.184.215.14/' }] }, 'destinations[0].name'],
      [{ colour: 'red' }, 'colour'],
    ]
    for (const [body, field] of cases) {
      const answer = await gateway.rig.admin('PUT', PATH, body)
      assert.equal(answer.status, 400, field)
      const { message, code } = answer.body.error as { message: string; code: string }
      assert.ok(message.includes(field), message)
      assert.equal(
        code,
        field === 'webhook_url' && message.includes('169') === false && !('enabled' in body)
          ? 'ssrf_blocked'
          : 'validation_error',
      )
    }
  })
})

describe('the test', () => {
  it('sends a real message and reports the result', async (t) => {
    const [good, bad] = [await receiverFor(t), await receiverFor(t)]
    good.otherwise(respond(200, 'ok'))
    bad.otherwise(respond(404, 'no_service'))
    const gateway = await alertingTo(t, [good, bad], { webhook_url: good.url, webhook_type: 'slack' })
    const { status, body } = await gateway.rig.admin('POST', `${PATH}/test`)
    assert.equal(status, 200)
    const { latency_ms: latency, ...rest } = body
    assert.deepEqual(rest, { ok: true, status: 200, error: null })
    assert.equal(typeof latency, 'number')
    assert.match(JSON.stringify((await good.next()).json), /Test event/)
    const [entry] = await gateway.log()
    assert.equal(entry?.event_type, 'test')

    const destinations = [{ name: 'bad', url: bad.url, type: 'slack' }]
    assert.equal((await gateway.rig.admin('PUT', PATH, { destinations })).status, 200)
    const both = (await gateway.rig.admin('POST', `${PATH}/test`)).body as Record<string, unknown>
    assert.equal(both.ok, false)
    assert.equal(both.status, 404)
    assert.equal(both.error, 'slack_no_service')
    assert.deepEqual(
      (both.destinations as { destination: string; ok: boolean }[]).map(({ destination, ok }) => [destination, ok]),
      [
        ['default', true],
        ['bad', false],
      ],
    )
    assert.equal(bad.requests.length, 1, 'a test is never tried again')
  })

  it('names the instance that events name', async (t) => {
    const receiver = await receiverFor(t)
    const options = { webhook_url: receiver.url }
    const gateway = await alertingTo(t, [receiver], options, { config: { instance: 'gw-7' } })
    await gateway.block()
    await gateway.rig.admin('POST', `${PATH}/test`)
    assert.equal(((await receiver.next()).json as GovernanceEvent).instance, 'gw-7')
    assert.ok(gateway.rig.events.every(({ instance }) => instance === 'gw-7'))
  })

  it('needs a receiver', async (t) => {
    const gateway = await alertingTo(t, [], {})
    const { status, body } = await gateway.rig.admin('POST', `${PATH}/test`)
    assert.equal(status, 400)
    assert.equal((body.error as { code: string }).code, 'validation_error')
  })
})

describe('the audit log', () => {
  it('is durable only while alerting is active', async (t) => {
    const receiver = await receiverFor(t)
    const { rig, block } = await alertingTo(t, [receiver], { enabled: true, webhook_url: receiver.url })
    const durable = async () => (await rig.admin('GET', '/api/audit')).body.durable
    assert.equal(await durable(), true)
    for (const off of [{ enabled: false }, { enabled: false, webhook_url: null }]) {
      await rig.admin('PUT', PATH, off)
      await until(async () => (await durable()) === false)
      // Who switched it off is on record.
      const { events } = (await rig.admin('GET', '/api/audit?type=settings.updated')).body as {
        events: GovernanceEvent[]
      }
      assert.deepEqual(((events[0]?.fields ?? []) as string[]).toSorted(), Object.keys(off))
      await rig.admin('PUT', PATH, { enabled: true, webhook_url: receiver.url })
      assert.equal(await durable(), true)
    }
    await block()
    assert.match(JSON.stringify((await receiver.next()).json), /That word is not allowed/)
  })
})
