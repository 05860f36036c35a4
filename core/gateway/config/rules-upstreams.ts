import type { Report } from '../../engine/config/report.ts'
import type { ConfigData } from '../../engine/config/types.ts'
import { CREDENTIALS, HOP_BY_HOP } from '../../engine/contract/header-rules.ts'
import { shapesOf } from '../../engine/upstreams/kinds.ts'
import { quotedWord } from '../../engine/util/outside.ts'
import { connectionRules } from './rules-connections.ts'

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Headers that the relay writes itself, or that concern a single connection. */
const OWN_HEADERS = new Set([...HOP_BY_HOP, 'content-encoding', 'content-length', 'content-type', 'expect', 'host'])

const EXAMPLES = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  azure: 'https://NAME.openai.azure.com',
} as const

/** `folder` is the base of relative paths. */
export function upstreamRules(upstreams: ConfigData['upstreams'], folder: string, report: Report): void {
  for (const [name, upstream] of Object.entries(upstreams)) {
    const at = ['upstreams', name] as const
    if (upstream.kind === 'demo') {
      for (const member of ['url', 'key', 'keys', 'key_file', 'key_command', 'tls', 'proxy', 'health_check'] as const) {
        if (upstream[member] !== undefined)
          report([...at, member], 'means nothing with kind demo, which answers by itself')
      }
      for (const [i, shape] of (upstream.shapes ?? []).entries()) {
        const own = shapesOf({ kind: 'demo' })
        if (!own.includes(shape)) report([...at, 'shapes', i], `is not answered by demo, only ${own.join(', ')}`)
      }
    } else if (upstream.url === undefined) {
      report(at, `needs "url", such as ${EXAMPLES[upstream.kind]}`)
    } else {
      const problem = urlProblem(upstream.url, EXAMPLES[upstream.kind], upstream.kind)
      if (problem !== undefined) report([...at, 'url'], problem)
    }
    connectionRules(upstream, folder, (path, message) => report([...at, ...path], message))
    for (const member of ['api_version', 'deployments'] as const) {
      if (upstream.kind !== 'azure' && upstream[member] !== undefined)
        report([...at, member], 'means nothing except with kind azure')
    }
    loadRules(upstream, (path, message) => report([...at, ...path], message))
    for (const [header, value] of Object.entries(upstream.headers)) {
      const problem = headerProblem(header, OWN_HEADERS, 'the gateway writes it')
      if (problem !== undefined) report([...at, 'headers', header], problem)
      else if (!/^[\t\x20-\x7e]*$/.test(value)) report([...at, 'headers', header], 'must be visible ASCII on one line')
    }
    for (const [i, header] of upstream.forward_headers.entries()) {
      const path = [...at, 'forward_headers', i]
      const problem =
        headerProblem(header, OWN_HEADERS, 'the gateway writes it') ??
        headerProblem(header, CREDENTIALS, "a client's credentials never reach a provider")
      if (problem !== undefined) report(path, problem)
    }
  }
}

/** Options that contradict each other. */
function loadRules({ breaker, health_check: check }: ConfigData['upstreams'][string], report: Report): void {
  if (check !== undefined && !breaker.enabled) report(['health_check'], 'means nothing with breaker.enabled: false')
  if (breaker.open_seconds > breaker.max_open_seconds) {
    report(['breaker', 'open_seconds'], 'is more than max_open_seconds: it must be at most as long')
  }
}

/** Never repeats the url: it may contain a misplaced secret. */
function urlProblem(text: string, like: string, kind: string): string | undefined {
  const example = `write it like ${like}`
  if (!/^https?:\/\/[^/]/.test(text) || /[\s\\]/.test(text) || !URL.canParse(text)) {
    return `is not a valid http or https url: ${example}`
  }
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password: use key or headers'
  if (url.search !== '' || url.hash !== '') return `must not have a query or fragment: ${example}`
  if (url.port === '0') return 'must not name port 0'
  const [, end] = /(\/chat\/completions|\/messages)\/?$/.exec(url.pathname) ?? []
  if (kind === 'azure' && /\/openai(?:\/|$)/.test(url.pathname)) return `must end before /openai: ${example}`
  if (end === '/messages' && kind === 'openai') {
    return `must end before ${end}: write it like ${EXAMPLES.anthropic}, with kind: anthropic`
  }
  if (end !== undefined) return `must end before ${end}: ${example}`
  return undefined
}

function headerProblem(name: string, forbidden: ReadonlySet<string>, why: string): string | undefined {
  if (!TOKEN.test(name)) return `${quotedWord(name)} is not a valid header name`
  return forbidden.has(name.toLowerCase()) ? `must not name ${name.toLowerCase()}: ${why}` : undefined
}
