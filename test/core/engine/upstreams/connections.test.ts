import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { describe, it, type TestContext } from 'node:test'
import { chat, chunks, hang, type Provider, startProvider, stream } from '../../../../core/testing/provider.ts'
import { authority, certificate } from '../../../helpers/certificate.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { until } from '../../../helpers/until.ts'
import { ask, pemFiles, startProxy, tlsFront, upstreamOf } from '../../../helpers/upstream.ts'

const ca = authority()
const server = certificate({ issuer: ca })
const client = certificate({ name: 'gateway', issuer: ca })
const STREAM = JSON.stringify({ model: 'm', stream: true })

interface Rig {
  readonly provider: Provider
  readonly folder: string
}

async function rig(t: TestContext): Promise<Rig> {
  const folder = temporaryFolder()
  const provider = await startProvider()
  t.after(() => provider.close())
  return { provider, folder }
}

const secure = (port: number): string => `https://127.0.0.1:${port}/v1`

describe('certificates of an upstream', () => {
  it('trusts the authority of ca_file, and nobody else', async (t) => {
    const { provider, folder } = await rig(t)
    const { port } = await tlsFront(t, provider.port, server)
    const files = pemFiles(folder, { ca: ca.cert, other: authority('other').cert })
    const good = upstreamOf(t, { url: secure(port), tls: { ca_file: files.ca } })
    assert.match((await ask(good.upstream)).body, /Hello from the provider/)
    for (const tls of [{ ca_file: files.other }, undefined]) {
      const { error, fallback } = await ask(upstreamOf(t, { url: secure(port), tls }).upstream)
      assert.equal(error?.code, 'GW_UPSTREAM_UNREACHABLE')
      assert.equal(fallback, true)
    }
    assert.equal(provider.requests.length, 1)
  })

  it('shows its client certificate', async (t) => {
    const { provider, folder } = await rig(t)
    const { port, peers } = await tlsFront(t, provider.port, { ...server, ca: ca.cert, requestCert: true })
    const files = pemFiles(folder, { ca: ca.cert, cert: client.cert, key: client.key })
    const tls = { ca_file: files.ca, cert_file: files.cert, key_file: files.key }
    assert.equal((await ask(upstreamOf(t, { url: secure(port), tls }).upstream, STREAM)).status, 200)
    assert.deepEqual(peers, ['gateway'])
  })

  it('uses renewed files for new connections, lets running replies end, and keeps the last good ones', async (t) => {
    const { provider, folder } = await rig(t)
    const { port, peers } = await tlsFront(t, provider.port, { ...server, ca: ca.cert, requestCert: true })
    const files = pemFiles(folder, { ca: ca.cert, cert: client.cert, key: client.key })
    const tls = { ca_file: files.ca, cert_file: files.cert, key_file: files.key }
    const { upstream, told } = upstreamOf(t, { url: secure(port), tls })
    const go = Promise.withResolvers<void>()
    const [first, ...rest] = chunks('one two three')
    provider.reply(stream([first!, go.promise, ...rest]))
    let began = false
    const running = ask(upstream, STREAM, () => {
      began = true
    })
    await until(() => began)
    const renewed = certificate({ name: 'renewed', issuer: ca })
    // Between the two writes, certificate and key do not match.
    writeFileSync(files.cert, renewed.cert)
    assert.equal((await ask(upstream)).status, 200)
    assert.deepEqual(
      told.map(({ type, place }) => `${type} ${place}`),
      ['tls.reload_failed upstreams.one.tls'],
    )
    assert.match(String(told[0]?.reason), /key\.pem is not the private key of the first certificate in .*cert\.pem/)
    writeFileSync(files.key, renewed.key)
    assert.equal((await ask(upstream)).status, 200)
    assert.equal(told.at(-1)?.type, 'tls.reloaded')
    assert.equal(peers.at(-1), 'renewed')
    go.resolve()
    assert.match((await running).body, /\[DONE\]/)
  })
})

describe('a proxy to an upstream', () => {
  it('tunnels to https urls, with its own credentials', async (t) => {
    const { provider, folder } = await rig(t)
    const { port } = await tlsFront(t, provider.port, server)
    const proxy = await startProxy(t)
    const files = pemFiles(folder, { ca: ca.cert })
    const { upstream } = upstreamOf(t, {
      url: secure(port),
      key: 'sk-provider',
      tls: { ca_file: files.ca },
      proxy: `http://us%40er:pa%25ss@127.0.0.1:${proxy.port}`,
    })
    provider.reply(stream(chunks('one two')), chat('buffered'))
    assert.match((await ask(upstream, STREAM)).body, /\[DONE\]/)
    assert.match((await ask(upstream)).body, /buffered/)
    const authorization = `Basic ${Buffer.from('us@er:pa%ss').toString('base64')}`
    assert.deepEqual(proxy.seen[0], { what: `CONNECT 127.0.0.1:${port}`, authorization })
    const { headers } = provider.requests[0]!
    assert.equal(headers.authorization, 'Bearer sk-provider')
    assert.equal(headers['proxy-authorization'], undefined)
  })

  it('forwards to http urls', async (t) => {
    const { provider } = await rig(t)
    const proxy = await startProxy(t)
    const { upstream } = upstreamOf(t, { url: provider.url, proxy: `http://127.0.0.1:${proxy.port}` })
    provider.reply(stream(chunks('one two')))
    assert.match((await ask(upstream, STREAM)).body, /\[DONE\]/)
    assert.deepEqual(proxy.seen, [{ what: `POST ${provider.url}/chat/completions`, authorization: undefined }])
  })

  it('that refuses or is not there is a connect failure: the next upstream may be asked', async (t) => {
    const { provider, folder } = await rig(t)
    const { port } = await tlsFront(t, provider.port, server)
    const files = pemFiles(folder, { ca: ca.cert })
    const { port: refusing } = await startProxy(t, 407)
    const { provider: gone } = await rig(t)
    await gone.close()
    for (const [at, why] of [
      [refusing, '407'],
      [gone.port, 'ECONNREFUSED'],
    ] as const) {
      for (const url of [secure(port), provider.url]) {
        const proxy = `http://user:sesame@127.0.0.1:${at}`
        const tls = url.startsWith('https') ? { tls: { ca_file: files.ca } } : {}
        const { error, fallback } = await ask(upstreamOf(t, { url, proxy, ...tls }).upstream)
        assert.equal(error?.code, 'GW_UPSTREAM_UNREACHABLE', url)
        assert.equal(error?.message, `The upstream 'one' cannot be reached through its proxy (${why}).`)
        assert.equal(fallback, true)
        assert.doesNotMatch(`${error?.stack} ${error?.cause}`, /sesame/)
      }
    }
    assert.equal(provider.requests.length, 0)
  })

  it('a reply that is aborted closes its connection through the proxy', async (t) => {
    const { provider } = await rig(t)
    const proxy = await startProxy(t)
    const { upstream } = upstreamOf(t, { url: provider.url, proxy: `http://127.0.0.1:${proxy.port}` })
    provider.reply(hang())
    const source = upstream.send(
      { method: 'POST', path: '/chat/completions', headers: {}, body: Buffer.from('{}') },
      { onHeaders: () => {}, onData: () => {}, onEnd: () => {}, onError: () => {} },
    )
    const request = await provider.next()
    source.abort()
    assert.equal(await request.closed, 'aborted')
  })
})
