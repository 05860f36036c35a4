/** What the documents declare out of scope, so that it is not planted. Each with where they say so. */
import type { Case } from './case.ts'
import { jointOf } from './pairs.ts'
import { IN_PLACES } from './places-in.ts'
import { isNumber } from './places-numbers.ts'
import { OUT_PLACES } from './places-out.ts'
import { type ReadingName, write } from './readings.ts'
import { placeOfStored } from './stored-places.ts'

export interface Exclusion {
  readonly name: string
  readonly reason: string
  readonly fits: (x: Case) => boolean
}

const ID_SHAPED = new Set(['openai', 'anthropic', 'github', 'aws', 'aws_letters', 'slack', 'ip'])

const PACKED: ReadonlySet<ReadingName> = new Set([
  'html-comment',
  'html-tags',
  'html-wbr',
  'markdown-emphasis',
  'split-literal',
])

const CONTROLS: ReadonlySet<ReadingName> = new Set(['invisible-controls', 'invisible-delete', 'invisible-c1'])
const PACKING: ReadonlySet<ReadingName> = new Set([
  'json-string',
  'json-in-json',
  'json-three-levels',
  'base64',
  'base64-url',
  'base64-lines',
  'hex',
])

/** Strokes, colours of a terminal and soft line breaks are put around what is read, not around what stands for it. */
const ALONE: ReadonlySet<ReadingName> = new Set([
  'struck-through',
  'terminal-colours',
  'quoted-printable-soft',
  'diff-lines',
])
const ALONE_IN_STREAMS: ReadonlySet<ReadingName> = new Set(['look-alikes', 'look-alike-one'])

/** Encoded characters that show nothing take an encoded run apart: nothing writes them there. */
const HOLES: ReadonlySet<ReadingName> = new Set(['invisible-entities', 'invisible-escaped', 'invisible-percent'])
const RUNS: ReadonlySet<ReadingName> = new Set(['base64', 'base64-url', 'base64-lines', 'hex'])

/** What `hidden-tags` writes. */
const HIDDEN = '\u{e0041}'

const isIdentifier = ({ side, place }: Case): boolean =>
  side === 'input' ? IN_PLACES[place]?.identifier === true : OUT_PLACES[place]?.identifier === true

/** Places of asks where only the digits of a text are left. */
const ASKED_NUMBERS: ReadonlySet<string> = new Set(['number', 'number-exponent'])
const isOfNumbers = ({ side, place }: Case): boolean => (side === 'ask' ? ASKED_NUMBERS.has(place) : isNumber(place))
/** Spellings that write digits of their own. */
const NUMBERED: ReadonlySet<ReadingName> = new Set([
  'numbered-lines',
  'percent-query',
  'form-encoded',
  'terminal-colours',
  'csv-cell',
  'spelled-head',
  'spelled-part',
  'spelled-tail',
])
/** Places of asks where a name stands, its blanks as hyphens. */
const NAMES: ReadonlySet<string> = new Set(['model-vendor', 'header-session-id-like'])
/** Places of requests where the name of a session stands. */
const SESSIONS: ReadonlySet<string> = new Set(['messages-user-id-json'])
/** Places that write the text into JSON within JSON, which escapes its controls as `\\b`. */
const JSON_IN_JSON: ReadonlySet<string> = new Set([
  'tool-arguments-nested',
  'messages-tool-input-nested',
  'responses-arguments-nested',
  'responses-client-metadata',
  'error-json-message',
  'error-metadata',
])

/** What comes between the pieces of a response is another text by its index alone. */
const INDEXED: ReadonlySet<Case['mix']> = new Set(['reasoning', 'other-choice', 'tool-call'])

