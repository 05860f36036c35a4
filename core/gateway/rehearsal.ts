import type { Config } from '../engine/config/types.ts'
import { buildChain, createMember, declaredBy, type HostResources, type Member } from '../engine/host/host.ts'
import type { LoadedPlugin } from '../engine/host/loaded-plugin.ts'
import { Ledger } from '../services/audit/ledger.ts'
import { Egress } from '../services/egress/egress.ts'
import { createLogger } from '../services/logger.ts'
import { servicesOf } from '../services/open.ts'
import { StoreClient } from '../services/store/client.ts'
import { MemoryDriver } from '../services/store/memory.ts'
import type { Problem } from './config/load.ts'

/**
 * Creates and registers plugins without starting them, so that `create` and `apply` can find what a schema cannot.
 * `whole`: these are all plugins, so also assembles them.
 */
export async function rehearse(
  { egress: { allow } }: Pick<Config, 'egress'>,
  plugins: readonly LoadedPlugin[],
  folder: string,
  whole: boolean,
): Promise<Problem[]> {
  const log = createLogger({ level: 'silent', destination: { write: () => {} } })
  const store = new StoreClient(new MemoryDriver())
  const ledger = new Ledger(store, log)
  const egress = new Egress(allow)
  const openServices = servicesOf({
    ...{ store, ledger, egress, instance: 'check', configFolder: folder, env: process.env, reloadState: new Map() },
    keys: () => [],
    subkey: () => Buffer.alloc(32),
  })
  const resources: HostResources = { log, recorder: ledger, instance: 'check', openServices }
  const problems: Problem[] = []
  const members: Member[] = []
  const attempt = async <T>(step: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await step()
    } catch (error) {
      problems.push(...problemsOf(error, plugins))
      return undefined
    }
  }
  const declared = declaredBy(plugins)
  for (const plugin of plugins) {
    const member = await attempt(() => createMember(plugin, resources, declared))
    if (member !== undefined) members.push(member)
  }
  if (whole && problems.length === 0) await attempt(() => buildChain(members, declared, resources))
  for (const { opened } of members) opened.close()
  await egress.close()
  await ledger.close()
  await store.close()
  return problems
}

/**
 * Parses `plugins[2]: 'budget' could not be created: options.limits[0].limit must be …`, with further problems on
 * further lines.
 */
function problemsOf(error: unknown, plugins: readonly LoadedPlugin[]): Problem[] {
  const { message: whole } = error as Error
  const [, plugin = '', problem = ''] = /^(plugins\[\d+\]): (.*)$/s.exec(whole) ?? []
  if (plugin === '')
    return [{ path: plugins.find(({ spec }) => whole.startsWith(`'${spec.name}' `))?.path ?? '', message: whole }]
  const [, reasons = problem] = /^'.*?' could not be created: (.*)$/s.exec(problem) ?? []
  return reasons.split('\n').map((reason) => {
    const [, option, message] = /^(?:[\w-]+: )?(options[\w.[\]]*):? (.*)$/s.exec(reason) ?? []
    return option === undefined
      ? { path: plugin, message: problem.includes('\n') ? reason : problem }
      : { path: `${plugin}.${option}`, message: message as string }
  })
}
