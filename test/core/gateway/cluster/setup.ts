import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { parseConfig } from '../../../../core/gateway/config/load.ts'
import { startGateway } from '../../../../core/gateway/gateway.ts'
import { createLogger } from '../../../../core/services/logger.ts'
import { type Provider, startProvider } from '../../../../core/testing/provider.ts'
import { type Launcher, type LogLine, type RunningGateway, startCli } from '../../../helpers/cli.ts'
import { asking, bearer, type Owner, USER_KEY } from '../../../helpers/gateway.ts'
import { type Reply, send } from '../../../helpers/http.ts'
import { until } from '../../../helpers/until.ts'

export interface ClusterRig {
  readonly provider: Provider
  readonly gateway: RunningGateway
  readonly folder: string
  readonly file: string
  config(more?: object): string
  /** Another gateway with this config, or with more members in it. It ends with the rig. */
  another(more?: object): Promise<RunningGateway>
  /** The same in this process, without workers: a start takes a fiftieth of the time. */
  here(more?: object): Promise<GatewayHere>
  post(options?: { body?: object; headers?: Readonly<Record<string, string>> }): Promise<Reply>
}

export interface GatewayHere {
  readonly url: string
  /** Log lines so far, parsed. */
  readonly lines: readonly LogLine[]
  close(): Promise<void>
}

/** Starts a gateway with a config file in this process. */
export async function startHere(file: string): Promise<GatewayHere> {
  const lines: LogLine[] = []
  const logger = createLogger({ destination: { write: (line) => lines.push(JSON.parse(line) as LogLine) } })
  const config = parseConfig(readFileSync(file, 'utf8'), file, {})
  const gateway = await startGateway({ config, logger, configFile: file })
  return { url: gateway.url, lines, close: () => gateway.close() }
}

export const SECRET = 'a secret for tests, 32 characters or more'

/** Config members on top of a plain cluster of two. */
export async function startCluster(
  owner: Owner,
  more: object = {},
  { args = [], launcher }: { args?: readonly string[]; launcher?: Launcher } = {},
): Promise<ClusterRig> {
  const provider = await startProvider()
  const folder = mkdtempSync(join(tmpdir(), 'gw-cluster-'))
  const config = (extra: object = {}): string =>
    JSON.stringify({
      listen: { port: 0, pre_stop_seconds: 0, drain_seconds: 5 },
      store: 'file:./data',
      workers: 2,
      secret: SECRET,
      upstreams: { scripted: { url: provider.url } },
      keys: [{ id: 'user', key: USER_KEY }],
      ...more,
      ...extra,
    })
  const file = join(folder, 'gateway.yaml')
  writeFileSync(file, config())
  const gateways: RunningGateway[] = []
  const others: GatewayHere[] = []
  owner.after(async () => {
    for (const gateway of gateways) gateway.kill('SIGTERM')
    await Promise.all([...gateways.map(({ ended }) => ended), ...others.map((one) => one.close())])
    await provider.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const another = async (extra?: object) => {
    const own = extra === undefined ? file : join(folder, `node-${gateways.length}.yaml`)
    if (extra !== undefined) writeFileSync(own, config(extra))
    const gateway = await startCli(['--config', own, ...args], {}, launcher)
    gateways.push(gateway)
    return gateway
  }
  const here = async (extra: object = {}) => {
    const own = join(folder, `here-${others.length}.yaml`)
    writeFileSync(own, config({ workers: 1, ...extra }))
    const gateway = await startHere(own)
    others.push(gateway)
    return gateway
  }
  const gateway = await another()
  const { url } = gateway
  const post: ClusterRig['post'] = ({ body = asking(), headers = {} } = {}) =>
    send(`${url}/v1/chat/completions`, { body, headers: { ...bearer(USER_KEY), ...headers } })
  return { provider, gateway, folder, file, config, another, here, post }
}

/** One cluster for all tests of a `describe`, which calls this. The function returned is for its tests. */
export function shareCluster(more: () => object): () => ClusterRig {
  const closers: (() => Promise<void>)[] = []
  let rig: ClusterRig
  before(async () => {
    rig = await startCluster({ after: (close) => void closers.push(close) }, more())
  })
  after(async () => {
    for (const close of closers) await close()
  })
  return () => rig
}

/** Log lines of the primary about a worker that came up; `restarts` counts those that came before. */
export const listening = (gateway: RunningGateway, worker: number): LogLine[] =>
  gateway.lines.filter((line) => line.msg === 'worker listens' && line.worker === worker)

export async function pidOf(gateway: RunningGateway, worker: number, nth = 0): Promise<number> {
  const line = await gateway.logged((one) => one === listening(gateway, worker)[nth])
  return line.worker_pid as number
}

/** Settles when a process that is not our child is gone. */
export async function gone(pid: number): Promise<void> {
  await until(() => {
    try {
      process.kill(pid, 0)
      return false
    } catch {
      return true
    }
  })
}
