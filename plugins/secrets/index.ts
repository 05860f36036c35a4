/** Finds credentials in requests and replies, and blocks or redacts them. See README.md. */
import { type Direction, defineFact, definePlugin, type Exchange, GatewayError, type TextView } from 'governed-gateway'
import { warmUp } from 'governed-gateway/kit'
import { compileAllow } from './allow.ts'
import { type Anchors, buildAnchors } from './anchors.ts'
import { compileOwn } from './custom.ts'
import { KINDS } from './kinds/index.ts'
import { memberContext } from './member.ts'
import { type Decision, decide, ownActions } from './policy.ts'
import type { Scanner } from './scan.ts'
import { schema } from './schema.ts'
import { advance, findAll, findLong, newState, type Piece, type StreamState } from './stream.ts'
import { STRUCTURED_TYPES } from './types.ts'
import { isNoSecret } from './values.ts'

interface ExchangeState {
  readonly actions: Readonly<Record<Direction, (type: string) => Decision>>
  readonly off: Readonly<Record<Direction, boolean>>
  readonly streams: Map<number, StreamState>
}

/** Characters of a long complete text to read in one turn. */
const TURN_LENGTH = 32 * 1024

const stateFact = defineFact<ExchangeState>('secrets/state')

export default definePlugin({
  name: 'secrets',
  description: 'Blocks or redacts credentials: provider keys, passwords, tokens, private keys',
  lookbehind: 0,
  maxBuffered: 1024, // More than a piece of a long key plus a header line.
  schema,
  flags: { secrets: { values: ['off', 'detect', 'redact', 'block'], option: 'input' } },
  events: {
    'secret.detected': { severity: 'detection', title: 'Secret detected', category: 'data', data: 'security' },
  },
  create(options) {
    const own = compileOwn(options.patterns)
    const known = new Set([
      ...KINDS.map((kind) => kind.type),
      ...STRUCTURED_TYPES,
      ...own.map((pattern) => pattern.type),
    ])
    for (const type of Object.keys(options.kinds)) {
      if (!known.has(type)) {
        throw new GatewayError(
          'GW_CONFIG',
          `secrets: options.kinds.${type} is an unknown type; plugins/secrets/README.md lists all types`,
          {
            param: `options.kinds.${type}`,
          },
        )
      }
    }
    const actions = ownActions(options)
    const scanner = new LazyScanner(options.labelled, options.min_entropy)
    let stopWarming = () => {}
    const allowed = compileAllow(options.allow)

    const stateOf = (x: Exchange): ExchangeState => {
      let state = x.facts.get(stateFact)
      if (state === undefined) {
        const flag = x.flag('secrets')
        const input = decide(options, actions, 'input', flag)
        const output = decide(options, actions, 'output', flag)
        state = {
          actions: { input, output },
          off: { input: flag === 'off', output: flag === 'off' },
          streams: new Map(),
        }
        x.facts.set(stateFact, state)
      }
      return state
    }

    const report = (view: TextView, piece: Piece, start: number, end: number, state: ExchangeState): void => {
      const action = state.actions[view.direction](piece.type)
      if (action === 'off' || (piece.continued && action === 'detect')) return
      if (!piece.continued && allowed(view.text.slice(start, end))) return
      if (view.borders?.some((at) => at > start && at < end && isNoSecret(view.text.slice(start, at).trimEnd()))) return
      view.report({
        type: piece.type,
        start,
        end,
        level: options.level,
        action,
        reason: reasonOf(view, piece.type),
        ...(piece.continued && { continued: true }),
      })
    }

    /** Reads a long complete text like a stream; other exchanges run between two pieces. */
    const scanLong = async (view: TextView, x: Exchange, state: ExchangeState): Promise<void> => {
      for (const { at, pieces } of findLong(scanner, own, view.text, memberContext(view), TURN_LENGTH)) {
        if (at > 0) await x.nextTurn()
        for (const piece of pieces()) report(view, piece, piece.start, piece.end, state)
      }
    }

    return {
      start() {
        stopWarming = warmUp([() => void scanner.anchors])
      },
      stop: () => stopWarming(),
      memoKey: (x) => String(x.flag('secrets')),
      detect(view, x) {
        const state = stateOf(x)
        // A question and a value with a blank between them are a secret by chance only.
        if (state.off[view.direction] || view.answer !== undefined) return
        if (view.direction === 'input' || (view.final && view.offset === 0)) {
          if (view.text.length > TURN_LENGTH) return scanLong(view, x, state)
          for (const piece of findAll(scanner, own, view.text, memberContext(view)))
            report(view, piece, piece.start, piece.end, state)
          return
        }
        const known = state.streams.get(view.id)
        const { continues, offset: begins } = view
        const stream = known ?? newState(continues === undefined ? undefined : state.streams.get(continues), begins)
        if (known === undefined) state.streams.set(view.id, stream)
        const { text, offset, final } = view
        const before = memberContext(view) || view.before
        const fresh = known === undefined ? text.length : view.fresh
        const hold = advance(scanner, own, { text, offset, final, fresh, before }, stream)
        for (const piece of stream.pieces)
          report(view, piece, Math.max(0, piece.start - view.offset), piece.end - view.offset, state)
        if (hold < view.text.length) view.hold(hold)
      },
    }
  },
})

/** A start does not wait for the anchors: they are the plugin's own, whatever its options. */
class LazyScanner implements Scanner {
  readonly #labelled: boolean
  readonly minEntropy: number
  #anchors: Anchors | undefined = undefined

  constructor(labelled: boolean, minEntropy: number) {
    this.#labelled = labelled
    this.minEntropy = minEntropy
  }

  get anchors(): Anchors {
    this.#anchors ??= buildAnchors(KINDS, this.#labelled)
    return this.#anchors
  }
}

/** Only requests name the path: readers see a reply as one text. */
const reasonOf = ({ direction, path }: TextView, type: string): string =>
  direction === 'input' ? `The request holds a secret (${type}) in ${path}.` : `The reply holds a secret (${type}).`
