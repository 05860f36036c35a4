/** Characters of a file to read: cameras put previews before the size. */
const HEAD_CHARACTERS = 128 * 1024

export interface Size {
  readonly width: number
  readonly height: number
}

/** Width and height in pixels of a PNG, GIF, JPEG or WebP in a `data:` URL; undefined for other URLs. */
export function imageSize(url: string): Size | undefined {
  if (!url.startsWith('data:image/')) return undefined
  const comma = url.indexOf(',', 0)
  if (comma < 0 || comma > 128 || !url.slice(0, comma).endsWith(';base64')) return undefined
  const bytes = Buffer.from(url.slice(comma + 1, comma + 1 + HEAD_CHARACTERS), 'base64')
  if (bytes.length < 30) return undefined
  const size = png(bytes) ?? gif(bytes) ?? webp(bytes) ?? jpeg(bytes)
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined
}

const magic = (bytes: Buffer, at: number, text: string): boolean =>
  bytes.toString('latin1', at, at + text.length) === text

const png = (bytes: Buffer): Size | undefined =>
  magic(bytes, 1, 'PNG\r\n') ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : undefined

const gif = (bytes: Buffer): Size | undefined =>
  magic(bytes, 0, 'GIF8') ? { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) } : undefined

/** RFC 9649: extended, lossless and lossy files have different headers. */
function webp(bytes: Buffer): Size | undefined {
  if (!magic(bytes, 0, 'RIFF') || !magic(bytes, 8, 'WEBP')) return undefined
  if (magic(bytes, 12, 'VP8X')) return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (magic(bytes, 12, 'VP8L')) {
    const bits = bytes.readUInt32LE(21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (!magic(bytes, 12, 'VP8 ')) return undefined
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
}

/** ITU T.81, B.2: skips segments up to the frame header, which has the size. */
function jpeg(bytes: Buffer): Size | undefined {
  if (bytes.readUInt16BE(0) !== 0xffd8) return undefined
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] as number
    if (marker === 0xff) {
      at += 1
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}
