import { createHash } from 'node:crypto'
import { StoreError, unavailable } from '../../../engine/contract/store-errors.ts'
import { Backoff } from '../../../engine/util/backoff.ts'
import { sentence } from '../../../engine/util/sentence.ts'
import { loadModule, type RawClient, type RawOptions, rawClient } from './client.ts'
import { SCRIPTS } from './lua/scripts.ts'
import { refusal } from './refusals.ts'

/** The connection failed during a call, or was missing: the server may have run the call. */
export class Down extends Error {}

export type Script = keyof typeof SCRIPTS

export interface RedisConnectionOptions extends Omit<RawOptions, 'key'> {
  /** Prefix of all keys, with the hash tag. */
  readonly base: string
  /** Drops the connection if a call has no answer by then: a hanging server would keep it open. */
  readonly timeoutMs: number
  /** Host and port, for messages. */
  readonly where: string
}

export interface RedisConnectionEvents {
  up(detail: string): void
  down(error: StoreError): void
  /** A message on the channel `<base>changed`. */
  changed(key: string): void
}

const DIGESTS = Object.fromEntries(
  Object.entries(SCRIPTS).map(([name, text]) => [name, createHash('sha1').update(text).digest('hex')]),
) as Readonly<Record<Script, string>>

/** One Redis connection at a time, with deadlines. Reconnects until closed. */
export class RedisConnection {
  readonly #options: RedisConnectionOptions
  readonly #events: RedisConnectionEvents
  readonly #deadlines = new Map<number, number>()
  #client: RawClient | undefined
  #closed = false
  #watching = false
  #number = 0
  readonly #pauses = new Backoff({ first: 50, longest: 2000, jitter: (wait) => wait * (0.5 + Math.random() / 2) })
  #timer: NodeJS.Timeout | undefined
  #retry: NodeJS.Timeout | undefined
  #heartbeat: NodeJS.Timeout | undefined

  constructor(options: RedisConnectionOptions, events: RedisConnectionEvents) {
    this.#options = options
    this.#events = events
  }

  get ready(): boolean {
    return this.#client !== undefined
  }

  /** Connects; rejects without a retry if the first attempt fails. */
  async open(): Promise<void> {
    await this.#connect()
  }

