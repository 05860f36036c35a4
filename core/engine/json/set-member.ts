const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]

/**
 * The JSON object with this member at its top level, in place of its own. Does not check the JSON: the strict parser
 * does it afterwards, and refuses what this could not read, and members whose name is repeated or spelled with escapes.
 */
export function setMember(body: Buffer, name: string, value: string): Buffer {
  // One character is one byte. The bytes of other characters of UTF-8 are no ASCII.
  const text = body.toString('latin1')
  const open = skipBlanks(text, 0)
  if (text.charCodeAt(open) !== OPEN_BRACE) return body
  const own = rangeOf(text, open, JSON.stringify(name))
  const json = JSON.stringify(value)
  if (own !== undefined) {
    return Buffer.concat([body.subarray(0, own.start), Buffer.from(json), body.subarray(own.end)])
  }
  const comma = text.charCodeAt(skipBlanks(text, open + 1)) === CLOSE_BRACE ? '' : ','
  const member = Buffer.from(`${JSON.stringify(name)}:${json}${comma}`)
  return Buffer.concat([body.subarray(0, open + 1), member, body.subarray(open + 1)])
}

/** The value of the first top-level member with this name. */
function rangeOf(text: string, open: number, quoted: string): { start: number; end: number } | undefined {
  let depth = 1
  let start = -1
  for (let at = open + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      const end = closing(text, at)
      if (end === -1) return undefined
      const after = depth === 1 && start === -1 ? skipBlanks(text, end + 1) : 0
      const isName = after > 0 && text.charCodeAt(after) === COLON
      if (isName && text.slice(at, end + 1) === quoted) start = skipBlanks(text, after + 1)
      at = isName ? after : end
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++
    else if (depth === 1 && start !== -1 && (code === COMMA || code === CLOSE_BRACE)) return { start, end: at }
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--
  }
  return undefined
}

/** The end of a string; -1 if it has none. */
function closing(text: string, open: number): number {
  for (let end = text.indexOf('"', open + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return end
  }
  return -1
}

function skipBlanks(text: string, at: number): number {
  while (at < text.length && ' \t\r\n'.includes(text[at] as string)) at++
  return at
}
