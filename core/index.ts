/** What a plugin author imports as `governed-gateway`. */
export { CATALOGUE, type ErrorCode, GatewayError, isGatewayError } from './errors.ts'
export { flagsFact, type Session, sessionFact } from './facts.ts'
export { exceeds, higher, isLevel, LEVELS, type Level, lower } from './levels.ts'
export type {
  Action,
  Answer,
  Caller,
  Channel,
  DetectionCount,
  Direction,
  EventPayloads,
  EventSpec,
  Exchange,
  ExchangeReply,
  ExchangeRequest,
  Fact,
  Facts,
  Finding,
  FlagSpec,
  GovernanceEvent,
  Hooks,
  Instance,
  Json,
  Log,
  Mode,
  Options,
  Outcome,
  PluginSpec,
  Rejection,
  Route,
  Services,
  Severity,
  Store,
  TextView,
  Usage,
  Verdict,
} from './plugin.ts'
export { defineFact, definePlugin, Late } from './plugin.ts'
