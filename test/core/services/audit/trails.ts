/** Trails in folders, and the command line that reads them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import type { PluginSpec } from '../../../../core/engine/contract/plugin.ts'
import type { JsonObject } from '../../../../core/engine/contract/store.ts'
import { seal, stamp } from '../../../../core/engine/util/canonical-json.ts'
import { main } from '../../../../core/gateway/cli/cli.ts'
import type { AnchorSigner } from '../../../../core/services/audit/anchor.ts'
import { GENESIS } from '../../../../core/services/store/ops.ts'
import { startProvider } from '../../../../core/testing/provider.ts'
import { spec } from '../../../helpers/core.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { asking, post, startTestGateway } from '../../../helpers/gateway.ts'

const SECRET = 'a secret for tests, 32 characters or more'

const READER = {
  ...spec({}, 'reader'),
  create: (_: unknown, services: { auditLog(): unknown }) => {
    services.auditLog()
    return {}
  },
} as unknown as PluginSpec

/** A gateway with a store in a folder, and a config file for the command line. */
export async function gatewayIn(t: TestContext, requests: readonly string[]) {
  const folder = temporaryFolder()
  const store = `file:${join(folder, 'data')}`
  const config = join(folder, 'gateway.yaml')
  writeFileSync(config, JSON.stringify({ store, secret: SECRET, upstreams: { demo: { kind: 'demo' } } }))
  const provider = await startProvider()
  t.after(() => provider.close())
  const gateway = await startTestGateway({
    upstreamUrl: provider.url,
    plugins: [{ use: 'reader' }],
    specs: new Map([['reader', READER]]),
    config: { store, secret: SECRET },
  })
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= gateway.close()
    return closed
  }
  t.after(close)
  for (const model of requests) await (await post(gateway, asking('Hello', { model }))).text()
  return { folder, store, config, gateway, close }
}

export async function run(...args: string[]) {
  const out = { stdout: '', stderr: '' }
  const io = {
    stdout: { write: (text: string) => (out.stdout += text) },
    stderr: { write: (text: string) => (out.stderr += text) },
  }
  const code = await main(args, io)
  return { code, ...out, lines: out.stdout.split('\n').slice(0, -1) }
}

export const change = (folder: string, sql: string) => {
  const db = new DatabaseSync(join(folder, 'data', 'store.db'))
  db.exec(sql)
  db.close()
}

/** Writes the whole trail anew, with fitting hashes and with anchors of another key, as one can who has the store only. */
export function rewrite(folder: string, signer: AnchorSigner): void {
  const db = new DatabaseSync(join(folder, 'data', 'store.db'))
  const rows = db.prepare('SELECT id, text FROM record ORDER BY id').all() as { id: number; text: string }[]
  const head = { seq: 0, hash: GENESIS }
  let anchors = ''
  for (const { id, text } of rows) {
    const { instance, seq: _seq, prev_hash: _prev, hash: _hash, ...content } = JSON.parse(text) as JsonObject
    if (content.type === 'audit.anchor') {
      const anchor = signer.sign(String(instance), head.seq, head.hash, String(content.time))
      anchors += `${JSON.stringify(anchor)}\n`
      content.anchor = { ...anchor }
    }
    const changed = stamp(seal({ ...content, rewritten: true }), String(instance), head)
    db.prepare('UPDATE record SET text = ? WHERE id = ?').run(changed, id)
  }
  db.close()
  writeFileSync(join(folder, 'data', 'audit-anchors.jsonl'), anchors)
}
