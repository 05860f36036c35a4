/** Names of options that say that the value is a secret. */

/** Anywhere in a name, however it is written: `clientSecret`, `AUTHTOKEN`. */
const PARTS =
  /token|secret|passw|passphrase|credential|authorization|cookie|bearer|connection[^a-z]*string|(?:api|access|private|signing|shared|encryption)[^a-z]*key/i

/** Whole words of a name. */
const WORDS = new Set(['auth', 'creds', 'dsn', 'hmac', 'jwt', 'pass', 'pem', 'pwd', 'salt', 'sas', 'signing'])

/** Words of names that count something, such as `tokens_per_minute`. */
const COUNTS =
  /^(?:per|max|min|most|limit|count|completion|prompt|total|window|ttl|timeout|seconds?|ms|minutes?|hours?|days?|size|length|bytes|characters|rate|budget|retries)$/

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean)

export function isSecretName(name: string): boolean {
  const words = wordsOf(name)
  return (
    PARTS.test(name) ||
    words.some((word) => WORDS.has(word)) ||
    words.at(-1) === 'key' ||
    (words.length > 1 && words.at(-1) === 'keys')
  )
}

export const isCountName = (name: string): boolean => wordsOf(name).some((word) => COUNTS.test(word))
