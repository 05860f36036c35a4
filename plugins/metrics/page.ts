/** The page: figures of all workers, in Prometheus' text format. */
import type { Figure, Json, Services } from 'governed-gateway'
import { AggregatorRegistry } from 'prom-client'
import type { ProcessFigures } from './process.ts'
import type { Recorder } from './recorder.ts'
import { type Family, gauge } from './series.ts'

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export interface PageParts {
  readonly services: Pick<Services, 'figures' | 'peers' | 'version'>
  readonly recorder: Recorder
  readonly process: ProcessFigures
}

/** The text for a scraper. */
export async function page(parts: PageParts): Promise<string> {
  const others = (await parts.services.peers.ask()) as unknown as readonly Family[][]
  return AggregatorRegistry.aggregate([await own(parts), ...others] as never).metrics()
}

/** What this worker tells the others: its own counts, and those of its dead predecessors. */
export async function answer(parts: PageParts): Promise<Json> {
  return (await own(parts)) as unknown as Json
}

async function own({ services, recorder, process: figures }: PageParts): Promise<Family[]> {
  const info = [{ value: 1, labels: { version: services.version, node: process.versions.node } }]
  const families = [
    gauge('gateway_build_info', info, 'first'),
    ...recorder.families(),
    ...figures.families(),
    ...(await services.figures()).map(familyOf),
  ]
  const inherited = services.peers.inherited as unknown as readonly Family[] | undefined
  if (inherited === undefined) return families
  const counts = inherited.filter(({ type, aggregator }) => type !== 'gauge' && aggregator === 'sum')
  return (await AggregatorRegistry.aggregate([families, counts] as never).getMetricsAsJSON()) as unknown as Family[]
}

function familyOf({ name, help, kind, across = 'sum', samples }: Figure): Family {
  const values = samples.map(({ value, labels = {} }) => ({ value, labels: { ...labels } }))
  return { name: `gateway_${name}`, help, type: kind, aggregator: across, values }
}
