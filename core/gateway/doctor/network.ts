/** What the gateway must reach: providers and receivers. Sends no prompt, and shows no key. */
import type { Config, UpstreamConfig } from '../../engine/config/types.ts'
import { EgressError } from '../../engine/egress/category.ts'
import { declarationOf } from '../../engine/host/declaration.ts'
import type { LoadedPlugin } from '../../engine/host/loaded-plugin.ts'
import { ownHeaders } from '../../engine/upstreams/headers.ts'
import { kindOf } from '../../engine/upstreams/kinds.ts'
import { Transport } from '../../engine/upstreams/transport.ts'
import { request } from '../../engine/util/undici.ts'
import { Egress } from '../../services/egress/egress.ts'
import type { Finding } from './report.ts'
import type { Current } from './settings.ts'

const WAIT_MS = 5000
/** A clock that is further off breaks signatures, certificates and the order of events. */
const MOST_SKEW_MS = 30_000

export async function upstreams(config: Pick<Config, 'upstreams'>): Promise<Finding[]> {
  const found = await Promise.all(Object.entries(config.upstreams).map(([name, one]) => upstream(name, one)))
  return found.flat()
}

async function upstream(subject: string, config: UpstreamConfig): Promise<Finding[]> {
  const base = { area: 'upstreams', subject } as const
  if (config.url === undefined) return [{ ...base, status: 'info', message: `kind ${config.kind}: answers by itself` }]
  const { origin } = new URL(config.url)
  const began = performance.now()
  let transport: Transport | undefined
  try {
    transport = new Transport(origin, config, () => {})
    const url = new URL(`${config.url}${kindOf(config).models ?? ''}`)
    const { statusCode, headers, body } = await request(transport.dispatcher, url, {
      method: 'GET',
      headers: { ...ownHeaders(config) },
      signal: AbortSignal.timeout(WAIT_MS),
    })
    const skew = skewOf(headers.date)
    await body.dump().catch(() => {})
    const message = `${origin} answered ${statusCode} after ${Math.round(performance.now() - began)} ms`
    return [...skew, answered(base, statusCode, message)]
  } catch (error) {
    const message = `${origin} does not answer (${nameOf(error)})`
    const advice = 'Check the name, the firewall, the certificate and `proxy`; a proxy of the environment is not used.'
    return [{ ...base, status: 'failure', message, advice }]
  } finally {
    await transport?.close()
  }
}

function answered(base: Pick<Finding, 'area' | 'subject'>, status: number, message: string): Finding {
  if (status === 401 || status === 403) {
    return {
      ...base,
      status: 'failure',
      message,
      advice: 'The provider refuses the key: check `key` of this upstream.',
    }
  }
  if (status >= 500)
    return { ...base, status: 'warning', message, advice: 'The provider has trouble: see its status page.' }
  return { ...base, status: 'ok', message }
}

/** Compares the clock with that of the provider. */
function skewOf(date: string | string[] | undefined): Finding[] {
  const time = typeof date === 'string' ? Date.parse(date) : Number.NaN
  if (Number.isNaN(time)) return []
  const skew = Math.round((Date.now() - time) / 1000)
  if (Math.abs(skew) * 1000 <= MOST_SKEW_MS) return []
  const message = `${Math.abs(skew)} s ${skew > 0 ? 'ahead of' : 'behind'} a provider`
  return [
    { area: 'clock', subject: 'offset', status: 'warning', message, advice: 'Synchronise the clock: NTP, chrony.' },
  ]
}

/** The error's code or class; messages may hold addresses with secrets. */
function nameOf(error: unknown): string {
  const { code, name, cause } = error as { code?: string; name?: string; cause?: { code?: string } }
  if (error instanceof EgressError) return error.category
  if (name === 'TimeoutError') return `no answer within ${WAIT_MS / 1000} s`
  return cause?.code ?? code ?? name ?? 'unknown'
}

/** Connects to every address in options and current settings of plugins, through the egress guard. Sends nothing. */
export async function receivers(
  { egress: { allow } }: Pick<Config, 'egress'>,
  plugins: readonly LoadedPlugin[],
  current: Current,
): Promise<Finding[]> {
  const egress = new Egress(allow)
  try {
    const targets = plugins.flatMap((plugin) => {
      const { settings } = plugin.spec
      const live = settings === undefined ? [] : declarationOf(settings).fields
      const fixed = Object.entries(plugin.options as object).filter(([name]) => !live.includes(name))
      const urls = new Set([...urlsIn(fixed), ...urlsIn(current(plugin))])
      return [...urls].map((url) => ({ plugin: plugin.spec.name, url }))
    })
    return await Promise.all(targets.map(({ plugin, url }) => receiver(egress, plugin, url)))
  } finally {
    await egress.close()
  }
}

/** Of web servers and of syslog. */
const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'tcp:': 514, 'tls:': 6514 }

async function receiver(egress: Egress, subject: string, url: string): Promise<Finding> {
  const { protocol, hostname, port } = new URL(url)
  const isTls = protocol === 'https:' || protocol === 'tls:'
  const target = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || PORTS[protocol]) }
  const base = { area: 'receivers', subject } as const
  const address = `${target.host}:${target.port}`
  try {
    const socket = await egress.connect({ ...target, tls: isTls, timeoutMs: WAIT_MS })
    socket.destroy()
    return { ...base, status: 'ok', message: `${address} takes connections` }
  } catch (error) {
    const isRefused = error instanceof EgressError && error.code === 'GW_SSRF_BLOCKED'
    const advice = isRefused
      ? `The egress guard refuses the address. If it is yours, add ${address} to egress.allow.`
      : 'Check the name, the firewall and the certificate.'
    return { ...base, status: 'failure', message: `${address} cannot be reached (${nameOf(error)})`, advice }
  }
}

function urlsIn(value: unknown): string[] {
  if (typeof value === 'string') return /^(https?|tcp|tls):\/\/[^/\s]/.test(value) && URL.canParse(value) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(urlsIn)
}
