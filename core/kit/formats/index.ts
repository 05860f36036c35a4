/** Event formats of receivers. Pure functions: the same event gives the same text. */
export { type EncodedBatch, encodeBatch, frame, MAX_BATCH_BYTES } from './batch.ts'
export { toCef } from './cef.ts'
export { encode, encodeRecorded } from './encode.ts'
export { toJson } from './json.ts'
export { type OcsfEvent, toOcsf } from './ocsf.ts'
export { eventSource, type SourceNames } from './source.ts'
export type { EventFormat, EventSource, RecordedEvent } from './types.ts'
