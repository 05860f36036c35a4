/** The words of requests and replies: what no detector should find anything in. Deterministic. */
import { readFileSync } from 'node:fs'

export const MODEL = 'gpt-4o-mini'

/** English as people write it, some 11 KB, with its headings and line breaks. */
const ENGLISH = readFileSync(new URL('../../LICENSE', import.meta.url), 'utf8').replace(/ {2,}/g, ' ')
const WORDS = ENGLISH.split(/\s+/).filter((word) => /^[a-z]+$/i.test(word))

function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Words in no order, one for each token of a stream. */
export function prose(words: number, seed: number): string {
  const next = random(seed)
  return Array.from({ length: words }, () => WORDS[next(WORDS.length)]).join(' ')
}

/** Sentences of `characters`. */
export function english(characters: number, seed: number): string {
  const from = random(seed)(ENGLISH.length)
  return ENGLISH.repeat(2 + Math.ceil(characters / ENGLISH.length)).slice(from, from + characters)
}

/** Source code of about `characters`, as a tool gives it. */
export function code(characters: number, seed: number): string {
  const next = random(seed)
  const name = () => (WORDS[next(WORDS.length)] as string).toLowerCase()
  const lines: string[] = []
  for (let length = 0; length < characters; length += (lines.at(-1) as string).length + 1) {
    const form = next(4)
    if (form === 0) lines.push(`export function ${name()}(${name()}: string, ${name()} = ${next(99)}): number {`)
    else if (form === 1)
      lines.push(`  const ${name()} = ${name()}.map((${name()}) => ${name()}.${name()} + ${next(9)})`)
    else if (form === 2) lines.push(`  if (${name()} === undefined) return ${name()}(${name()}, '${name()}')`)
    else lines.push(`}  // ${name()} ${name()} ${name()}`)
  }
  return lines.join('\n').slice(0, characters)
}

/** `build(filler)` with a filler that makes the JSON exactly `bytes` long. */
export function sized(bytes: number, build: (filler: string) => unknown): Buffer {
  const empty = JSON.stringify(build('')).length
  const filler = prose(bytes, 7).slice(0, bytes - empty - 1)
  return Buffer.from(JSON.stringify(build(`${filler}.`)))
}
