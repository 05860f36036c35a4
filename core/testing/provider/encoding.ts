/** Content encodings of a scripted reply. */
import { constants, createBrotliCompress, createDeflate, createGzip } from 'node:zlib'

/** `unknown` only claims an encoding in the header. */
export type Encoding = 'gzip' | 'deflate' | 'br' | 'unknown'

export interface Encoder {
  /** Compressed so that the peer can read all of `bytes` at once. */
  encode(bytes: Buffer): Promise<Buffer>
  finish(): Promise<Buffer>
}

/** Value of the `content-encoding` header. */
export const encodingHeader = (encoding: Encoding): string => (encoding === 'unknown' ? 'x-unknown' : encoding)

export function createEncoder(encoding: Encoding | undefined): Encoder {
  if (encoding === undefined || encoding === 'unknown') return identity
  const stream = encoding === 'gzip' ? createGzip() : encoding === 'deflate' ? createDeflate() : createBrotliCompress()
  const flush = encoding === 'br' ? constants.BROTLI_OPERATION_FLUSH : constants.Z_SYNC_FLUSH
  let out: Buffer[] = []
  stream.on('data', (bytes: Buffer) => out.push(bytes))
  const taken = (): Buffer => {
    const bytes = Buffer.concat(out)
    out = []
    return bytes
  }
  return {
    async encode(bytes) {
      stream.write(bytes)
      const { promise, resolve } = Promise.withResolvers<void>()
      stream.flush(flush, () => resolve())
      await promise
      return taken()
    },
    async finish() {
      const { promise, resolve } = Promise.withResolvers<void>()
      stream.once('end', resolve)
      stream.end()
      await promise
      return taken()
    },
  }
}

const identity: Encoder = {
  encode: async (bytes) => bytes,
  finish: async () => Buffer.alloc(0),
}
