import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { GatewayError } from '../../../../core/engine/contract/errors.ts'
import type { Action, Finding } from '../../../../core/engine/contract/plugin.ts'
import { FieldView } from '../../../../core/engine/text/field-view.ts'
import { Inspection, type InspectionListener, type Reporter } from '../../../../core/engine/text/inspection.ts'
import { JoinedView } from '../../../../core/engine/text/joined-view.ts'
import { FAST } from '../../../helpers/rounds.ts'
import { origin, reporter, Stream } from '../../../helpers/text.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))
const field = (raw: string, inspection = new Inspection(), who: Reporter = reporter()): FieldView => {
  const view = new FieldView(inspection, 0, origin, 'output', raw)
  inspection.reporter = who
  return view
}
const broken = (act: () => void, code: string) =>
  assert.throws(act, (error) => error instanceof GatewayError && error.code === code)

/** Parts of one message and their joined view. */
function message(...texts: string[]) {
  const inspection = new Inspection()
  const parts = texts.map((text, id) => new FieldView(inspection, id, origin, 'input', text))
  const joined = JoinedView.of(inspection, texts.length, origin, { parts, between: '' })
  inspection.reporter = reporter()
  const settled = () => parts.map((part) => part.settle() ?? part.raw)
  return { inspection, parts, joined, settled }
}

describe('a finding', () => {
  it('must be one', () => {
    const view = field('hello')
    const good: Finding = { type: 'x', start: 0, end: 1 }
    for (const bad of [
      { start: -1 },
      { end: 6 },
      { start: 3, end: 3 },
      { start: 3, end: 2 },
      { start: 0.5 },
      { end: Number.NaN },
      { type: '' },
      { type: 7 },
      { action: 'mask' },
      { action: 'toString' },
      { level: 'SECRET' },
      { replace: 7 },
    ]) {
      broken(() => view.report({ ...good, ...bad } as Finding), 'GW_PLUGIN_CONTRACT')
    }
    assert.equal(view.settle(), undefined)
    assert.deepEqual(view.reports, [])
  })

  it('counts once for one plugin, type and span, and with its strongest action', () => {
    const inspection = new Inspection()
    const view = field('hello world', inspection)
    const say = (action: Action, start = 0, end = 5) => view.report({ type: 'x', start, end, action })
    say('detect')
    say('redact')
    say('detect')
    say('detect', 1, 3)
    say('detect', 6, 11)
    view.report({ type: 'y', start: 0, end: 5 })
    assert.equal(view.settle(), '[X] world')
    assert.deepEqual(
      inspection.findings.map(({ type, action, count }) => [type, action, count]),
      [
        ['x', 'redact', 1],
        ['x', 'detect', 1],
        ['y', 'detect', 1],
      ],
    )
  })

  it('that widens with more text is one value: it is still tokenised', () => {
    const stream = new Stream()
    const tokenise = (end: number) => (view: { report(f: Finding): void; hold(n: number): void }) => {
      view.report({ type: 'mail', start: 0, end, action: 'tokenize', replace: (text) => `<${text}>` })
      view.hold(0)
    }
    stream.read('jo@ex.ru', false, [reporter(), tokenise(8)])
    stream.read('n', false, [reporter(), tokenise(9)])
    stream.read(' ', true, [reporter(), () => {}])
    assert.equal(stream.out, '<jo@ex.run> ')
    assert.deepEqual(
      stream.inspection.findings.map(({ count }) => count),
      [1],
    )
  })

  it('hides its value even when its replacement fails', () => {
    const failures: string[] = []
    const inspection = new Inspection({
      onFailure: (plugin, _error, allowed, where) => void failures.push(`${plugin} ${where} ${allowed}`),
    })
    const view = field('a secret here', inspection)
    const broke = () => {
      throw new Error('no')
    }
    view.report({ type: 'word', start: 2, end: 8, action: 'redact', replace: broke })
    view.report({ type: 'other', start: 9, end: 13, action: 'redact', replace: (() => undefined) as never })
    assert.equal(view.settle(), 'a [WORD] [OTHER]')
    assert.deepEqual(failures, ['p replace true', 'p replace true'])
  })

  it('of a hundred thousand is no burden', { skip: FAST }, () => {
    const n = 100_000
    const texts = ['jo@x.org '.repeat(n), ' ']
    const { joined, parts, settled, inspection } = message(...texts)
    const began = process.cpuUsage()
    for (const view of [parts[0] as FieldView, joined]) {
      for (let i = 0; i < n; i++) view.report({ type: 'mail', start: i * 9, end: i * 9 + 8, action: 'redact' })
    }
    assert.equal(settled()[0], '[MAIL] '.repeat(n))
    assert.ok(process.cpuUsage(began).user < 3_000_000, `${process.cpuUsage(began).user} µs`)
    assert.deepEqual(
      inspection.findings.map(({ count }) => count),
      [n],
    )
  })

  it('over a hundred thousand parts is no burden', { skip: FAST }, () => {
    const { joined, settled } = message(...Array<string>(100_000).fill('a'))
    const began = process.cpuUsage()
    for (let i = 0; i + 1 < 100_000; i += 2) joined.report({ type: 'x', start: i, end: i + 2, action: 'redact' })
    assert.equal(settled().join(''), '[X]'.repeat(50_000))
    assert.ok(process.cpuUsage(began).user < 3_000_000, `${process.cpuUsage(began).user} µs`)
  })
})

