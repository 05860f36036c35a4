/** How the gateway reaches an upstream: keys, certificates, proxies. */
import { resolve } from 'node:path'
import type { Report } from '../../engine/config/report.ts'
import type { ConfigData } from '../../engine/config/types.ts'
import { readKeyFile } from '../../engine/upstreams/credential.ts'
import { readTls, type TlsFileError, type TlsFiles } from '../../engine/util/tls-files.ts'

type Upstream = ConfigData['upstreams'][string]

const KEYS = ['key', 'keys', 'key_file', 'key_command'] as const

export function connectionRules(upstream: Upstream, folder: string, report: Report): void {
  if (upstream.kind === 'demo') return
  const [first, second] = KEYS.filter((member) => upstream[member] !== undefined)
  if (second !== undefined) report([second], `stands beside ${first}: an upstream has one of ${KEYS.join(', ')}`)
  if (upstream.key_file !== undefined) keyFileRule(resolve(folder, upstream.key_file), report)
  if (upstream.tls !== undefined) {
    if (!upstream.url?.startsWith('https:') && upstream.url !== undefined)
      report(['tls'], 'means nothing with an http url: write https')
    else tlsRules(upstream.tls, folder, (path, message) => report(['tls', ...path], message))
  }
  if (upstream.proxy !== undefined) {
    const problem = proxyProblem(upstream.proxy)
    if (problem !== undefined) report(['proxy'], problem)
  }
}

/** A certificate and its key go together; every file must be usable. */
export function tlsRules(tls: TlsFiles, folder: string, report: Report): void {
  const { cert_file: cert, key_file: key } = tls
  if (cert !== undefined && key === undefined)
    return report(['key_file'], 'is missing: cert_file needs its private key')
  if (key !== undefined && cert === undefined)
    return report(['cert_file'], 'is missing: key_file needs its certificate')
  try {
    readTls(absoluteTls(tls, folder))
  } catch (error) {
    const { member, message } = error as TlsFileError
    report([member], message)
  }
}

/** The same members with absolute paths. */
export function absoluteTls<T extends TlsFiles>(tls: T, folder: string): T {
  const made = { ...tls } as Record<string, unknown>
  for (const member of ['ca_file', 'cert_file', 'key_file'] as const) {
    const file = tls[member]
    if (file !== undefined) made[member] = resolve(folder, file)
  }
  return made as T
}

function keyFileRule(file: string, report: Report): void {
  try {
    readKeyFile(file)
  } catch (error) {
    report(['key_file'], (error as Error).message)
  }
}

/** Never repeats the url: it may hold a password. */
function proxyProblem(text: string): string | undefined {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '')
    return 'is not a valid proxy url: write it like http://user:password@proxy.example:3128'
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') return 'must end after host and port'
  try {
    decodeURIComponent(url.username + url.password)
    return undefined
  } catch {
    return 'has a user name or password that is not percent-encoded: write % as %25, @ as %40'
  }
}
