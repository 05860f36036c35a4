/** What the detection must reach, by the group of a corpus; shares of 1. */
export const MIN_RECALL: Readonly<Record<string, number>> = {
  email: 0.995,
  iban: 0.995,
  ssn: 0.995,
  card: 0.99,
  ip: 0.98,
  'phone, international': 0.99,
  'phone, national': 0.95,
  'national id, in context': 0.98,
  'national id, bare': 0.7,
  disguised: 0.95,
  'other kinds, in context': 0.9,
  'names of persons': 0.8,
  'names of places': 0.7,
  'names of organisations': 0.5,
  'private names': 0.8,
  'street addresses': 0.75,
  'titles and ages': 0.7,
  secrets: 0.95,
  injection: 0.77,
  'injection, in documents': 0.97,
}

/** Share of the texts of which any character is rewritten. */
export const MAX_ALTERED: Readonly<Record<string, number>> = {
  prose: 0.01,
  code: 0.02,
  logs: 0.02,
  maths: 0.04,
  'near misses': 0.01,
  'injection, harmless': 0.005,
  'public figures': 0,
  'no names': 0.2,
  'names of things': 0.05,
}

/** Streamed recall may be this much below buffered recall. */
export const MAX_STREAM_LOSS = 0.01

/** Characters held back on harmless text, streamed in pieces of token size. */
export const MAX_HOLD = { average: 6, p95: 16, longest: 128 } as const

/** The same with names on: a name waits for its end, and its last word for the next. */
export const MAX_HOLD_NAMES = { average: 14, p95: 32, longest: 128 } as const

/**
 * Pieces of token size that come before the first one of which something leaves: of 95 in 100 harmless texts, and of each
 * that does not open like a value. One that does has to wait for what tells it from one: `Photosynthesis` is the name of
 * a mailbox until an at sign fails to come. Of these there may be so many, a share of 1.
 */
export const MAX_FIRST_OUTPUT = 2
export const MAX_OPENING_LIKE_VALUES = 0.01

/** Rewritten arguments of tool calls that are no JSON, or of another shape. */
export const MAX_BROKEN_ARGUMENTS = 0

/** Of secrets in the arguments of tool calls; what is missed are passwords in places of tokens. */
export const MIN_SECRETS_IN_ARGUMENTS = 0.95

/**
 * Of values that are cut at any place over two messages. Half of a value may look like a whole one, and is then all that is
 * found.
 */
export const MIN_CUT_RECALL = 0.77

/** Chats of harmless texts and near misses, in any order and roles, in which something is found over a border; a share of 1. */
export const MAX_CHATS_ALTERED = 0.001

export const MIN_RESTORED = 0.999

/**
 * Detection cost of ordinary text, whole and in tokens, all measured plugins together: times that of counting the words of the same
 * texts, measured in turns. Microseconds would measure what else the machine does.
 */
export const MAX_TEXT_RATIO = 4.2
export const MAX_TOKEN_RATIO = 60
/** 50 KB of the worst text. */
export const MAX_WORST_MS = 50
