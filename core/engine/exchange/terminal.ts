/** Final events of an exchange: detections and outcome. */
import { CATALOGUE, CORE_REFUSALS } from '../contract/errors.ts'
import type { Json, Outcome } from '../contract/plugin.ts'
import type { ChatExchange } from './exchange.ts'
import { actionOf, summarise } from './service-member.ts'

type Details = Readonly<Record<string, Json | undefined>>

/** Emits the declared event (`badge.detected`) of each plugin with findings. */
export function noteDetections(x: ChatExchange, direction: 'input' | 'output', sent = true): void {
  if (x.findings.length === 0) return
  const found = x.findings.filter((entry) => entry.direction === direction)
  for (const plugin of new Set(found.map((entry) => entry.plugin))) {
    const event = x.chain.detectionEvents.get(plugin)
    if (event === undefined) continue
    const detections = found
      .filter((entry) => entry.plugin === plugin)
      .map(({ type, count, action }) => ({ type, count, action }))
    x.note(event, { direction, detections })
  }
  if (sent && found.some(({ action }) => action === 'redact' || action === 'tokenize')) {
    x.note(direction === 'input' ? 'request.redacted' : 'response.redacted', { direction })
  }
}

/**
 * Emits the last event of the exchange. If a measurement fails, it emits the event first and then throws the error.
 *
 * @param called a provider or a plugin had been asked to answer
 */
export function noteTerminal(x: ChatExchange, outcome: Outcome, called: boolean, details: Details): void {
  const { code } = details
  const isRefusal = CORE_REFUSALS.has(code) || x.chain.errors.get(code as string)?.refusal === true
  // Nothing works until the operator acts, so it is an alert by default.
  const severity = code === CATALOGUE.GW_UPSTREAM_DENIED.code ? 'block' : isRefusal ? 'action' : undefined
  let measured: Record<string, Json | undefined> = {}
  try {
    noteDetections(x, 'output')
    measured = measurements(x)
  } finally {
    x.note(terminalEvent(outcome, called), Object.assign(measured, details), severity)
  }
}

const OUTCOME_EVENTS: Readonly<Record<Outcome, string>> = {
  pending: 'upstream.failed',
  completed: 'request.completed',
  answered: 'request.completed',
  rejected: 'request.rejected',
  blocked: 'request.blocked',
  aborted: 'stream.aborted',
  upstream_failed: 'upstream.failed',
}

/** What was done, where the findings do not say it. */
const OUTCOME_ACTIONS: Readonly<Partial<Record<Outcome, string>>> = { blocked: 'block', rejected: 'reject' }

const terminalEvent = (outcome: Outcome, called: boolean): string =>
  outcome === 'blocked' && called ? 'response.blocked' : OUTCOME_EVENTS[outcome]

function measurements(x: ChatExchange): Record<string, Json | undefined> {
  const now = performance.now()
  const { usage } = x.reply
  return {
    status: x.reply.status,
    action: OUTCOME_ACTIONS[x.reply.outcome] ?? actionOf(x),
    stream: x.request.stream,
    output_classification: x.outputLabel,
    rules: x.rules,
    detections: x.findings.length === 0 ? undefined : summarise(x),
    tokens: usage === undefined ? undefined : { prompt: usage.prompt, completion: usage.completion },
    cost: x.reply.cost,
    latency_ms: Math.round(now - x.startedAt),
    first_byte_ms: x.firstByteAt === undefined ? undefined : Math.round(x.firstByteAt - x.startedAt),
    attempts: x.reply.attempts?.map(({ upstream, result }) => ({ upstream, result })),
    routing: x.reply.routing,
    retry_count: retryCount(x),
  }
}

function retryCount(x: ChatExchange): number | undefined {
  const count = Number(x.request.headers['x-stainless-retry-count'])
  return Number.isInteger(count) && count > 0 && count < 1000 ? count : undefined
}
