import * as crypto from 'node:crypto'
import { createRequire } from 'node:module'

type Package = typeof import('uuid')

/** RFC 9562 version 7: sortable by time. Native from Node 24.16 on; for others a package of twenty files. */
export const uuid: () => string =
  (crypto as unknown as { randomUUIDv7?: () => string }).randomUUIDv7 ??
  (createRequire(import.meta.url)('uuid') as Package).v7
