import { imageSize } from './image-size.ts'

/**
 * Estimates images as OpenAI documents for GPT-4o ("Images and vision", calculating costs): `low` costs 85.
 * Otherwise the image is scaled into 2048 × 2048, then its shorter side to 768, and each tile of 512 × 512 costs
 * another 170. Newer models count patches, with similar results. Some small models charge a multiple, which only
 * their usage shows.
 */
const BASE = 85
const TILE = 170
/** Unknown size, as for remote URLs: two by three tiles, like a typical photo. */
const UNKNOWN_IMAGE = BASE + 6 * TILE

export function imageTokens(url: string | undefined, detail: string | undefined): number {
  if (detail === 'low') return BASE
  const size = url === undefined ? undefined : imageSize(url)
  if (size === undefined) return UNKNOWN_IMAGE
  const { width, height } = size
  const fit = Math.min(1, 2048 / Math.max(width, height))
  const scale = fit * Math.min(1, 768 / (Math.min(width, height) * fit))
  return BASE + TILE * Math.ceil((width * scale) / 512) * Math.ceil((height * scale) / 512)
}

/** One token per 100 ms of speech. Bytes per second: WAV as OpenAI requires it (24 kHz, 16 bit), MP3 at 64 kbit/s. */
const TOKENS_PER_SECOND = 10
const BYTES_PER_SECOND: Readonly<Record<string, number>> = { wav: 48_000, pcm16: 48_000 }
const COMPRESSED = 8_000
const UNKNOWN_AUDIO = 300

export function audioTokens(data: string | undefined, format: string | undefined): number {
  if (data === undefined) return UNKNOWN_AUDIO
  const perSecond = BYTES_PER_SECOND[format ?? ''] ?? COMPRESSED
  return Math.ceil((decodedBytes(data) / perSecond) * TOKENS_PER_SECOND)
}

/** A PDF page is read as text and as an image: about 1500 tokens for 50 KB. */
const BYTES_PER_TOKEN = 32
const UNKNOWN_FILE = 5_000

export function fileTokens(data: string | undefined): number {
  return data !== undefined ? Math.max(100, Math.ceil(decodedBytes(data) / BYTES_PER_TOKEN)) : UNKNOWN_FILE
}

const decodedBytes = (base64: string): number => (base64.length * 3) / 4
