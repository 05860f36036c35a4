/** Shared helpers for plugins, exported as `governed-gateway/kit`. */

export { createKey, expiryTime } from '../engine/access/keyring.ts'
export { checkAgainst } from '../engine/config/validate.ts'
export { allowedValues, flagProblem, isLooser, parseFlag } from '../engine/host/flag-rules.ts'
export { isObject as isJsonObject } from '../engine/json/fields.ts'
export { isUnspaced } from '../engine/text/char-kinds.ts'
export { inTurns } from '../engine/text/turns.ts'
export { limitsModel, matchesGlob } from '../engine/util/glob.ts'
export { makeFolder } from '../engine/util/make-folder.ts'
export { isPlain as isPlainName } from '../engine/util/outside.ts'
export { fileOwner, isOrphan } from '../engine/util/owned-files.ts'
export { isBuilding, prebuilt } from '../engine/util/prebuilt.ts'
export { RecentMap } from '../engine/util/recent-map.ts'
export { sentence } from '../engine/util/sentence.ts'
export { isTeam, TEAM_PATTERN } from '../engine/util/team-name.ts'
export { readTextFile } from '../engine/util/text-file.ts'
export { Trouble, type TroubleOptions } from '../engine/util/trouble.ts'
export { uuid } from '../engine/util/uuid.ts'
export { type WasmExports, type WasmMemory, wasm } from '../engine/util/wat.ts'
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
export { type EventSelection, eventSelector } from './event-selection.ts'
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
} from './formats/index.ts'
export { operationName, providerName } from './gen-ai.ts'
export { type KeywordHit, type KeywordOptions, Keywords } from './keywords.ts'
export { unknownName } from './names.ts'
export { PATTERN_WINDOW, type PatternHit, type PatternOptions, Patterns } from './patterns.ts'
export { sumOfPrompt } from './prompt-sum.ts'
export { concerns, type RequestRuleOptions, requestRuleProperties, requestRuleWarnings } from './request-rule.ts'
export { testEvent } from './test-event.ts'
export { TextRule, type TextRuleOptions, textRuleProperties } from './text-rule.ts'
export { type TextRuleHit, TextRules, type TextRulesOptions } from './text-rules.ts'
export { TextUnits } from './text-units.ts'
export { isTraceId, readTraceparent, type TraceParent } from './trace-context.ts'
export { warmUp } from './warm-up.ts'
export { type SignWebhook, webhookSigner } from './webhook-signature.ts'
