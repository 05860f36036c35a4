/** The formats of receivers. The command line writes them too, so they live in the core and reach plugins by the kit. */
export {
  type EncodedBatch,
  type EventFormat,
  type EventSource,
  encode,
  encodeBatch,
  frame,
  MAX_BATCH_BYTES,
  toCef,
  toJson,
  toOcsf,
} from 'governed-gateway/kit'
