/** The part of a body that was read. */
export interface ReadBody {
  readonly bytes: Buffer
  readonly truncated: boolean
  /** Why the rest is missing. */
  readonly failure?: unknown
}

interface Body extends AsyncIterable<Buffer> {
  destroy(): unknown
}

const DEFAULT_BYTES = 64 * 1024

/**
 * Reads a body up to its limit, then closes the connection. Never rejects: a received status counts even if the body
 * fails.
 */
export async function readBody(body: Body, maxBytes = DEFAULT_BYTES): Promise<ReadBody> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      size += chunk.length
      if (size > maxBytes) break
    }
  } catch (failure) {
    return { bytes: Buffer.alloc(0), truncated: true, failure }
  }
  const truncated = size > maxBytes
  if (truncated) body.destroy()
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), truncated }
}
