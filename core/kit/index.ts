/** What plugins share, as `governed-gateway/kit`. */
export {
  type EncodedBatch,
  type EventFormat,
  type EventSource,
  encode,
  encodeBatch,
  encodeRecorded,
  eventSource,
  frame,
  MAX_BATCH_BYTES,
  type OcsfEvent,
  type RecordedEvent,
  type SourceNames,
  toCef,
  toJson,
  toOcsf,
} from '../audit/formats/index.ts'
export { allowedValues, flagProblem, isLooser, parseFlag } from '../flags.ts'
export { matchesGlob } from '../glob.ts'
export { isObject as isJsonObject } from '../json/fields.ts'
export { checkAgainst } from '../options.ts'
export { isPlain as isPlainName } from '../outside.ts'
export { inTurns } from '../turns.ts'
export { AuditCursor } from './audit-cursor.ts'
export {
  type Attempt,
  attemptOf,
  Backoff,
  type Clock,
  type DeliveryOutcome,
  type DeliveryResult,
  deliver,
  failedAttempt,
  parseRetryAfter,
  systemClock,
} from './deliver.ts'
export { checkUrl, EgressError, type EgressFailure, type RefusedCategory, type Resolve, refusal } from './egress.ts'
export { type KeywordHit, type KeywordOptions, Keywords } from './keywords.ts'
export { unknownName } from './names.ts'
export { PATTERN_WINDOW, type PatternHit, type PatternOptions, Patterns } from './patterns.ts'
export { concerns, type RequestRuleOptions, requestRuleProperties, requestRuleWarnings } from './request-rule.ts'
export { TextRule, type TextRuleOptions, textRuleProperties } from './text-rule.ts'
