/** One exchange that is to be tried, as plain data, and the generator of them. */
import fc from 'fast-check'
import { ASKS, REPLIES } from './attacks.ts'
import { CARRIERS, type Carrier } from './carriers.ts'
import { LEAVINGS, type Leaving } from './client.ts'
import { CODINGS, type Coding } from './codings.ts'
import { CONFIG_NAMES, CONFIGS, type ConfigName } from './configs.ts'
import { FOREIGN } from './foreign.ts'
import { IN_PLACES } from './places-in.ts'
import { canPlay, OUT_PLACES, type OutPlace } from './places-out.ts'
import { READING_NAMES, type ReadingName } from './readings.ts'
import { SPELLINGS, type Spelling } from './respell.ts'
import { ROUTE_ASKS } from './routes.ts'
import { storedPlaces } from './stored-places.ts'
import { TALKS } from './talks.ts'
import { LINK_FORMS } from './tokens.ts'
import { KINDS, type Kind, PII_KINDS } from './values.ts'
import { WARMTHS, type Warm } from './warm.ts'
import {
  ENDINGS,
  type Ending,
  FRAMINGS,
  type Framing,
  INDEXES,
  type Indexes,
  MIXES,
  type Mix,
  SILENCE,
  SPLITS,
  type Split,
} from './wire.ts'

/** `cuts`: where those say; else a few characters at a time, as models speak, each by itself, or cut within characters, too. */
export const PACES = ['cuts', 'tokens', 'characters', 'units'] as const
export type Pace = (typeof PACES)[number]

export interface Case {
  config: ConfigName
  /** Where the value is planted: by the caller, by the provider, or as a token that the provider sends back, in any place. */
  side:
    | 'input'
    | 'output'
    | 'token'
    | 'return'
    | 'foreign'
    | 'clean'
    | 'reply'
    | 'ask'
    | 'clean-input'
    | 'talk'
    | 'stored'
    | 'route'
  place: string
  kind: Kind
  /** Kind of a second value beside the first. */
  second: Kind | 'none'
  /** Seed of the value; no two cases have the same. */
  value: number
  reading: ReadingName
  /** A second way of writing around the first, or plain. */
  outer: ReadingName
  stream: boolean
  /** What stands around the value. */
  carrier: Carrier
  /** What comes between the pieces of a stream. */
  mix: Mix
  /** Where the text is cut, each a share of a thousand of its length. */
  cuts: number[]
  /** Or in how small pieces it comes. */
  pace: Pace
  /** How the JSON is written. */
  json: Spelling
  framing: Framing
  split: Split
  ending: Ending
  indexes: Indexes
  /** How the body of the reply is compressed. */
  coding: Coding
  /** Whether the client stays until the end. */
  leaves: Leaving
  /** Asks for the same once more as a whole: what a stream says in the end must be what a whole reply says. */
  twin: boolean
  /** How the gateway learned the same text before. */
  warm: Warm
}

const IN_NAMES = Object.keys(IN_PLACES)
const OUT_NAMES = Object.keys(OUT_PLACES)
const LINK_NAMES = Object.keys(LINK_FORMS)

export const tagsOf = (x: Case): string[] => {
  const tags = [
    `config:${x.config}`,
    `side:${x.side}`,
    `place:${x.side}:${x.place}`,
    x.stream ? 'streamed' : 'buffered',
  ]
  if (x.side !== 'clean') tags.push(`kind:${x.kind}`)
  for (const reading of new Set([x.reading, x.outer])) tags.push(`reading:${reading}`)
  if (x.stream) tags.push(`framing:${x.framing}`, `split:${x.split}`, `ending:${x.ending}`, `indexes:${x.indexes}`)
  if (x.reading !== 'plain' && x.outer !== 'plain') tags.push('combined')
  tags.push(`carrier:${x.carrier}`)
  if (x.stream) tags.push(`mix:${x.mix}`)
  if (x.cuts.length > 0) tags.push('cut')
  if (x.pace !== 'cuts') tags.push(`pace:${x.pace}`)
  if (x.json !== 'plain') tags.push(`json:${x.json}`)
  if (x.coding !== 'none') tags.push(`coding:${x.coding}`)
  if (x.leaves !== 'stays') tags.push(`leaves:${x.leaves}`)
  if (x.twin) tags.push('twin')
  if (x.second !== 'none') tags.push('second', `second:${x.second}`)
  if (x.warm !== 'cold') tags.push(`warm:${x.warm}`)
  return tags
}

/** Weighted: mostly the first, so that shrinking ends there and one oddity at a time is the rule. */
const mostly = <T>(first: T, others: readonly T[], weight: number): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: fc.constant(first) }, { weight: 1, arbitrary: fc.constantFrom(...others) })

