/** Rules beyond JSON Schema: references between parts, addresses, globs, dates, stores. */
import { resolve } from 'node:path'
import { placed, type Segment } from '../../engine/config/paths.ts'
import type { Problem, Report, Sound } from '../../engine/config/report.ts'
import type { ConfigData } from '../../engine/config/types.ts'
import { isAddress, parseRange } from '../../engine/egress/address.ts'
import { allowProblem } from '../../engine/egress/allow.ts'
import { absoluteFiles, parse } from '../../services/store/redis/options.ts'
import { isInNodeModules } from './data-base.ts'
import { keyRules } from './rules-keys.ts'
import { listenRules } from './rules-listen.ts'
import { routeRules } from './rules-routes.ts'
import { upstreamRules } from './rules-upstreams.ts'

/**
 * @param folder that of the config file
 * @param address what `listen` says of host and port itself, without defaults
 */
export function checkRules(
  data: ConfigData,
  broken: readonly string[],
  folder: string,
  address: readonly string[],
): Problem[] {
  const problems: Problem[] = []
  const report: Report = (path, message) => problems.push(placed(path, message))
  const sound: Sound = (path) => {
    const pointer = path.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
    return !broken.some((bad) => bad === pointer || bad.startsWith(`${pointer}/`) || pointer.startsWith(`${bad}/`))
  }
  if (sound(['upstreams'])) upstreamRules(data.upstreams, folder, report)
  else
    eachSound(Object.entries(data.upstreams ?? {}), ['upstreams'], sound, (name, one) =>
      upstreamRules({ [name]: one }, folder, report),
    )
  routeRules(data, report, sound)
  keyRules(data, report, sound)
  if (sound(['store'])) storeRules(data, folder, report)
  if (sound(['listen'])) listenRules(data, address, folder, sound, report)
  if (sound(['listen', 'trusted_proxies'])) proxyRules(data, report)
  if (sound(['egress', 'allow'])) egressRules(data, report)
  return problems
}

function eachSound<T>(
  entries: readonly (readonly [string, T])[],
  base: readonly Segment[],
  sound: Sound,
  rule: (name: string, value: T) => void,
): void {
  for (const [name, value] of entries) if (sound([...base, name])) rule(name, value)
}

function storeRules(data: ConfigData, folder: string, report: Report): void {
  const { store } = data
  if (store === 'memory') return
  if (store.startsWith('file:')) {
    if (store.length === 'file:'.length) report(['store'], 'names no folder: write file:./data')
    else if (isInNodeModules(resolve(folder, store.slice('file:'.length))))
      report(['store'], 'is a folder below node_modules, which npm replaces at an upgrade: name another')
    return
  }
  if (!/^rediss?:/.test(store)) {
    report(['store'], 'must be memory, file:<folder>, redis://host:port/db or rediss://host:port/db')
    return
  }
  // Never repeat the url: it may contain a password.
  const hostname = URL.canParse(store) ? new URL(store).hostname : ''
  if (hostname === '') report(['store'], 'is not a valid Redis url: write redis://host:6379/0')
  else redisRules(store, folder, report)
  if (data.secret === undefined) {
    report(['secret'], 'is required with Redis, the same on every instance: set SERVICE_SECRET or secret')
  }
  if (Array.isArray(data.keys) && data.keys.length === 0) {
    report(['keys'], 'is empty: with Redis, instances cannot each make their own; see governed-gateway keys create')
  }
}

/** Loads the certificates, the only way to know whether they are readable and match. */
function redisRules(store: string, folder: string, report: Report): void {
  try {
    parse(absoluteFiles(store, folder))
  } catch (error) {
    report(['store'], (error as Error).message)
  }
}

function proxyRules({ listen }: ConfigData, report: Report): void {
  for (const [i, range] of listen.trusted_proxies.entries()) {
    if (isAddress(range) || parseRange(range) !== undefined) continue
    report(['listen', 'trusted_proxies', i], `is neither an address nor a CIDR range such as 10.0.0.0/8`)
  }
}

function egressRules({ egress }: ConfigData, report: Report): void {
  for (const [i, entry] of egress.allow.entries()) {
    const problem = allowProblem(entry)
    if (problem !== undefined) report(['egress', 'allow', i], problem)
  }
}