export const EXCLUSIONS: readonly Exclusion[] = [
  {
    name: 'tabs of quoted-printable between two values',
    reason: 'docs/threat-model.md, What is not promised: `=09` and `=20` directly between a letter and a number.',
    fits: (x) => x.second !== 'none' && jointOf(x) === '\t' && [x.reading, x.outer].includes('quoted-printable'),
  },
  {
    name: 'numbers of JSON in another spelling',
    reason: 'No value: only the digits of a spelling would be left, such as those of `%34`.',
    fits: ({ side, place, reading, outer }) =>
      side !== 'ask' && isNumber(place) && (reading !== 'plain' || outer !== 'plain'),
  },
  {
    name: 'addresses behind a hyphen',
    reason: 'plugins/pii/README.md: no versions, and `name-93.161.164.131-rest` reads as one.',
    fits: ({ side, kind, place }) => side === 'ask' && kind === 'ip' && place === 'model-vendor',
  },
  {
    name: 'base64 and hex within names',
    reason: 'docs/threat-model.md, What is not promised: runs that hyphens join to other words.',
    fits: ({ side, place, reading, outer }) =>
      side === 'ask' && NAMES.has(place) && (RUNS.has(reading) || RUNS.has(outer)),
  },
  {
    name: 'labels and heads of keys within names',
    reason: 'No value: a name has hyphens in the place of blanks; nothing labels with `: -` or begins with `BEGIN-`.',
    fits: ({ side, place, kind }) => side === 'ask' && NAMES.has(place) && /^(?:labelled|pem)/.test(kind),
  },
  {
    name: 'values in lists and objects without the quotes of JSON',
    reason: 'plugins/secrets/README.md finds them as JSON writes them; these places take quotes away.',
    fits: ({ kind, place }) =>
      kind === 'labelled_inside' && (/(?:arguments|input)-broken$/.test(place) || place === 'header-type'),
  },
  {
    name: 'look-alikes within names',
    reason: 'No value: a name keeps ASCII alone, and the bytes of other letters make another word of a label or a key.',
    fits: ({ side, place, reading, outer }) =>
      side === 'ask' && NAMES.has(place) && (ALONE_IN_STREAMS.has(reading) || ALONE_IN_STREAMS.has(outer)),
  },
  {
    name: 'numbers that are a value only with their signs',
    reason:
      'No value: of an address, an account or a phone number a JSON number keeps bare digits. Cards are digits alone.',
    fits: (x) => isOfNumbers(x) && x.kind !== 'card',
  },
  {
    name: 'other digits beside a number',
    reason: 'No value: without blanks the number of a line, or the next cell of a table, becomes a digit of it.',
    fits: (x) =>
      isOfNumbers(x) &&
      ([x.reading, x.outer].some((one) => NUMBERED.has(one)) || x.carrier === 'cells' || x.second !== 'none'),
  },
  {
    name: 'words, encoded runs and lines of diffs that go on in their copy',
    reason: 'No value: a word doubled is another word, two runs decode as one, and no mark of a diff is within a line.',
    fits: ({ carrier, kind, reading, outer, second }) =>
      carrier === 'repeated' &&
      (kind === 'keyword' ||
        // One value directly beside another one: docs/threat-model.md, Values joined to letters.
        second !== 'none' ||
        [reading, outer].some((one) => RUNS.has(one) || one === 'diff-lines')),
  },
  {
    name: 'addresses of mail in names, with encoded signs inside',
    reason: 'No value: a name has no `@`, and the rest of an encoded sign takes the end of the host apart.',
    fits: ({ side, place, kind, reading, outer }) =>
      side === 'ask' &&
      kind === 'email' &&
      place === 'header-session-id-like' &&
      [reading, outer].some((one) => one.startsWith('invisible')),
  },
  {
    name: 'code words in names',
    reason: 'docs/threat-model.md, What is not promised: plain names of models, sessions and requests.',
    fits: ({ side, place, kind, carrier }) =>
      kind === 'keyword' &&
      ((side === 'ask' && (NAMES.has(place) || (place === 'header-many' && carrier === 'bare'))) ||
        (side === 'input' && SESSIONS.has(place) && carrier === 'bare') ||
        (side === 'reply' && place.startsWith('header') && carrier === 'bare')),
  },
  {
    name: 'texts by turns without ids',
    reason: 'No value: nothing tells the two texts apart, so the other one stands within it for every reader.',
    fits: ({ side, place, indexes }) => side === 'output' && indexes === 'no-id' && OUT_PLACES[place]?.turns === true,
  },
  {
    name: 'values that need the blanks of their markers and labels',
    reason: 'A name of a model has no blanks, and nothing reads such a key, nor a label like `password:-"`.',
    fits: ({ kind, place }) => ['pem', 'password', 'api_key'].includes(kind) && place === 'model-vendor',
  },
  {
    name: 'ids in the shape of ids',
    reason: 'docs/architecture.md, What is inspected: ids and names are exempt while they have that shape.',
    fits: (x) => isIdentifier(x) && (ID_SHAPED.has(x.kind) || x.kind === 'card' || x.kind === 'ssn'),
  },
  {
    name: 'values within markup, and those that a program puts together',
    reason: 'docs/threat-model.md, What is not promised: strings that a program puts together, markup inside a value.',
    fits: ({ reading, outer }) => PACKED.has(reading) || PACKED.has(outer),
  },
  {
    name: 'control characters in the middle of a value that is packed in JSON, base64 or hex',
    reason: 'docs/threat-model.md, What is not promised: controls within packed values.',
    fits: ({ reading, outer, place }) =>
      (CONTROLS.has(reading) && PACKING.has(outer)) ||
      (JSON_IN_JSON.has(place) && [reading, outer].some((one) => CONTROLS.has(one))),
  },
  {
    name: 'pairs of spellings, one within the other, that nothing writes',
    reason: 'docs/threat-model.md, What is not promised: some spellings within another.',
    fits: ({ reading, outer, stream }) =>
      reading !== 'plain' &&
      outer !== 'plain' &&
      [reading, outer].some((one) => ALONE.has(one) || (stream && ALONE_IN_STREAMS.has(one))),
  },
  {
    name: 'keycaps around the digits of a code, and raised ones in their place',
    reason: 'docs/threat-model.md, What is not promised: some spellings within another; nothing reads such a code.',
    fits: ({ reading, outer }) =>
      (outer === 'keycaps' || outer === 'digits-raised') &&
      (HOLES.has(reading) ||
        (outer === 'digits-raised' && RUNS.has(reading)) ||
        /[&%=\\].*\d/.test(write(reading, ' .:', 1))),
  },
  {
    name: 'letters as ids of calls at one place, which come again behind others',
    reason: 'docs/decisions/0139: a call may not go on behind another one of its place, and the stream ends.',
    fits: ({ side, place, mix }) => side === 'clean' && place === 'call-ids' && mix === 'learned',
  },
  {
    name: 'bytes of Latin-1 that are no UTF-8, within a value',
    reason: 'docs/threat-model.md, What is not promised: unreadable bytes inside a value show as a sign.',
    fits: ({ side, place, reading, outer }) =>
      side === 'reply' &&
      place === 'latin-1' &&
      [reading, outer].some((one) => one === 'invisible-c1' || /[^\x00-\x7f]/.test(write(one, 'akE1-2 h4.sSo', 1))),
  },
  {
    name: 'lines of base64 that cut a character, have something in front, begin a part, or stand in parts or in a word that grows',
    reason:
      'docs/threat-model.md, What is not promised: lines of base64 with something in front, at a border or over parts.',
    fits: ({ side, stream, reading, outer, carrier, place }) =>
      (stream && side !== 'input' && carrier === 'bare' && [reading, outer].includes('base64-lines')) ||
      (outer === 'base64-lines' && /[^\x00-\x7f]/.test(write(reading, 'akE1-2 h4.sSo', 1))) ||
      (reading === 'base64-lines' && (outer.endsWith('-lines') || /-(?:grows|parts)$/.test(place))),
  },
  {
    name: 'encoded invisible characters within base64 and hex',
    reason: 'docs/threat-model.md, What is not promised: some spellings within another.',
    fits: ({ reading, outer }) => RUNS.has(reading) && HOLES.has(outer),
  },
  {
    name: 'hidden characters that are written as escapes, or packed',
    reason: 'docs/threat-model.md, What is not promised: hidden characters that are written as escapes or packed.',
    fits: ({ reading, outer }) =>
      reading.startsWith('hidden') && !outer.startsWith('hidden') && !write(outer, HIDDEN, 1).includes(HIDDEN),
  },
  {
    name: 'a stroke through the last sign of a key, in a stream',
    reason: 'No value: a key ends with its last line, and of a stroke that comes later nothing can be read.',
    fits: ({ kind, reading, outer, stream }) =>
      stream && kind.startsWith('pem') && [reading, outer].includes('struck-through'),
  },
  {
    name: 'errors that say nothing but hidden characters',
    reason: 'Nothing is left of them, and the oracle wants each error to say something.',
    fits: ({ side, place, reading, carrier }) =>
      side !== 'input' && place.startsWith('error-') && reading.startsWith('hidden') && carrier === 'bare',
  },
  {
    name: 'blanks that forms write as +',
    reason: 'docs/threat-model.md, What is not promised: forms.',
    fits: ({ reading, outer }) => reading === 'form-encoded' || outer === 'form-encoded',
  },
  {
    name: 'values into which the provider says another word',
    reason: 'no value: what stands between its pieces is of the same text.',
    fits: ({ mix, place, indexes }) =>
      (mix === 'reasoning' && place.startsWith('reasoning')) ||
      (mix === 'mirrored' && indexes === 'two-choices') ||
      ((INDEXED.has(mix) || place.endsWith('-turns')) && place.startsWith('responses-') && indexes === 'missing'),
  },
  {
    name: 'texts of responses that go on behind a later one',
    reason: 'No value: such a reply ends as invalid before the value is whole.',
    fits: ({ mix, place }) => mix === 'other-choice' && place === 'responses-text-logprobs',
  },
  {
    name: 'long texts as tokens with probabilities',
    reason: 'docs/configuration.md, listen.max_json_values: such a request has more values than that, and is refused.',
    fits: ({ place, carrier }) => place === 'responses-logprobs' && carrier === 'far',
  },
  {
    name: 'line breaks in the name of an event',
    reason: 'No value: a name has no line breaks, and blanks in their place take the value apart.',
    fits: ({ place, reading, outer }) =>
      place.endsWith('-event-unknown-name') &&
      [reading, outer].some((one) => one === 'quoted-printable-soft' || one === 'base64-lines'),
  },
  {
    name: 'calls and thinking that the end of their message cuts',
    reason: 'No value: the message ended before the value did, and the reply ends as invalid.',
    fits: ({ side, place, ending, mix }) =>
      side === 'output' &&
      (ending === 'early-stop' || mix === 'roles') &&
      /^messages-(?:\w+-)*(?:tool-input|tool-name-grows|thinking)/.test(place),
  },
  {
    name: 'values without a border between them, in members whose first value leaves',
    reason: 'docs/threat-model.md, The first piece of a value: directly before letters an address is no value yet.',
    fits: ({ side, place, carrier }) =>
      side === 'output' && carrier === 'repeated' && OUT_PLACES[place]?.replaced === true,
  },
  {
    name: 'values over two texts, of which the first begins and ends unlike its deltas',
    reason: 'docs/threat-model.md, Ends that say something else.',
    fits: ({ side, place, ending }) =>
      side === 'output' && ending === 'begins-other' && /^responses-.*(?:two|before|behind|items|parts)/.test(place),
  },
  {
    name: 'a stray byte within the value',
    reason:
      'No value: `p\ufffd(roject` is another word. In these places the byte that ends the stream stands behind the first letter of an id.',
    fits: ({ place, ending }) => (place === 'completion-id' || place === 'id-grows') && ending === 'cut-utf-8',
  },
  {
    name: 'signs beside a value that become letters',
    reason:
      'No value: of an emoji this reply keeps two bytes, such as `=I`, so that a letter stands directly before the value.',
    fits: ({ side, place, carrier }) => side === 'reply' && place === 'latin-1' && carrier === 'emoji',
  },
  {
    name: 'heads of keys, sign by sign, in members that events tell again',
    reason: 'docs/threat-model.md, The first piece of a value: the signs of `-----BEGIN` are one that is told again.',
    fits: ({ side, place, kind, pace }) =>
      side === 'output' && kind.startsWith('pem') && pace === 'characters' && OUT_PLACES[place]?.replaced === true,
  },
  {
    name: 'long values in the place of media',
    reason: 'docs/threat-model.md, Encrypted data: behind a text, media belong to it for 256 characters.',
    fits: ({ side, place, kind }) => side === 'output' && kind === 'labelled_long' && /-data-grows$/.test(place),
  },
  {
    name: 'values in lists of JSON in a cell of CSV in JSON',
    reason: 'docs/threat-model.md, What is not promised: some spellings within another.',
    fits: ({ side, place, kind, reading, outer }) =>
      side === 'reply' &&
      kind === 'labelled_inside' &&
      JSON_IN_JSON.has(place) &&
      [reading, outer].includes('csv-cell'),
  },
  {
    name: 'compressed replies that promise more bytes than they have',
    reason: 'The answer is 504, as of any provider that goes silent.',
    fits: ({ side, place, coding }) => side === 'reply' && place === 'more-than-length' && coding !== 'none',
  },
  {
    name: 'padding in pieces',
    reason: 'docs/decisions/0023: what the API knows of an event is inspected by itself, since clients replace it.',
    fits: ({ side, place, cuts, pace }) =>
      side === 'output' && place === 'obfuscation' && (cuts.length > 0 || pace !== 'cuts'),
  },
]

export const isExcluded = (x: Case): boolean =>
  isExcludedAlone(x) || (x.second !== 'none' && isExcludedAlone({ ...x, kind: x.second }))

const isExcludedAlone = (x: Case): boolean => {
  const place = x.side === 'stored' ? placeOfStored(x.place) : undefined
  const said: Case = place === undefined ? x : { ...x, side: 'output', place }
  return EXCLUSIONS.some(({ fits }) => fits(said))
}
