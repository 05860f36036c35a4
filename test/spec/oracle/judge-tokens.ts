/** Where a value must not come back in the place of its token. */
import { flatten, type Texts } from './assemble.ts'
import type { Case } from './case.ts'
import { parse } from './judge-form.ts'
import { addressesIn, has, markdownPage, readingsOf } from './reader.ts'
import type { Canary } from './values.ts'

/** Members that are addresses, pictures or names, whatever they say. */
const ADDRESS = /(?:^|[._])(?:url|uri|href|src|image_url|file_url|server_url|partial_image_b64)(?:\[[^\]]*\])?$/
/** What a provider signed: with another text it is refused. */
const SIGNED = /(?:^|[.\]])thinking$/

export function judgeTokens(x: Case, texts: Texts, canary: Canary, faults: string[]): void {
  for (const [path, text] of texts) {
    judgeText(path, text, canary, faults)
    const isSigned = SIGNED.test(path) && x.place !== 'messages-thinking-unsigned'
    if (x.side === 'return' && (ADDRESS.test(path) || isSigned) && has(text, canary.needles))
      faults.push(`link:member:${path}`)
  }
}

/** What JSON says is read as a program reads it, at any depth. */
function judgeText(path: string, text: string, canary: Canary, faults: string[]): void {
  const value = /^\s*[{[]/.test(text) ? parse(text) : undefined
  if (typeof value !== 'object' || value === null) return judgeLinks(path, text, canary, faults)
  const inner: Texts = new Map()
  flatten(value, '', inner)
  for (const [at, one] of inner) judgeText(`${path}:${at}`, one, canary, faults)
}

/** A value may stand in what a page shows, and in no attribute of it. */
function judgeLinks(path: string, text: string, { needles }: Canary, faults: string[]): void {
  for (const { element, name, value } of markdownPage(text).attributes) {
    if (readingsOf(value).some((reading) => has(reading, needles))) faults.push(`link:${element} ${name}:${path}`)
  }
  for (const seen of [text, markdownPage(text).text])
    for (const address of addressesIn(seen))
      if (readingsOf(address).some((reading) => has(reading, needles))) faults.push(`link:shown:${path}`)
  if (/<(style|script)[^>]*>[^<]*$|url\(/i.test(text) && has(/url\(([^)]*)/.exec(text)?.[1] ?? '', needles))
    faults.push(`link:style:${path}`)
}
