/** A gateway with an embedded store whose calls a test lets fail, and what its audit log holds. */
import { definePlugin, type Exchange, type Hold } from 'governed-gateway'
import type { PluginSpec } from '../../../../core/engine/contract/plugin.ts'
import type { JsonObject } from '../../../../core/engine/contract/store.ts'
import { unavailable } from '../../../../core/engine/contract/store-errors.ts'
import { CallDriver } from '../../../../core/services/store/calls.ts'
import type { OpName } from '../../../../core/services/store/ops.ts'
import { NO_OPTIONS } from '../../../helpers/core.ts'
import { allRecords } from '../store/faults.ts'
import { withStore } from '../store/here.ts'

/** `before`: the call fails and did nothing; `after`: it fails and happened; `wait`: it waits until faults are over. */
export type Fault = 'before' | 'after' | 'wait'

type Call = (name: OpName, args: unknown) => Promise<unknown>

/** Lets calls of the embedded store fail, in this process. */
export class Faults {
  /** Calls made, by name. */
  readonly calls: { readonly name: OpName; readonly args: never }[] = []
  #fault: Fault | undefined = undefined
  #names: readonly OpName[] = []
  #over = Promise.withResolvers<void>()

  constructor(owner: { after(fn: () => void): void }) {
    const prototype = CallDriver.prototype as unknown as { call: Call }
    const { call } = prototype
    const faults = this
    prototype.call = async function (this: unknown, name, args) {
      faults.calls.push({ name, args: args as never })
      if (faults.#fault === undefined || !faults.#names.includes(name)) return call.call(this, name, args)
      if (faults.#fault === 'wait') await faults.#over.promise
      if (faults.#fault === 'after') await call.call(this, name, args)
      if (faults.#fault === 'before' || faults.#fault === 'after') throw unavailable('The test took the store away.')
      return call.call(this, name, args)
    }
    owner.after(() => {
      this.end()
      prototype.call = call
    })
  }

  begin(fault: Fault, ...names: OpName[]): void {
    this.#fault = fault
    this.#names = names.length > 0 ? names : ['begin', 'end', 'append', 'increment', 'renew', 'lapsed', 'topUp']
  }

  end(): void {
    this.#fault = undefined
    this.#over.resolve()
    this.#over = Promise.withResolvers()
  }
}

/** Makes events durable, and reads nothing. */
export const reader = definePlugin({
  name: 'reader',
  schema: NO_OPTIONS,
  create(_options, { auditLog }) {
    auditLog()
    return {}
  },
}) as PluginSpec

/** Requests of a key: each takes one, completed ones pay it. */
export const requests = (limit: number): PluginSpec =>
  definePlugin({
    name: 'requests',
    governs: 'usage',
    schema: NO_OPTIONS,
    create: () => ({
      apply(hooks) {
        const holds = new WeakMap<Exchange, Hold>()
        hooks.block.tap('requests', (x) => {
          const scopes = [{ key: x.caller.keyId, window: { calendar: 'month' }, limit, amount: 1 } as const]
          holds.set(x, x.reserve({ scopes, refused: () => ({ reason: 'All are spent', code: 'spent' }) }))
        })
        hooks.postResponse.tap('requests', (x) => {
          holds.get(x)?.settle({ [x.caller.keyId]: x.reply.outcome === 'completed' ? 1 : 0 })
        })
      },
    }),
  }) as PluginSpec

const TERMINAL = [
  'request.completed',
  'request.blocked',
  'request.rejected',
  'response.blocked',
  'stream.aborted',
  'upstream.failed',
]

export const isTerminal = ({ type }: { readonly type?: unknown }): boolean => TERMINAL.includes(String(type))

/** The audit log in a folder; the gateway that owned it must be closed. */
export const trail = (path: string): Promise<JsonObject[]> => withStore(path, allRecords)
