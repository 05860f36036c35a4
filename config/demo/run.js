/** `config/demo.sh`. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startLoad } from './load.js'
import { check, checkPorts, DemoError, has, Processes, ready } from './processes.js'
import { startCollector, startProvider, startSiem } from './services.js'

const HELP = `Starts two gateways on one Redis, Prometheus, receivers of traces and of a SIEM, a provider and a load.
Everything listens on 127.0.0.1 and ends with Ctrl-C; nothing is kept.

Usage: config/demo.sh [options]

  --port N       first of seven ports in a row: gateways, provider, traces, SIEM, Redis, Prometheus. Default 8787
  --rate N       requests a second, 0.1 to 200. Default 5
  --seconds N    ends after so many seconds. Default: runs until Ctrl-C
  --help         shows this

Needs redis-server. Without prometheus the rest runs.
`
const NAMES = ['node-a', 'node-b', 'provider', 'traces', 'siem', 'redis', 'prometheus']
const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url))
const say = (text) => process.stdout.write(`${text}\n`)

function optionsOf(args) {
  const text = { type: 'string' }
  let values
  try {
    values = parseArgs({ args, options: { port: text, rate: text, seconds: text, help: { type: 'boolean' } } }).values
  } catch (error) {
    throw new DemoError(`${error.message.split('\n')[0]} See --help.`)
  }
  const number = (name, fallback, low, high) => {
    const value = Number(values[name] ?? fallback)
    if (!(value >= low && value <= high)) throw new DemoError(`--${name} must be a number from ${low} to ${high}`)
    return value
  }
  const port = number('port', 8787, 1, 65_529)
  if (!Number.isInteger(port)) throw new DemoError('--port must be a whole number')
  const seconds = values.seconds === undefined ? undefined : number('seconds', 0, 1, 86_400)
  return { help: values.help === true, port, rate: number('rate', 5, 0.1, 200), seconds }
}

const secret = () => randomBytes(24).toString('base64url')
const url = (port) => `http://127.0.0.1:${port}`
const sumOf = (page, name) =>
  page.split('\n').reduce((sum, line) => (line.startsWith(name) ? sum + Number(line.split(' ').at(-1)) : sum), 0)

async function run({ port, rate, seconds }) {
  if (!has('redis-server')) throw new DemoError('redis-server is missing: apt-get install redis-server')
  const withPrometheus = has('prometheus') && has('promtool')
  if (!withPrometheus) say('prometheus is missing, so figures are only in the console: apt-get install prometheus')
  const ports = Object.fromEntries(NAMES.map((name, i) => [name, port + i]))
  await checkPorts(ports)

  const folder = mkdtempSync(join(tmpdir(), 'gateway-demo-'))
  const stop = new AbortController()
  let failure
  const processes = new Processes(folder, (error) => {
    failure ??= error
    stop.abort()
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop.abort())
  const [admin, shop, support] = [secret(), secret(), secret()]
  const counts = { statuses: new Map(), spans: 0, records: 0, seen: new Set(), types: new Map() }
  const closing = []
  let isAnswered = false
  try {
    closing.push(await startProvider(ports.provider))
    closing.push(await startCollector(ports.traces, counts))
    closing.push(await startSiem(ports.siem, counts))
    const quiet = ['--save', '', '--appendonly', 'no', '--dir', folder, '--bind', '127.0.0.1']
    processes.start('redis', 'redis-server', ['--port', String(ports.redis), ...quiet])
    const env = {
      DEMO_STORE: `redis://127.0.0.1:${ports.redis}`,
      DEMO_SECRET: secret(),
      DEMO_SPILL: join(folder, 'spill'),
      DEMO_PROVIDER: url(ports.provider),
      DEMO_OTLP_HOST: `127.0.0.1:${ports.traces}`,
      DEMO_SIEM_HOST: `127.0.0.1:${ports.siem}`,
      ...{ DEMO_ADMIN_KEY: admin, DEMO_SHOP_KEY: shop, DEMO_SUPPORT_KEY: support },
    }
    const nodes = ['node-a', 'node-b']
    for (const name of nodes) {
      const args = [path('../core/bin.js'), 'start', '--config', path('demo/gateway.yaml')]
      const own = { DEMO_PORT: String(ports[name]), DEMO_INSTANCE: name }
      processes.start(name, process.execPath, args, { ...env, ...own })
    }
    for (const name of nodes) await ready(`${url(ports[name])}/health/ready`, stop.signal)
    if (withPrometheus && !stop.signal.aborted) await startPrometheus(processes, folder, ports, stop.signal)
    if (!stop.signal.aborted) {
      say(`console     ${url(ports['node-a'])}/console and ${url(ports['node-b'])}/console`)
      say(`admin key   ${admin}`)
      say(`API         ${url(ports['node-a'])}/v1 with the key ${shop}`)
      if (withPrometheus) say(`Prometheus  ${url(ports.prometheus)}/alerts`)
      say(`logs        ${folder}`)
      say(`${rate} requests a second run; Ctrl-C ends everything.`)
    }
    const urls = nodes.map((name) => url(ports[name]))
    startLoad({ urls, keys: [shop, support], rate, counts: counts.statuses, signal: stop.signal })
    await lasting(stop.signal, seconds)
    if (failure === undefined) {
      await reportAnswers(counts, urls, withPrometheus ? url(ports.prometheus) : undefined)
      isAnswered = true
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error
  } finally {
    stop.abort()
    // The gateways deliver what waits before they end.
    await processes.stop()
    if (isAnswered) reportReceived(counts)
    for (const close of closing) close()
    rmSync(folder, { recursive: true, force: true })
  }
  if (failure !== undefined) throw failure
  say('Everything has ended.')
}

async function startPrometheus(processes, folder, ports, signal) {
  const targets = [`127.0.0.1:${ports['node-a']}`, `127.0.0.1:${ports['node-b']}`]
  // JSON is YAML.
  const config = {
    global: { scrape_interval: '2s', evaluation_interval: '2s' },
    rule_files: [path('prometheus-rules.yaml')],
    scrape_configs: [{ job_name: 'governed-gateway', static_configs: [{ targets }] }],
  }
  const file = join(folder, 'prometheus.yaml')
  writeFileSync(file, JSON.stringify(config))
  check('promtool', ['check', 'config', file])
  for (const target of targets) check('promtool', ['check', 'metrics'], await page(`http://${target}`))
  const listen = `--web.listen-address=127.0.0.1:${ports.prometheus}`
  const storage = `--storage.tsdb.path=${join(folder, 'prometheus')}`
  processes.start('prometheus', 'prometheus', [`--config.file=${file}`, storage, listen])
  await ready(`${url(ports.prometheus)}/-/ready`, signal)
}

const page = async (base) => (await fetch(`${base}/metrics`)).text()

/** Until the signal, or for so many seconds. */
function lasting(signal, seconds) {
  return new Promise((resolve) => {
    // Keeps the process alive.
    const timer = setInterval(resolve, seconds === undefined ? 2 ** 31 - 1 : seconds * 1000)
    const end = () => {
      clearInterval(timer)
      resolve()
    }
    if (signal.aborted) end()
    signal.addEventListener('abort', end)
  })
}

const listed = (map) =>
  [...map]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, n]) => `${name}: ${n}`)
    .join(', ')

async function reportAnswers(counts, urls, prometheus) {
  say(`\nanswers     ${listed(counts.statuses)}`)
  const pages = await Promise.all(urls.map(page))
  say(`/metrics    ${pages.reduce((sum, text) => sum + sumOf(text, 'gateway_requests_total{'), 0)} requests`)
  if (prometheus !== undefined) {
    const { data } = await (await fetch(`${prometheus}/api/v1/query?query=sum(gateway_requests_total)`)).json()
    say(`Prometheus  ${data.result[0]?.value[1] ?? 0} requests when it last read`)
  }
}

function reportReceived(counts) {
  say(`traces      ${counts.spans} spans, ${counts.records} log records`)
  say(`SIEM        ${listed(counts.types)}`)
}

try {
  const options = optionsOf(process.argv.slice(2))
  if (options.help) process.stdout.write(HELP)
  else await run(options)
} catch (error) {
  if (!(error instanceof DemoError)) throw error
  process.stderr.write(`demo.sh: ${error.message}\n`)
  process.exitCode = 1
}
