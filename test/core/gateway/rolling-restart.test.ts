import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Agent, request } from 'undici'
import { chat, startProvider } from '../../../core/testing/provider.ts'
import { type RunningGateway, startCli } from '../../helpers/cli.ts'
import { gated } from '../../helpers/gated.ts'
import { asking, bearer, USER_KEY } from '../../helpers/gateway.ts'
import { freePort } from '../../helpers/ports.ts'
import { rounds } from '../../helpers/rounds.ts'
import { startCluster } from './cluster/setup.ts'

/** Requests a second; 200 with all rounds. */
const RATE = Math.max(80, rounds(200))
const PRE_STOP_SECONDS = 1

/** A real nginx in front of the ports, with the settings that docs/operations.md gives. */
class Nginx {
  readonly port: number
  readonly #folder: string
  readonly #nodes: readonly number[]
  readonly #child: ChildProcess
  #log = ''
  #changed = Promise.withResolvers<void>()

  private constructor(folder: string, port: number, nodes: readonly number[]) {
    this.port = port
    this.#folder = folder
    this.#nodes = nodes
    this.#configure()
    this.#child = spawn('nginx', ['-p', folder, '-c', this.#file], { stdio: ['ignore', 'ignore', 'pipe'] })
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#log += text
      this.#changed.resolve()
      this.#changed = Promise.withResolvers()
    })
  }

  static async start(folder: string, nodes: readonly number[]): Promise<Nginx> {
    const nginx = new Nginx(folder, await freePort(), nodes)
    await nginx.#workerStarted(0)
    return nginx
  }

  get errors(): string[] {
    return this.#log.split('\n').filter((line) => line.includes('[error]'))
  }

  /** As an operator does: takes one node out, or none, and reloads. */
  async takeOut(node?: number): Promise<void> {
    const from = this.#log.length
    this.#configure(node)
    this.#child.kill('SIGHUP')
    await this.#workerStarted(from)
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    await once(this.#child, 'close')
  }

  get #file(): string {
    return join(this.#folder, 'nginx.conf')
  }

  async #workerStarted(from: number): Promise<void> {
    while (!this.#log.includes('start worker process', from)) await this.#changed.promise
  }

  #configure(out?: number): void {
    const servers = this.#nodes.map((node) => `server 127.0.0.1:${node}${node === out ? ' down' : ''};`).join(' ')
    writeFileSync(
      this.#file,
      `daemon off; pid nginx.pid; error_log stderr notice; events {}
http {
  access_log off;
  client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;
  upstream gateways { ${servers} keepalive 32; }
  server {
    listen 127.0.0.1:${this.port};
    location / {
      proxy_pass http://gateways;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
    }
  }
}`,
    )
  }
}

describe('a rolling restart behind nginx', () => {
  it(`loses none of ${RATE} requests a second`, async (t) => {
    const provider = await startProvider()
    const folder = mkdtempSync(join(tmpdir(), 'gw-rolling-'))
    const ports = [await freePort(), await freePort()]
    const start = (port: number): Promise<RunningGateway> => {
      const file = join(folder, `node-${port}.yaml`)
      writeFileSync(
        file,
        JSON.stringify({
          listen: { port, pre_stop_seconds: PRE_STOP_SECONDS },
          store: `file:./data-${port}`,
          upstreams: { provider: { url: provider.url } },
          keys: [{ id: 'app', key: USER_KEY }],
          plugins: [{ use: 'pii' }],
        }),
      )
      return startCli(['--config', file])
    }
    const nodes = await Promise.all(ports.map(start))
    const nginx = await Nginx.start(folder, ports)
    // A connection for each request: nginx closes kept ones when it reloads, maybe just as a request comes.
    const dispatcher = new Agent({ connections: 64, pipelining: 0 })
    t.after(async () => {
      await dispatcher.close()
      for (const node of nodes) node.kill('SIGTERM')
      await Promise.all([nginx.stop(), ...nodes.map(({ ended }) => ended)])
      await provider.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const outcomes = new Map<string, number>()
    const note = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    const ask = async (stream: boolean): Promise<void> => {
      try {
        const { statusCode, body } = await request(`http://127.0.0.1:${nginx.port}/v1/chat/completions`, {
          dispatcher,
          method: 'POST',
          headers: { ...bearer(USER_KEY), 'content-type': 'application/json' },
          body: JSON.stringify(asking('Hello', { stream })),
        })
        const text = await body.text()
        const whole = text.includes('provider') && (!stream || text.endsWith('data: [DONE]\n\n'))
        note(statusCode === 200 && whole ? 'answered' : `${statusCode} ${text.slice(0, 200)}`)
      } catch (error) {
        note(String(error))
      }
    }
    const asked: Promise<void>[] = []
    const load = setInterval(() => asked.push(ask(asked.length % 2 === 0)), 1000 / RATE)
    for (const [i, port] of ports.entries()) {
      const old = nodes[i] as RunningGateway
      await nginx.takeOut(port)
      old.kill('SIGTERM')
      await old.logged('closing: running exchanges may end; a second signal ends at once')
      const ready = await request(`http://127.0.0.1:${port}/health/ready`)
      assert.deepEqual([ready.statusCode, await ready.body.json()], [503, { status: 'draining' }])
      assert.deepEqual(await old.ended, { code: 0, signal: null })
      nodes[i] = await start(port)
      await nginx.takeOut()
    }
    clearInterval(load)
    await Promise.all(asked)
    assert.deepEqual([...outcomes], [['answered', asked.length]], `${[...outcomes]}\n${nginx.errors.join('\n')}`)
    assert.ok(asked.length > RATE * 2 * PRE_STOP_SECONDS * 0.5, `only ${asked.length} were asked`)
  })

  it('serves new connections until pre_stop_seconds are over; Ctrl-C does not wait', async (t) => {
    const { script, arrived, open } = gated(chat('All is well.'))
    const listen = { port: 0, pre_stop_seconds: 600, drain_seconds: 5 }
    const { gateway, provider, post, another } = await startCluster(t, { listen, workers: 1 })
    provider.reply(script)
    gateway.kill('SIGTERM')
    await gateway.logged('closing: running exchanges may end; a second signal ends at once')
    const reply = post({ body: asking('Hello', { stream: true }) })
    await arrived
    open()
    const answer = await reply
    assert.deepEqual([answer.status, answer.headers.connection], [200, 'close'])
    assert.match(await answer.text(), /\[DONE\]/)
    gateway.kill('SIGTERM')
    assert.deepEqual(await gateway.ended, { code: 143, signal: null })

    const second = await another()
    second.kill('SIGINT')
    assert.deepEqual(await second.ended, { code: 0, signal: null })
  })
})