const placesOf = (side: Case['side'], stream: boolean): readonly string[] => {
  if (side === 'input' || side === 'clean-input') return IN_NAMES
  if (side === 'reply') return Object.keys(REPLIES.chat)
  if (side === 'ask') return Object.keys(ASKS)
  if (side === 'route') return Object.keys(ROUTE_ASKS)
  if (side === 'token') return LINK_NAMES
  if (side === 'foreign') return Object.keys(FOREIGN)
  if (side === 'talk') return Object.keys(TALKS)
  if (side === 'stored') return storedPlaces(stream)
  return OUT_NAMES.filter((name) => canPlay(OUT_PLACES[name] as OutPlace, stream))
}

const kindsOf = (config: ConfigName, side: Case['side']): readonly Kind[] => {
  const { input, output } = CONFIGS[config] as { input: readonly Kind[]; output: readonly Kind[] }
  if (['token', 'return', 'foreign'].includes(side)) return PII_KINDS
  const kinds = side === 'input' || side === 'ask' || side === 'talk' ? input : output
  return kinds.length > 0 ? kinds : KINDS
}

/** Sides whose values stand in no other spelling. */
const AS_IT_IS: ReadonlySet<Case['side']> = new Set(['token', 'return', 'talk', 'foreign'])
/** Sides whose texts may have two values. */
const PAIRED: ReadonlySet<Case['side']> = new Set(['input', 'output', 'reply', 'ask', 'stored'])

const sidesOf = (config: ConfigName): readonly Case['side'][] => {
  if (config === 'tokenize' || config === 'mixed')
    return [
      'token',
      'token',
      'return',
      'return',
      'foreign',
      'input',
      'output',
      'clean',
      'clean-input',
      'talk',
      'stored',
    ]
  if (config === 'ceiling') return ['input']
  if (config === 'relay') return ['input', 'output', 'output', 'clean', 'talk']
  const sides = [
    'input',
    'input',
    'output',
    'output',
    'output',
    'clean',
    'clean-input',
    'reply',
    'ask',
    'talk',
    'stored',
  ] as const
  return config === 'redact' ? [...sides, 'route'] : sides
}

/** Exchanges over several upstreams take the time of three. */
const configs = fc.oneof(
  {
    weight: 30,
    arbitrary: mostly<ConfigName>(
      'redact',
      CONFIG_NAMES.filter((name) => name !== 'relay'),
      1,
    ),
  },
  { weight: 1, arbitrary: fc.constant<ConfigName>('relay') },
)

export const cases: fc.Arbitrary<Case> = fc
  .record({ config: configs, stream: mostly(true, [false], 2) })
  .chain(({ config, stream }) =>
    fc.constantFrom(...sidesOf(config)).chain((side) =>
      fc.record<Case>({
        config: fc.constant(config),
        side: fc.constant(side),
        stream: fc.constant(stream && side !== 'ask' && side !== 'route'),
        place: mostly(placesOf(side, stream)[0] as string, placesOf(side, stream), 1),
        kind: fc.constantFrom(...kindsOf(config, side)),
        value: fc.noShrink(fc.noBias(fc.integer({ min: 1, max: 0x7fffffff }))),
        reading: AS_IT_IS.has(side) ? fc.constant('plain') : mostly<ReadingName>('plain', READING_NAMES, 1),
        outer: AS_IT_IS.has(side) ? fc.constant('plain') : mostly<ReadingName>('plain', READING_NAMES, 12),
        carrier: fc.oneof(
          { weight: 200, arbitrary: mostly<Carrier>('sentence', CARRIERS, 2) },
          { weight: 1, arbitrary: fc.constant<Carrier>('far') },
        ),
        mix: mostly<Mix>('none', MIXES, 2),
        cuts: fc.noBias(fc.array(fc.integer({ min: 1, max: 999 }), { maxLength: 6 })),
        pace: mostly<Pace>('cuts', PACES, 4),
        json: mostly<Spelling>('plain', SPELLINGS, 6),
        framing: mostly<Framing>('lf', FRAMINGS, 4),
        split: mostly<Split>('events', SPLITS, 2),
        ending: fc.oneof(
          { weight: 150, arbitrary: mostly<Ending>('normal', ENDINGS, 2) },
          { weight: 1, arbitrary: fc.constant<Ending>(SILENCE) },
        ),
        indexes: mostly<Indexes>('normal', INDEXES, 4),
        coding: mostly<Coding>('none', CODINGS, 12),
        leaves: mostly<Leaving>('stays', LEAVINGS, 16),
        twin: mostly(false, [true], 6),
        second: PAIRED.has(side) ? mostly<Kind | 'none'>('none', kindsOf(config, side), 6) : fc.constant('none'),
        warm: mostly<Warm>('cold', WARMTHS, 10),
      }),
    ),
  )
