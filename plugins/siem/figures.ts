/** Figures of the export, for monitoring. */
import type { FigureSpec, Sample } from 'governed-gateway'
import { readStatus } from './delivery/status.ts'
import type { RouteParts } from './routes.ts'

type Parts = Pick<RouteParts, 'deadLetter' | 'backlog'> & { readonly store: Parameters<typeof readStatus>[0] }

const OUTCOMES = ['delivered', 'filtered', 'rejected', 'dropped', 'retries'] as const

/** All processes read the same store. */
export function figures({ store, deadLetter, backlog }: Parts): readonly FigureSpec[] {
  const gauge = (name: string, help: string, read: () => Promise<number>): FigureSpec => ({
    ...{ name, help, kind: 'gauge', across: 'first' },
    read: async (): Promise<readonly Sample[]> => [{ value: await read() }],
  })
  return [
    gauge('siem_queue_events', 'Audit events that wait for the receiver.', async () => (await backlog()).events),
    gauge('siem_queue_oldest_age_seconds', 'Age of the oldest event that waits.', async () => {
      const { oldest } = await backlog()
      return oldest === null ? 0 : Math.max(0, (Date.now() - oldest) / 1000)
    }),
    gauge('siem_dead_letter_events', 'Events that the receiver rejected.', () => deadLetter.count()),
    {
      name: 'siem_events_total',
      help: 'Audit events by what became of them; retries are attempts.',
      kind: 'counter',
      across: 'first',
      read: async () => {
        const status = await readStatus(store)
        return OUTCOMES.map((outcome) => ({ value: status[outcome], labels: { outcome } }))
      },
    },
  ]
}