describe('a normalised text', () => {
  it('is rewritten in whole source characters', () => {
    for (const [raw, start, end, result] of [
      ['mail jo%40x.org now', 5, 13, 'mail [M] now'],
      ['n 4\u200b1\u200b1\u200b1 x', 2, 9, 'n [M] x'],
      ['ｓｅｃｒｅｔ!', 0, 6, '[M]!'],
      ['a ﬁre', 3, 4, 'a [M]re'],
      ['\ud835\udfd9\ud835\udfda3', 0, 2, '[M]3'],
    ] as const) {
      const view = field(raw)
      view.report({ type: 'm', start, end, action: 'redact' })
      assert.equal(view.settle(), result)
    }
  })
})

describe('parts of one message', () => {
  it('show a value that stands in two or three of them', () => {
    for (const texts of [
      ['call 0791', '234567 now'],
      ['call 07', '912345', '67 now'],
      ['call 0791234567', ' now'],
      ['call ', '', '0791234567 now'],
    ]) {
      const { joined, settled } = message(...texts)
      const start = joined.text.indexOf('0791234567')
      joined.report({ type: 'phone', start, end: start + 10, action: 'redact' })
      assert.equal(settled().join(''), 'call [PHONE] now')
    }
  })

  it('are tokenised as one value, in the first of them', () => {
    const { joined, settled } = message('mail jo@x', '.org!')
    joined.report({ type: 'mail', start: 5, end: 13, action: 'tokenize', replace: (text) => `<${text}>` })
    assert.deepEqual(settled(), ['mail <jo@x.org>', '!'])
  })

  it('are tokenised whole even when a part alone looked like a value', () => {
    const { joined, parts, settled, inspection } = message('jo@x.co', 'm!')
    const replace = (text: string) => `<${text}>`
    parts[0]?.report({ type: 'mail', start: 0, end: 7, action: 'tokenize', replace })
    joined.report({ type: 'mail', start: 0, end: 8, action: 'tokenize', replace })
    assert.deepEqual(settled(), ['<jo@x.com>', '!'])
    assert.deepEqual(
      inspection.findings.map(({ count }) => count),
      [1],
    )
  })

  it('count once what both views show, and take the stronger action of the two', () => {
    const { joined, parts, settled, inspection } = message('a secret', ' b')
    parts[0]?.report({ type: 'word', start: 2, end: 8, action: 'detect' })
    joined.report({ type: 'word', start: 2, end: 8, action: 'redact' })
    assert.deepEqual(settled(), ['a [WORD]', ' b'])
    assert.deepEqual(
      inspection.findings.map(({ action, count }) => [action, count]),
      [['redact', 1]],
    )
  })

  it('count a detection in two parts once', () => {
    const { joined, settled, inspection } = message('ab', 'cd')
    joined.report({ type: 'x', start: 1, end: 3 })
    assert.deepEqual(settled(), ['ab', 'cd'])
    assert.deepEqual(
      inspection.findings.map(({ count }) => count),
      [1],
    )
  })
})

describe('modes', () => {
  const seen: string[] = []
  const listener: Partial<InspectionListener> = {
    onWouldBlock: ({ plugin, reason }) => void seen.push(`${plugin}: ${reason}`),
    onLevel: (level, _direction, rule, rewritten) => void seen.push(`${level} ${rule} ${rewritten}`),
  }
  for (const [name, monitor, monitored] of [
    ['monitor', true, false],
    ['monitor of one plugin', false, true],
  ] as const) {
    it(`${name} only records`, () => {
      seen.length = 0
      const inspection = new Inspection(listener)
      inspection.monitor = monitor
      const view = field('a secret', inspection, reporter({ monitored }))
      for (let i = 0; i < 2; i++)
        view.report({ type: 'word', start: 2, end: 8, action: 'block', level: 'RESTRICTED', reason: 'No.' })
      view.report({ type: 'other', start: 0, end: 8, action: 'redact' })
      assert.equal(view.settle(), undefined)
      assert.equal(inspection.outputBlock, undefined)
      assert.deepEqual(seen, ['RESTRICTED p/word false', 'p: No.', 'RESTRICTED p/word false'])
      assert.deepEqual(
        inspection.findings.map(({ type, action }) => [type, action]),
        [
          ['word', 'detect'],
          ['other', 'detect'],
        ],
      )
    })
  }

  it('restoring goes on under monitor', () => {
    const inspection = new Inspection()
    inspection.monitor = true
    const view = field('a TOKEN here', inspection)
    view.restore(2, 7, 'value')
    assert.equal(view.settle(), 'a value here')
    assert.deepEqual(inspection.findings, [])
  })

  it('the first blocking finding of each direction is kept', () => {
    const inspection = new Inspection()
    const view = field('ab', inspection)
    view.report({ type: 'x', start: 0, end: 1, action: 'block' })
    view.report({ type: 'y', start: 0, end: 1, action: 'block', reason: 'Second.' })
    assert.deepEqual([inspection.outputBlock?.type, inspection.outputBlock?.reason], ['x', 'The reply contains x.'])
    assert.equal(inspection.inputBlock, undefined)
  })
})

