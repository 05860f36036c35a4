import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { definePlugin, type Instance } from 'governed-gateway'
import { testPlugin } from 'governed-gateway/testing'

type Values = readonly (readonly [name: string, value: unknown])[]

const WRONG: Values = [
  ['true', true],
  ['false', false],
  ['a number', 1],
  ['a string', 'blocked'],
  ['a misspelt verdict', { reson: 'No falcons.' }],
  ['a verdict with a member too many', { reason: 'No falcons.', stauts: 402 }],
  ['a verdict with another status', { reason: 'No falcons.', status: 200 }],
  ['a verdict without words', { reason: '' }],
  ['a rejection', { error: 'GW_RATE_LIMITED', message: 'Too much.' }],
  ['an array', [{ reason: 'No falcons.' }]],
  [
    'a verdict whose getter throws',
    {
      get reason() {
        throw new Error('marker')
      },
    },
  ],
]

const holding = (value: unknown, direction: 'input' | 'output', onError: 'block' | 'allow' = 'block') =>
  definePlugin({
    name: 'judged',
    onError,
    lookbehind: 0,
    schema: { type: 'object', properties: {}, additionalProperties: false },
    create: () => ({
      detect: (view) => {
        if (view.direction === direction && view.fresh < view.text.length)
          view.hold(view.fresh, Promise.resolve(value as never))
      },
    }),
  })

type Detect = NonNullable<Instance['detect']>

const detecting = (detect: Detect) =>
  definePlugin({
    name: 'odd',
    lookbehind: 0,
    schema: { type: 'object', properties: {}, additionalProperties: false },
    create: () => ({ detect }),
  })

const variants = ['buffered', 'bytes'] as const

describe('a promise of hold()', () => {
  for (const [name, value] of WRONG) {
    it(`that gives ${name} fails closed`, async () => {
      for (const direction of ['input', 'output'] as const) {
        await testPlugin(holding(value, direction), {
          variants,
          expect: { status: 503, error: { code: 'guardrail_unavailable' }, events: ['plugin.failed'] },
          check: ({ text }) => assert.equal(text, ''),
        })
      }
      await testPlugin(holding(value, 'output', 'allow'), {
        variants,
        expect: { text: 'Hello from the provider', events: ['plugin.failed'] },
      })
    })
  }

  it('is checked by the compiler as well', async () => {
    const mistakes: readonly Detect[] = [
      // @ts-expect-error: neither true nor false is a verdict.
      (view) => view.hold(0, Promise.resolve(true)),
      // @ts-expect-error: a verdict has no such member.
      (view) => view.hold(0, Promise.resolve({ reson: 'No falcons.' })),
      // @ts-expect-error: a rejection is no verdict.
      (view) => view.hold(0, Promise.resolve({ error: 'GW_RATE_LIMITED', message: 'Too much.' })),
      // @ts-expect-error: a verdict is given later.
      (view) => view.hold(0, { reason: 'No falcons.' }),
    ]
    for (const detect of mistakes) {
      await testPlugin(detecting(detect), {
        variants,
        expect: { status: 503, error: { code: 'guardrail_unavailable' } },
      })
    }
    const verdict: Detect = (view) => view.hold(0, Promise.resolve({ reason: 'No falcons.', status: 402 }))
    await testPlugin(detecting(verdict), { variants, expect: { outcome: 'blocked', reason: 'No falcons.' } })
    const none: Detect = (view) => view.hold(0, (async () => {})())
    await testPlugin(detecting(none), { variants, expect: { text: 'Hello from the provider' } })
  })

  it('that gives nothing lets go', async () => {
    for (const value of [undefined, null]) {
      await testPlugin(holding(value, 'output'), {
        variants,
        expect: { text: 'Hello from the provider', events: ['!plugin.failed'] },
      })
    }
  })

  it('counts when it holds nothing yet, buffered and streamed', async () => {
    const late = detecting((view) => {
      if (view.direction === 'output') view.hold(view.text.length, Promise.resolve({ reason: 'Not this.' }))
    })
    await testPlugin(late, {
      variants: ['buffered', 'streamed', 'bytes'],
      expect: { outcome: 'blocked', reason: 'Not this.' },
    })
  })

  it('must be one, and begin at a position', async () => {
    for (const [from, until] of [
      [0, true],
      [0, null],
      [0, { reason: 'No falcons.' }],
      [Number.NaN, Promise.resolve()],
      ['0', undefined],
    ] as const) {
      const odd = detecting((view) => view.hold(from as never, until as never))
      await testPlugin(odd, { variants, expect: { status: 503, error: { code: 'guardrail_unavailable' } } })
    }
  })
})

describe('a result of a hook that has none', () => {
  const RESULTS: Values = [
    ['a verdict', { reason: 'No falcons.' }],
    ['true', true],
    ['a promise of a verdict', () => Promise.resolve({ reason: 'No falcons.' })],
    ['a promise of false', () => Promise.resolve(false)],
  ]
  for (const [name, value] of RESULTS) {
    const give = (): unknown => (typeof value === 'function' ? value() : value)
    for (const hook of ['detect', 'classify', 'onChunk'] as const) {
      it(`${name} from ${hook} fails closed`, async () => {
        const odd = definePlugin({
          name: 'odd',
          schema: { type: 'object', properties: {}, additionalProperties: false },
          create: () =>
            hook === 'detect' ? { detect: give as never } : { apply: (hooks) => hooks[hook].tap('odd', give as never) },
        })
        await testPlugin(odd, {
          variants,
          expect: { status: 503, error: { code: 'guardrail_unavailable' }, events: ['plugin.failed'] },
        })
      })
    }
    it(`${name} from postResponse and onEvent is told, and hinders nothing`, async () => {
      const odd = definePlugin({
        name: 'odd',
        schema: { type: 'object', properties: {}, additionalProperties: false },
        create: () => ({
          apply(hooks) {
            hooks.postResponse.tap('odd', give as never)
            hooks.onEvent.tap('odd', give as never)
          },
        }),
      })
      await testPlugin(odd, { variants, expect: { text: 'Hello from the provider', events: ['plugin.failed'] } })
    })
  }
})

describe('a finding', () => {
  const reporting = (more: object) =>
    definePlugin({
      name: 'odd',
      schema: { type: 'object', properties: {}, additionalProperties: false },
      create: () => ({ detect: (view) => view.report({ type: 'odd', start: 0, end: 1, ...more }) }),
    })

  it('may have every member of the contract', async () => {
    const every = { level: 'INTERNAL', action: 'redact', reason: 'Odd.', score: 0.5, replace: '?', continued: false }
    await testPlugin(reporting(every), { variants: ['buffered'], expect: { text: '?ello from the provider' } })
  })

  it('may have no other', async () => {
    for (const more of [{ acton: 'block' }, { reason: {} }, { score: 'high' }, { level: 'public' }]) {
      const closed = { status: 503, error: { code: 'guardrail_unavailable' } }
      await testPlugin(reporting(more), { variants: ['buffered'], expect: closed })
    }
  })
})
