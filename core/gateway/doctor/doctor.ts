/** Looks at everything that a gateway with this config needs, before or while it runs. */
import { createServer } from 'node:net'
import { dirname, resolve } from 'node:path'
import type { Config } from '../../engine/config/types.ts'
import type { LoadedPlugin } from '../../engine/host/loaded-plugin.ts'
import { packageVersion } from '../../engine/util/package.ts'
import { Pool, request } from '../../engine/util/undici.ts'
import { ConfigError, type Problem, withLines } from '../config/load.ts'
import { type Inspected, inspect } from '../load.ts'
import { writtenFiles } from '../places.ts'
import { clockFinding, fileFindings, limits, logFindings, versions } from './machine.ts'
import { receivers, upstreams } from './network.ts'
import type { Finding, Report } from './report.ts'
import { currentSettings } from './settings.ts'
import { store } from './store.ts'

export interface DoctorOptions {
  readonly file: string
  /** Makes no network requests. */
  readonly offline: boolean
  readonly env: Readonly<Record<string, string | undefined>>
}

export async function examine({ file, offline, env }: DoctorOptions): Promise<Report> {
  const findings = [...versions()]
  const inspected = await read(file)
  if (inspected instanceof ConfigError) findings.push(...findingsOf(inspected.problems, 'failure', file))
  else {
    const { config, problems, readable, warnings, plugins } = inspected
    findings.push(
      ...findingsOf(withLines(readable, problems), 'failure', file),
      ...findingsOf(warnings, 'warning', file),
    )
    if (config !== undefined && problems.length === 0) {
      const written = writtenFiles(plugins, dirname(resolve(file)))
      findings.push(...summary(config, file), ...logFindings(config), ...fileFindings(written), await listens(config))
      findings.push(...(await store(config, offline)))
      if (!offline) findings.push(...(await upstreams(config)), ...(await reachable(config, plugins, env)))
      findings.push(clockFinding(), ...limits(config))
    }
  }
  const ok = findings.every(({ status }) => status !== 'failure')
  return { ok, version: packageVersion(), findings: grouped(findings) }
}

/** Receivers of the settings in force. */
async function reachable(
  config: Config,
  plugins: readonly LoadedPlugin[],
  env: DoctorOptions['env'],
): Promise<Finding[]> {
  const { current, findings } = await currentSettings(config, plugins, env)
  return [...findings, ...(await receivers(config, plugins, current))]
}

async function read(file: string): Promise<Inspected | ConfigError> {
  try {
    return await inspect(file)
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
}

const findingsOf = (problems: readonly Problem[], status: 'failure' | 'warning', file: string): Finding[] =>
  problems.map(({ path, line, message }) => ({
    ...{ area: 'config', status },
    ...(path === ''
      ? { subject: 'file', message: line === undefined ? `${file} ${message}` : message }
      : { subject: path, message }),
    ...((path !== '' || line !== undefined) && { advice: `In ${file}${line === undefined ? '' : `, line ${line}`}.` }),
  }))

/** Names and numbers of the config; no key, token or password. */
function summary(config: Config, file: string): Finding[] {
  const line = (subject: string, message: string): Finding => ({ area: 'config', subject, status: 'info', message })
  const names = config.plugins.filter(({ enabled }) => enabled).map(({ use }) => use)
  return [
    { area: 'config', subject: 'file', status: 'ok', message: file },
    line('plugins', names.join(', ') || 'none: a plain proxy'),
    line('keys', config.keys.length === 0 ? 'none: the first start makes some' : `${config.keys.length}`),
    line('workers', String(config.workers)),
  ]
}

/** Whether the port is free, or a gateway already answers there. */
async function listens({ listen: { host, port } }: Config): Promise<Finding> {
  const subject = `${host}:${port}`
  const finding = (status: Finding['status'], message: string, advice?: string): Finding => ({
    ...{ area: 'listen', subject, status, message },
    ...(advice !== undefined && { advice }),
  })
  const code = await tryPort(host, port)
  if (code === undefined) return finding('ok', 'free')
  if (code !== 'EADDRINUSE')
    return finding('failure', `cannot be used (${code})`, 'Choose another: listen.host, listen.port.')
  const answer = await health(host, port)
  if (answer === undefined) {
    return finding('failure', 'in use, and not by a gateway', 'Stop what uses it, or choose another listen.port.')
  }
  return finding(answer.status === 'ok' ? 'ok' : 'warning', `a gateway runs: ${answer.reason ?? answer.status}`)
}

function tryPort(host: string, port: number): Promise<string | undefined> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
}

interface Health {
  readonly status: string
  readonly reason?: string
}

async function health(host: string, port: number): Promise<Health | undefined> {
  const at = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  const url = new URL(`http://${at}:${port}/health/ready`)
  const pool = new Pool(url.origin)
  try {
    const { body } = await request(pool, url, { method: 'GET', signal: AbortSignal.timeout(2000) })
    const answer = (await body.json()) as Partial<Health>
    return typeof answer.status === 'string' ? (answer as Health) : undefined
  } catch {
    return undefined
  } finally {
    await pool.destroy()
  }
}

const ORDER = ['versions', 'config', 'listen', 'store', 'upstreams', 'receivers', 'clock', 'limits'] as const
const grouped = (findings: readonly Finding[]): Finding[] =>
  ORDER.flatMap((area) => findings.filter((finding) => finding.area === area))