  /** Connects in the background, with retries. */
  openLater(): void {
    if (!this.#closed) this.#connect().catch((error) => this.#again(error as StoreError))
  }

  async watch(): Promise<void> {
    if (this.#watching) return
    this.#watching = true
    if (this.#client !== undefined) await this.#subscribe(this.#client)
  }

  /** Runs a script. Throws `Down`, or a `StoreError` if the server refuses. */
  async run(script: Script, args: object, texts: readonly string[] = [], now = ''): Promise<unknown> {
    const client = this.#client
    if (client === undefined) throw new Down('not connected')
    const rest = ['1', this.#options.base, now, JSON.stringify(args), ...texts]
    try {
      return await this.#send(client, ['EVALSHA', DIGESTS[script], ...rest])
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw await this.#translate(client, error)
    }
    try {
      return await this.#send(client, ['EVAL', SCRIPTS[script], ...rest])
    } catch (error) {
      throw await this.#translate(client, error)
    }
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#retry)
    this.#drop()
  }

  async #connect(): Promise<void> {
    const { where, connectTimeout } = this.#options
    const module = await loadModule()
    const client = rawClient(module, { ...this.#options, key: this.#options.base })
    const ended = (error: Error): void => {
      if (this.#client === client) this.#lost(error)
    }
    client.onError(ended)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('no answer')), 2 * connectTimeout).unref()
    })
    try {
      const detail = await Promise.race([this.#prepare(client), late])
      if (this.#closed) throw new Error('closed')
      this.#client = client
      this.#pauses.reset()
      // Detects a hanging server even without calls.
      const beat = (): void => void this.#send(client, ['PING']).catch(() => {})
      this.#heartbeat = setInterval(beat, this.#options.timeoutMs).unref()
      this.#events.up(detail)
    } catch (error) {
      quietly(() => client.destroy())
      const refused = error instanceof module.ErrorReply ? refusal(error.message, where) : undefined
      if (refused instanceof StoreError) throw refused
      if (error instanceof StoreError) throw error
      const reason = (error as Error).message || (error as Error).name
      const remedy = 'Check that the server runs, and the address, password and TLS of `store`.'
      throw unavailable(`${sentence(`Redis at ${where} cannot be reached: ${reason}`)} ${remedy}`, error)
    } finally {
      clearTimeout(timer)
    }
  }

  /** Connects, checks the server and loads the scripts. Returns a notice for the operator, or ''. */
  async #prepare(client: RawClient): Promise<string> {
    await client.connect()
    const loads = Object.values(SCRIPTS).map((text) => client.send(['SCRIPT', 'LOAD', text]))
    const [info] = await Promise.all([client.send(['INFO']).catch(() => ''), ...loads])
    if (this.#watching) await this.#subscribe(client)
    return remark(String(info), this.#options.where)
  }

  #subscribe(client: RawClient): Promise<void> {
    return client.subscribe(`${this.#options.base}changed`, (key) => this.#events.changed(key))
  }

  async #send(client: RawClient, args: readonly string[]): Promise<unknown> {
    const number = ++this.#number
    this.#deadlines.set(number, performance.now() + this.#options.timeoutMs)
    if (this.#timer === undefined) this.#watch(this.#options.timeoutMs)
    try {
      return await client.send(args)
    } finally {
      this.#deadlines.delete(number)
    }
  }

  async #translate(client: RawClient, error: unknown): Promise<Error> {
    const { ErrorReply } = await loadModule()
    if (!(error instanceof ErrorReply)) return new Down((error as Error).message, { cause: error })
    const refused = refusal(error.message, this.#options.where)
    if (refused !== undefined) return refused
    // A replica or a starting server: this connection is useless.
    if (this.#client === client) this.#lost(error)
    return new Down(error.message, { cause: error })
  }

  // Deadlines expire in call order, so one timer is enough.
  #watch(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      const [oldest] = this.#deadlines.values()
      if (oldest === undefined) return
      const left = oldest - performance.now()
      if (left > 0) this.#watch(left + 1)
      else if (this.#client !== undefined) this.#lost(new Error(`no answer within ${this.#options.timeoutMs} ms`))
    }, ms).unref()
  }

  #lost(error: Error): void {
    this.#drop()
    this.#again(
      unavailable(sentence(`The connection to Redis at ${this.#options.where} was lost: ${error.message}`), error),
    )
  }

  #drop(): void {
    const client = this.#client
    this.#client = undefined
    clearTimeout(this.#timer)
    clearInterval(this.#heartbeat)
    this.#timer = undefined
    // Rejects pending calls.
    if (client !== undefined) quietly(() => client.destroy())
    this.#deadlines.clear()
  }

  #again(error: StoreError): void {
    if (this.#closed) return
    this.#events.down(error)
    this.#retry = setTimeout(() => this.openLater(), this.#pauses.next())
  }
}

function remark(info: string, where: string): string {
  const values = new Map(
    Array.from(info.matchAll(/^(\w+):(.*?)\r?$/gm), ([, name = '', value = '']) => [name, value] as const),
  )
  const value = (name: string): string => values.get(name) ?? ''
  const [major = 7, minor = 0] = value('redis_version').split('.').map(Number)
  if (info !== '' && (major < 6 || (major === 6 && minor < 2))) {
    throw new StoreError(
      'unavailable',
      `Redis at ${where} is version ${value('redis_version')}; 6.2 or newer is needed.`,
    )
  }
  const policy = value('maxmemory_policy')
  if (policy === '' || policy === 'noeviction' || value('maxmemory') === '0') return ''
  return `Redis at ${where} may drop budgets and audit records when memory runs short (maxmemory-policy ${policy}); set noeviction.`
}

function quietly(work: () => void): void {
  try {
    work()
  } catch {
    // Already closed.
  }
}
