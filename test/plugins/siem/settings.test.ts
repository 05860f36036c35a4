import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { destinations } from '../../../plugins/siem/destinations/index.ts'
import { DESTINATIONS } from '../../../plugins/siem/destinations/names.ts'
import { PATH, settingsOf } from './helpers.ts'

const HOOK = 'https://93.184.215.14/hook'
const DEFAULTS = {
  enabled: false,
  destination: 'webhook',
  auth_token: null,
  auth_token_set: false,
  format: 'json',
  severity_filter: 'all',
  event_types: [],
  exclude_event_types: [],
  buffer_size: 100,
  flush_interval_seconds: 5,
  max_retries: 3,
  retry_backoff_seconds: 2,
  source_name: 'governed-gateway',
  environment: 'production',
  signing_secret: null,
  signing_secret_set: false,
  compression: 'none',
  destination_options: {},
}

describe('siem: settings', () => {
  it('has the fields of the specification with their defaults', async (t) => {
    const { get } = await settingsOf(t)
    const { sources, ...settings } = await get()
    assert.deepEqual(settings, DEFAULTS)
    assert.ok(Object.values(sources as object).every((source) => source === 'default'))
  })

  it('takes the variables of the environment; the url implies enabled', async (t) => {
    const env = {
      SERVICE_SIEM_URL: 'https://93.184.215.14:8088',
      SERVICE_SIEM_DESTINATION: 'splunk_hec',
      SERVICE_SIEM_AUTH_TOKEN: 'from-env',
    }
    const { get } = await settingsOf(t, { env })
    const { enabled, destination, url, auth_token_set, sources } = await get()
    assert.deepEqual([enabled, destination, url, auth_token_set], [true, 'splunk_hec', env.SERVICE_SIEM_URL, true])
    assert.equal((sources as Record<string, unknown>).url, 'env')
  })

  it('takes options of the entry as the starting point', async (t) => {
    const { get } = await settingsOf(t, { options: { buffer_size: 7, max_backlog_events: 5000 } })
    const { buffer_size, sources, ...rest } = await get()
    assert.equal(buffer_size, 7)
    assert.equal((sources as Record<string, unknown>).buffer_size, 'config')
    assert.ok(!('max_backlog_events' in rest))
  })

  it('refuses what is out of bounds, naming the field', async (t) => {
    const { put, get } = await settingsOf(t)
    const wrong: Record<string, readonly unknown[]> = {
      buffer_size: [0, 10_001, 1.5, '5'],
      flush_interval_seconds: [0.05, 3601],
      max_retries: [-1, 21, 0.5],
      retry_backoff_seconds: [-1, 301],
      destination: ['kafka'],
      format: ['leef'],
      severity_filter: ['info'],
      event_types: [['a b'], 'all', [1]],
      source_name: ['', 'a\nb'],
      auth_token: ['', 'a\r\nb'],
      compression: ['zstd'],
      queue_size: [1],
    }
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values) {
        const { status, body } = await put({ [field]: value })
        assert.equal(status, 400, `${field}: ${JSON.stringify(value)}`)
        const { code, message } = body.error as { code: string; message: string }
        assert.equal(code, 'validation_error')
        assert.match(message, new RegExp(`\\b${field}\\b`))
      }
    }
    const { sources: _, ...settings } = await get()
    assert.deepEqual(settings, DEFAULTS)
  })

  it('requires an allowed url with a scheme of the destination', async (t) => {
    const { put } = await settingsOf(t)
    const cases: [object, string, RegExp][] = [
      [{ enabled: true }, 'validation_error', /url: is needed/],
      [{ url: 'ftp://93.184.215.14/' }, 'validation_error', /url: must begin with http/],
      [{ destination: 'syslog', url: HOOK }, 'validation_error', /url: must begin with tls:\/\/ or tcp:\/\//],
      [{ url: 'http://127.0.0.1:9000/hook' }, 'ssrf_blocked', /loopback/],
      [{ url: 'http://169.254.169.254/latest' }, 'ssrf_blocked', /metadata|link_local/],
      [{ url: 'http://10.0.0.1/' }, 'ssrf_blocked', /private/],
      [{ destination: 'syslog', url: 'tcp://127.0.0.1:514' }, 'ssrf_blocked', /loopback/],
      [{ signing_secret: 'whsec_not base64!' }, 'validation_error', /signing_secret/],
      [{ destination: 'syslog', url: 'tls://93.184.215.14/path' }, 'validation_error', /syslog has no paths/],
      ...['Expect', 'Idempotency-Key', 'x-event-count', 'Webhook-Signature', 'user-agent'].map(
        (auth_header) =>
          [
            { destination_options: { auth_header } },
            'validation_error',
            /not a header that HTTP or the delivery needs/,
          ] satisfies [object, string, RegExp],
      ),
      ...[' ', ' a', 'a '].map(
        (environment) =>
          [{ environment }, 'validation_error', /environment: has the wrong form/] satisfies [object, string, RegExp],
      ),
      // What form a text must have is said, once, in a sentence that ends once.
      [{ source_name: 'é' }, 'validation_error', /source_name: has the wrong form: .*printable ASCII.*[^.]\.$/],
      [{ auth_token: 'a\nb' }, 'validation_error', /auth_token: has the wrong form: .*printable ASCII.*[^.]\.$/],
      [{ URL: 'x' }, 'validation_error', /Did you mean "url"\?$/],
    ]
    for (const [body, code, message] of cases) {
      const answer = await put(body)
      const error = answer.body.error as { code: string; message: string } | undefined
      assert.deepEqual([answer.status, error?.code], [400, code], JSON.stringify(body))
      assert.match(error?.message ?? '', message)
    }
    assert.equal((await put({ destination: 'syslog', url: 'tls://93.184.215.14:6514' })).status, 200)
  })

  it('names a url that the guard refuses also beside other problems, such as a secret that would move', async (t) => {
    const { put } = await settingsOf(t)
    await put({ url: HOOK, auth_token: 'kept' })
    for (const body of [{}, { buffer_size: 0 }, { auth_token: 5 }, { no_such_field: 1 }]) {
      const answer = await put({ url: 'http://169.254.169.254/', ...body })
      const { code, param, message } = answer.body.error as Record<string, string>
      assert.deepEqual([answer.status, code, param], [400, 'ssrf_blocked', 'url'])
      assert.match(message ?? '', /url: is a cloud metadata service/)
      for (const field of Object.keys(body)) assert.match(message ?? '', new RegExp(`\\b${field}: `))
    }
  })

  it('names a field of the wrong type once, whatever its old value is', async (t) => {
    const { put } = await settingsOf(t)
    await put({ url: HOOK, auth_token: 'kept' })
    const { message } = (await put({ url: 5 })).body.error as { message: string }
    assert.equal(message, 'The settings are not valid: url: must be a string; got a number: put it in quotes.')
  })

  it('suggests egress.allow only for addresses that it can open', async (t) => {
    const { put } = await settingsOf(t)
    const answerTo = async (url: string) => ((await put({ url })).body.error as { message: string }).message
    assert.match(await answerTo('http://printer.internal/'), /egress\.allow/)
    assert.doesNotMatch(await answerTo('http://metadata.google.internal./'), /egress\.allow/)
  })

  it('checks destination_options by the destination', async (t) => {
    const { put } = await settingsOf(t)
    const refused = await put({ destination: 'elastic', destination_options: { tenant: 'x' } })
    assert.equal(refused.status, 400)
    assert.match((refused.body.error as { message: string }).message, /destination_options.*tenant/)
    const missing = await put({ destination: 'sentinel' })
    assert.match((missing.body.error as { message: string }).message, /dcr_id/)
    const taken = await put({ destination: 'elastic', destination_options: { index: 'audit' } })
    assert.deepEqual([taken.status, taken.body.destination_options], [200, { index: 'audit' }])
  })

  it('does not send kept secrets to a new target', async (t) => {
    const { put } = await settingsOf(t)
    assert.equal((await put({ url: HOOK, auth_token: 'token', signing_secret: 'sign' })).status, 200)
    const moved = await put({ url: 'https://93.184.215.15/hook' })
    assert.equal(moved.status, 400)
    assert.match((moved.body.error as { message: string }).message, /auth_token: must be sent again/)
    assert.equal((await put({ destination: 'datadog' })).status, 400)
    assert.equal((await put({ url: `${HOOK}/other` })).status, 200)
    const sent = { url: 'https://93.184.215.15/hook', auth_token: 'new', signing_secret: null }
    assert.deepEqual((await put(sent)).body.signing_secret_set, false)
  })

  it('serves its routes to admins only, and tests nothing without a url', async (t) => {
    const { rig } = await settingsOf(t)
    const routes: [string, string][] = [
      ['GET', `${PATH}/status`],
      ['POST', `${PATH}/test`],
      ['GET', `${PATH}/dead-letter`],
      ['POST', `${PATH}/dead-letter/replay`],
    ]
    for (const [method, path] of routes) {
      const reply = await fetch(rig.url + path, { method, headers: { authorization: `Bearer ${rig.apiKey}` } })
      assert.equal(reply.status, 403, path)
    }
    const { status, body } = await rig.admin('POST', `${PATH}/test`)
    assert.deepEqual([status, (body.error as { code: string }).code], [400, 'validation_error'])
    assert.deepEqual((await rig.admin('GET', `${PATH}/status`)).body, {
      enabled: false,
      destination: 'webhook',
      state: 'disabled',
      queue_depth: 0,
      oldest_age_seconds: null,
      dead_letter: 0,
      next_attempt: null,
      last_success: null,
      last_error: null,
      delivered: 0,
      filtered: 0,
      rejected: 0,
      dropped: 0,
      retries: 0,
    })
    assert.deepEqual((await rig.admin('GET', `${PATH}/dead-letter`)).body, { entries: [], next_cursor: null })
    for (const query of ['limit=0', 'limit=201', 'limit=x', 'cursor=../x', 'page=2']) {
      assert.equal((await rig.admin('GET', `${PATH}/dead-letter?${query}`)).status, 400, query)
    }
    assert.deepEqual((await rig.admin('POST', `${PATH}/dead-letter/replay`)).body, { events: 0 })
  })
})

describe('siem: readme', () => {
  it('explains every destination and its options', () => {
    const readme = readFileSync(new URL('../../../plugins/siem/README.md', import.meta.url), 'utf8')
    const table = readme.slice(readme.indexOf('`destination_options`, by destination'))
    for (const name of DESTINATIONS) {
      const own = table.slice(table.indexOf(`| \`${name}\``))
      const rows = own.slice(0, own.search(/\n\| `/) === -1 ? undefined : own.search(/\n\| `/))
      const { properties = {} } = destinations[name].options as { properties?: object }
      const told = [...rows.matchAll(/^\| (?:`\w+`)? *\| `(\w+)`/gm)].map(([, option]) => option)
      assert.deepEqual(told, Object.keys(properties), name)
    }
  })
})
