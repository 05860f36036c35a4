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
    judgeLinks(path, text, canary, faults)
    // What a tool is called with, as it reads it.
    const value = /^\s*[{[]/.test(text) ? parse(text) : undefined
    const inner: Texts = new Map()
    if (typeof value === 'object' && value !== null) flatten(value, '', inner)
    for (const [at, one] of inner) judgeLinks(`${path}:${at}`, one, canary, faults)
    if (
      x.side === 'return' &&
      (ADDRESS.test(path) || (SIGNED.test(path) && x.place !== 'messages-thinking-unsigned')) &&
      has(text, canary.needles)
    )
      faults.push(`link:member:${path}`)
  }
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
