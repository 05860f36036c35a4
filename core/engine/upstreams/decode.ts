import type { Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { GatewayError } from '../contract/errors.ts'
import type { Sink, Source } from './source.ts'

const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(flush),
  'x-gzip': () => createGunzip(flush),
  deflate: () => createInflate(flush),
  br: () =>
    createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH }),
}

/** Decodes the body of a provider that compressed it unasked. Content that cannot be decoded cannot be inspected. */
export interface Decoded {
  readonly source: Source
  readonly data: (chunk: Buffer) => void
  readonly end: () => void
}

/** @returns undefined for an unknown encoding */
export function decode(encoding: string, source: Source, sink: Sink): Decoded | undefined {
  const make = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined
  if (make === undefined) return undefined
  const stream = make()
  let over = false
  stream.on('data', (chunk: Buffer) => {
    if (!over) sink.onData(chunk)
  })
  stream.on('end', () => {
    if (!over) sink.onEnd()
  })
  stream.on('error', (cause) => {
    if (over) return
    over = true
    source.abort()
    const error = new GatewayError('GW_UPSTREAM_INVALID', `The provider sent a body that is not valid ${encoding}.`, {
      cause,
    })
    sink.onError({ error, fallback: false, sent: true })
  })
  stream.on('drain', () => source.resume())
  return {
    source: {
      pause: () => stream.pause(),
      resume: () => stream.resume(),
      abort: () => {
        over = true
        stream.destroy()
        source.abort()
      },
    },
    data: (chunk) => {
      if (!over && !stream.write(chunk)) source.pause()
    },
    end: () => {
      if (!over) stream.end()
    },
  }
}
