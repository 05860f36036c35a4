/** What a plugin emits before there is a chain. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { GovernanceEvent, Instance, PluginSpec, Services } from '../../../../core/engine/contract/plugin.ts'
import { assemble } from '../../../../core/engine/host/host.ts'
import { loaded, NO_OPTIONS, resources, silent } from '../../../helpers/core.ts'

const events = {
  'acme.counted': {
    severity: 'info',
    schema: { type: 'object', properties: { n: { type: 'integer' } } },
  },
} as const

const plugin = (create: (services: Services) => Instance): PluginSpec =>
  ({ name: 'acme', schema: NO_OPTIONS, events, create: (_: unknown, services: Services) => create(services) }) as never

async function told(...specs: PluginSpec[]): Promise<GovernanceEvent[]> {
  const seen: GovernanceEvent[] = []
  const from = resources({ ...silent, event: (event) => void seen.push(event as GovernanceEvent) })
  await assemble(
    specs.map((spec, i) => loaded(spec, i)),
    from,
  )
  return seen
}

describe('services.emit before the chain', () => {
  it('is told once all have started, in order, with the time of the call', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 1_000 })
    const emit = (services: Services, n: number) => services.emit('acme.counted' as never, { n } as never)
    const first = plugin((services) => {
      emit(services, 1)
      t.mock.timers.setTime(2_000)
      return { start: () => emit(services, 2) }
    })
    const last = { ...plugin(() => ({ start: () => t.mock.timers.setTime(9_000) })), name: 'last' }
    const seen = await told(first, last)
    assert.deepEqual(
      seen.map(({ type, n, time, severity }) => [type, n, time, severity]),
      [
        ['acme.counted', 1, '1970-01-01T00:00:01.000Z', 'info'],
        ['acme.counted', 2, '1970-01-01T00:00:02.000Z', 'info'],
      ],
    )
  })

  it('refuses what is not the plugin’s at the call', async () => {
    const foreign = plugin((services) => ({ start: () => services.emit('other.event' as never, {} as never) }))
    await assert.rejects(told(foreign), /'acme' did not start: The event 'other\.event' is declared by no plugin/)
  })

  it('keeps a bound', async () => {
    const many = plugin((services) => ({
      start() {
        for (let n = 0; n < 5_000; n++) services.emit('acme.counted' as never, { n } as never)
      },
    }))
    assert.equal((await told(many)).length, 1_000)
  })
})
