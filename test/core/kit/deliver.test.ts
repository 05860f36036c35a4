import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type Attempt,
  attemptOf,
  Backoff,
  type Clock,
  type DeliveryResult,
  deliver,
  EgressError,
  failedAttempt,
  parseRetryAfter,
  systemClock,
} from 'governed-gateway/kit'

/** Time passes only by waiting. */
function fakeClock(): Clock & { waits: number[] } {
  const waits: number[] = []
  let now = 0
  return {
    waits,
    now: () => now,
    sleep: async (ms) => {
      waits.push(ms)
      now += ms
    },
  }
}

const never = new AbortController().signal
const scripted = (...attempts: (Attempt | Error)[]) => {
  let sent = 0
  return {
    get sent() {
      return sent
    },
    send: async (): Promise<Attempt> => {
      const next = attempts[Math.min(sent++, attempts.length - 1)] as Attempt | Error
      if (next instanceof Error) throw next
      return next
    },
  }
}
const down: Attempt = { result: 'unavailable', status: 503, error: 'http_503' }
const up: Attempt = { result: 'delivered', status: 200 }

test('what is unavailable is sent again until it is delivered', async () => {
  const clock = fakeClock()
  const receiver = scripted(down, new Error('reset'), up)
  const outcome = await deliver({ send: receiver.send, maxRetries: 3, backoffSeconds: 2, signal: never, clock })
  assert.deepEqual(outcome, { result: 'delivered', status: 200, attempts: 3, latencyMs: 0 })
  assert.equal(clock.waits.length, 2)
  for (const [i, least] of [2000, 4000].entries()) {
    const wait = clock.waits[i] as number
    assert.ok(wait >= least && wait <= least * 1.5, `wait ${i} is ${wait}`)
  }
})

test('retries are spent: one try more than max_retries', async () => {
  for (const maxRetries of [0, 1, 5]) {
    const receiver = scripted(down)
    const clock = fakeClock()
    const outcome = await deliver({ send: receiver.send, maxRetries, backoffSeconds: 1, signal: never, clock })
    assert.equal(outcome.result, 'unavailable')
    assert.equal(outcome.attempts, maxRetries + 1)
    assert.equal(receiver.sent, maxRetries + 1)
    assert.equal(clock.waits.length, maxRetries)
  }
})

test('what is rejected, or not authorised, is not sent again', async () => {
  for (const result of ['rejected', 'auth'] as const) {
    const receiver = scripted({ result, status: 400 }, up)
    const outcome = await deliver({ send: receiver.send, maxRetries: 3, backoffSeconds: 1, signal: never })
    assert.equal(outcome.result, result)
    assert.equal(receiver.sent, 1)
  }
})

test('Retry-After counts when it is longer than the own wait, and never more than 300 s', async () => {
  const clock = fakeClock()
  const receiver = scripted(
    { ...down, retryAfterMs: 60_000 },
    { ...down, retryAfterMs: 1 },
    { ...down, retryAfterMs: 9e9 },
    up,
  )
  await deliver({ send: receiver.send, maxRetries: 3, backoffSeconds: 1, signal: never, clock })
  assert.equal(clock.waits[0], 60_000)
  assert.ok((clock.waits[1] as number) >= 200)
  assert.equal(clock.waits[2], 300_000)
})

test('an abort ends the wait at once and begins no further attempt', async () => {
  const stop = new AbortController()
  const receiver = scripted(down)
  const done = deliver({ send: receiver.send, maxRetries: 3, backoffSeconds: 300, signal: stop.signal })
  setImmediate(() => stop.abort())
  const outcome = await done
  assert.deepEqual([outcome.result, outcome.error, outcome.attempts], ['unavailable', 'http_503', 1])
  const none = await deliver({ send: receiver.send, maxRetries: 3, backoffSeconds: 1, signal: stop.signal })
  assert.deepEqual([none.result, none.error, none.attempts], ['unavailable', 'aborted', 0])
  assert.equal(receiver.sent, 1)
})

test('the backoff doubles up to 300 s and starts anew after a reset', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 300, noNaN: true }), (first) => {
      const backoff = new Backoff(first)
      for (let i = 0; i < 20; i++) {
        const least = Math.min(300_000, first * 1000 * 2 ** i)
        const most = Math.min(300_000, Math.ceil(least * 1.5))
        const wait = backoff.next()
        assert.ok(wait >= Math.floor(least) && wait <= most, `wait ${i} of ${first}: ${wait}`)
      }
      backoff.reset()
      assert.ok(backoff.next() <= Math.ceil(first * 1500))
    }),
  )
})

test('statuses', () => {
  const expected: Record<DeliveryResult, number[]> = {
    delivered: [200, 201, 202, 204, 299],
    rejected: [400, 404, 405, 409, 410, 413, 415, 422, 499],
    unavailable: [100, 301, 302, 307, 408, 425, 429, 500, 501, 502, 503, 504, 599],
    auth: [401, 403],
  }
  for (const [result, statuses] of Object.entries(expected)) {
    for (const status of statuses) assert.equal(attemptOf({ status, headers: {} }).result, result, String(status))
  }
  assert.deepEqual(attemptOf({ status: 429, headers: { 'retry-after': '7' } }), {
    result: 'unavailable',
    status: 429,
    error: 'http_429',
    retryAfterMs: 7000,
  })
  assert.equal(attemptOf({ status: 302, headers: { location: 'http://169.254.169.254/' } }).error, 'redirect')
})

test('failures become categories and tell nothing else', () => {
  const coded = (code: string) => Object.assign(new Error('at 10.0.0.1'), { code })
  assert.deepEqual(failedAttempt(EgressError.failed('timeout')), { result: 'unavailable', error: 'timeout' })
  assert.equal(failedAttempt(EgressError.refused('loopback')).error, 'ssrf_blocked')
  assert.equal(failedAttempt(coded('ECONNREFUSED')).error, 'refused')
  assert.equal(failedAttempt(coded('EPIPE')).error, 'reset')
  assert.equal(failedAttempt(coded('CERT_HAS_EXPIRED')).error, 'certificate')
  assert.deepEqual(failedAttempt('anything'), { result: 'unavailable', error: 'network' })
})

test('Retry-After in seconds and as a date', () => {
  const now = Date.parse('Sun, 06 Nov 1994 08:49:37 GMT')
  assert.equal(parseRetryAfter('0', now), 0)
  assert.equal(parseRetryAfter(' 12 ', now), 12_000)
  assert.equal(parseRetryAfter('99999', now), 300_000)
  assert.equal(parseRetryAfter('Sun, 06 Nov 1994 08:50:37 GMT', now), 60_000)
  assert.equal(parseRetryAfter('Sun, 06 Nov 1994 08:49:00 GMT', now), 0)
  for (const wrong of [undefined, '', '-5', '1.5', 'soon', '5 s', 'NaN'])
    assert.equal(parseRetryAfter(wrong, now), undefined)
  fc.assert(
    fc.property(fc.string(), (text) => {
      const wait = parseRetryAfter(text)
      assert.ok(wait === undefined || (wait >= 0 && wait <= 300_000))
    }),
  )
})

test('the clock of the system waits, and stops at an abort', async () => {
  const began = systemClock.now()
  await systemClock.sleep(5, never)
  assert.ok(systemClock.now() - began >= 4)
  const stop = new AbortController()
  const slept = systemClock.sleep(60_000, stop.signal)
  stop.abort()
  await slept
  await systemClock.sleep(60_000, stop.signal)
})
