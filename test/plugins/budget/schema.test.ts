import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseOptions } from '../../../core/engine/config/validate.ts'
import budget from '../../../plugins/budget/index.ts'
import { readLimits } from '../../../plugins/budget/limits.ts'

const check = (options: object) => parseOptions(budget.schema, options, 'options')
const problems = (options: object) => check(options).problems.map(({ path, message }) => `${path}: ${message}`)
const one = (limit: object) => ({ limits: [{ scope: 'key', unit: 'tokens', limit: 5, window: 'day', ...limit }] })
const read = (...limits: object[]) =>
  readLimits(check({ limits: limits.flatMap((limit) => one(limit).limits) }).value as Parameters<typeof readLimits>[0])

describe('budget: options', () => {
  it('need not be given', () => {
    assert.deepEqual(check({}), {
      value: {
        limits: [],
        default_completion_tokens: 1024,
        min_completion_tokens: 16,
        wait_seconds: 10,
        cap_unbounded: false,
        status: 403,
        thresholds: [80, 95, 100],
        unknown_price: 'refuse',
        prices: [],
      },
      problems: [],
    })
  })

  it('accept every scope, unit and window', () => {
    for (const scope of ['key', 'team', 'model', 'global']) assert.deepEqual(problems(one({ scope })), [])
    for (const unit of ['requests', 'tokens', 'usd']) assert.deepEqual(problems(one({ unit })), [])
    for (const window of ['minute', 'hour', 'day', 'week', 'month', { rolling: '90s' }, { rolling: '400d' }]) {
      assert.deepEqual(problems(one({ window })), [])
    }
  })

  it('say what is wrong', () => {
    assert.equal(problems(one({ window: 'year' })).length > 0, true)
    assert.equal(problems(one({ window: { rolling: '1y' } })).length > 0, true)
    assert.match(problems(one({ limit: -1 }))[0] ?? '', /limits\[0\]\.limit: must be >= 0/)
    assert.match(problems(one({ match: ['gpt ?'] }))[0] ?? '', /only \* is a wildcard/)
    assert.match(problems({ status: 500 })[0] ?? '', /status: must be one of 403, 429, 402/)
    assert.match(problems({ limit: 5 })[0] ?? '', /limit/)
    assert.throws(() => read({ limit: 1.5 }), /options\.limits\[0\]\.limit must be a whole number of tokens/)
    assert.throws(() => read({ unit: 'usd', limit: 1e12 }), /at most 9000000000 usd/)
    assert.throws(() => read({ scope: 'global', match: ['a'] }), /match does not go with scope global/)
    assert.throws(() => read({ window: { rolling: '401d' } }), /rolling must be at most 400d/)
    assert.throws(() => read({ unit: 'usd', limit: 1e-9 }), /limit must be 0 or at least 0\.000001 usd/)
    assert.throws(() => read({ limit: 1.5 }, { scope: 'global', match: ['a'] }), /limits\[0\].*\n.*limits\[1\]/)
    assert.throws(() => read({}, {}), /options\.limits\[1\]\.id 'key_tokens_day' is taken by an earlier limit/)
  })
})

describe('budget: limits', () => {
  const caller = { keyId: 'app', admin: false, flags: {}, flagsAllow: [] }

  it('have a name, an amount in whole units, and a window', () => {
    const [usd, rolling] = read({ unit: 'usd', limit: 0.000001 }, { window: { rolling: '24h' }, id: 'mine' })
    assert.deepEqual([usd?.id, usd?.amount, usd?.shown(2_500_000)], ['key_usd_day', 1, 2.5])
    assert.deepEqual(
      [rolling?.id, rolling?.window, rolling?.windowName],
      ['mine', { rolling: 86_400_000 }, 'rolling 24h'],
    )
  })

  it('concern the requests of their subject', () => {
    const subject = (limit: object, team?: string) =>
      read(limit)[0]?.subject({ ...caller, ...(team && { team }) }, { asked: 'fast', sent: 'gpt-4o' })
    assert.equal(subject({}), 'app')
    assert.equal(subject({ match: ['a*'] }), 'app')
    assert.equal(subject({ match: ['b*'] }), undefined)
    assert.equal(subject({ scope: 'team' }), undefined)
    assert.equal(subject({ scope: 'team' }, 'web'), 'web')
    assert.equal(subject({ scope: 'model', match: ['gpt-4*'] }), 'gpt-4o')
    assert.equal(subject({ scope: 'model' }), 'gpt-4o')
    assert.equal(subject({ scope: 'model', match: ['fast', 'gpt-*'] }), 'gpt-4o')
    assert.equal(subject({ scope: 'model', match: ['fast'] }), 'fast')
    assert.equal(subject({ scope: 'model', match: ['o3'] }), undefined)
    assert.equal(subject({ scope: 'global' }), 'global')
  })
})
