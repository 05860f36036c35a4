/** How the body of a reply is compressed. */
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import type { Said } from './provider.ts'
import { cut } from './wire.ts'

export const CODINGS = ['none', 'gzip', 'deflate', 'br', 'zstd', 'x-odd', 'lies'] as const

export type Coding = (typeof CODINGS)[number]

/** The same reply compressed, cut anywhere. */
export function encoded(said: Said, coding: Coding, seed: number): Said {
  if (coding === 'none') return said
  const bytes = Buffer.concat(said.pieces)
  const body = PACK[coding]?.(bytes) ?? bytes
  const name = coding === 'lies' ? 'gzip' : coding
  const pieces = cut(body, [body], 'anywhere', seed)
  return { ...said, headers: { ...said.headers, 'content-encoding': name }, pieces }
}

const PACK: Readonly<Partial<Record<Coding, (bytes: Buffer) => Buffer>>> = {
  gzip: (bytes) => gzipSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
  br: (bytes) => brotliCompressSync(bytes),
  zstd: (bytes) => zstdCompressSync(bytes),
}