describe('a hold longer than allowed', () => {
  const long = 'abcdefghij'.repeat(3)
  const held = (more: Partial<Reporter>, inspection = new Inspection()) => {
    const stream = new Stream(inspection)
    stream.read(long, false, [reporter({ maxBuffered: 10, ...more }), (view) => view.hold(5)])
    return stream
  }

  it('blocks', () => {
    const { inspection, out } = held({})
    assert.equal(inspection.outputBlock?.type, 'hold_overflow')
    assert.equal(out, long.slice(0, 5))
  })

  it('is redacted, as far as it is too long', () => {
    const { inspection, out } = held({ onHoldOverflow: 'redact' })
    assert.equal(inspection.outputBlock, undefined)
    assert.equal(out, `${long.slice(0, 5)}[UNINSPECTED]`)
  })

  it('is released, as far as it is too long', () => {
    assert.equal(held({ onHoldOverflow: 'release' }).out, long.slice(0, 20))
  })

  it('is recorded and released under monitor', () => {
    const would: string[] = []
    const stream = held({ monitored: true }, new Inspection({ onWouldBlock: ({ type }) => void would.push(type) }))
    assert.deepEqual(would, ['hold_overflow'])
    assert.equal(stream.inspection.outputBlock, undefined)
    assert.equal(stream.out, long.slice(0, 20))
  })

  it('exactly as long as allowed is fine', () => {
    const stream = new Stream()
    stream.read(long, false, [reporter({ maxBuffered: 10 }), (view) => view.hold(20)])
    assert.equal(stream.inspection.outputBlock, undefined)
    assert.equal(stream.out, long.slice(0, 20))
  })

  it('must be a position', () => {
    const stream = new Stream()
    for (const from of [Number.NaN, Number.NEGATIVE_INFINITY, undefined, '3']) {
      stream.read('abc', false, [reporter(), (view) => broken(() => view.hold(from as number), 'GW_PLUGIN_CONTRACT')])
    }
  })
})

describe('a verdict from outside', () => {
  it('is waited for, by its own text alone, and past maxBuffered the provider pauses', async () => {
    const go = Promise.withResolvers<void>()
    const stream = new Stream()
    stream.read('free held', false, [reporter({ maxBuffered: 8 }), (view) => view.hold(5, go.promise)])
    assert.deepEqual([stream.out, stream.view.waiting, stream.view.stalled], ['free ', true, false])
    stream.read(' more', false, [reporter(), () => {}])
    assert.deepEqual([stream.out, stream.view.waiting, stream.view.stalled], ['free ', true, true])
    stream.read('!', true, [reporter(), () => {}])
    assert.equal(stream.out, 'free ', 'not even the end lets it go')
    go.resolve()
    await turn()
    assert.equal(stream.settled, 1)
    assert.equal(stream.settle().out, 'free held more!')
    assert.equal(stream.view.waiting, false)
  })

  it('of several, the leftmost counts', async () => {
    const first = Promise.withResolvers<void>()
    const second = Promise.withResolvers<void>()
    const stream = new Stream()
    stream.read('abcdef', false, [
      reporter(),
      (view) => {
        view.hold(1, first.promise)
        view.hold(3, second.promise)
      },
    ])
    assert.equal(stream.out, 'a')
    second.resolve()
    await turn()
    assert.equal(stream.settle().out, 'a')
    first.resolve()
    await turn()
    assert.equal(stream.settle().out, 'abcdef')
  })

  it('that fails or does not come in time follows onError', async () => {
    for (const [until, more] of [
      [Promise.reject(new Error('down')), {}],
      [new Promise(() => {}), { timeoutMs: 5 }],
    ] as const) {
      for (const onError of ['block', 'allow'] as const) {
        const failed = Promise.withResolvers<boolean>()
        const inspection = new Inspection({ onFailure: (_plugin, _error, allowed) => failed.resolve(allowed) })
        const stream = new Stream(inspection)
        stream.read('held', false, [reporter({ ...more, onError }), (view) => view.hold(0, until)])
        assert.equal(await failed.promise, onError === 'allow')
        await turn()
        assert.equal(inspection.failed, onError === 'block' ? 'p' : undefined)
        assert.equal(stream.settled, 1)
      }
    }
  })

  it('is waited for by a complete text too', async () => {
    const go = Promise.withResolvers<void>()
    const view = field('abc')
    view.hold(0)
    assert.equal(view.waits, undefined)
    view.hold(0, go.promise)
    assert.equal((view.waits as unknown[] | undefined)?.length, 1)
    go.resolve()
    await Promise.all(view.waits ?? [])
  })
})
