import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { allowProblem } from '../../../../core/engine/egress/allow.ts'
import { EgressGuard } from '../../../../core/engine/egress/guard.ts'

describe('egress.allow', () => {
  it('takes private ranges and exact targets', () => {
    for (const entry of [
      '10.0.0.0/8',
      '10.1.2.3/32',
      '0.0.0.0/0',
      '100.64.0.0/10',
      'fd12:3456::/32',
      '127.0.0.1:9000',
      '[::1]:9000',
      'localhost:514',
      'presidio:3000',
      'siem.corp.internal:8088',
      'siem.example.com:443',
      '8.8.8.8:443',
    ]) {
      assert.equal(allowProblem(entry), undefined, entry)
    }
  })

  it('says of every other entry why it opens nothing', () => {
    for (const [entry, message] of [
      ['127.0.0.0/8', /loopback is opened only by an exact host:port/],
      ['::1/128', /loopback is opened only by an exact host:port/],
      ['169.254.0.0/16', /these are link_local/],
      ['169.254.169.254/32', /these are metadata/],
      ['fe80::/10', /these are link_local/],
      ['224.0.0.0/4', /these are multicast/],
      ['8.8.8.0/24', /open already/],
      ['169.254.169.254:80', /metadata targets stay refused/],
      ['[fd00:ec2::254]:80', /metadata targets stay refused/],
      ['metadata.google.internal:80', /metadata targets stay refused/],
      ['0.0.0.0:80', /unspecified targets stay refused/],
      ['[64:ff9b::7f00:1]:80', /embedded_v4 targets stay refused/],
      ['10.0.0.1', /add a port \(10\.0\.0\.1:443\)/],
      ['::1', /add a port \(\[::1\]:443\)/],
      ['2130706433:80', /neither a CIDR/],
      ['0x7f.1:80', /neither a CIDR/],
      ['siem.example.com', /neither a CIDR/],
      ['https://siem.example.com', /neither a CIDR/],
      ['*.example.com:443', /neither a CIDR/],
      ['10.0.0.0/33', /neither a CIDR/],
      ['a:0', /neither a CIDR/],
    ] as const) {
      assert.match(allowProblem(entry) ?? '', message, entry)
    }
  })

  const judged = async (allow: readonly string[], url: string, ...addresses: string[]) => {
    const resolve = async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    return new EgressGuard({ allow, resolve, ownAddresses: () => ['10.0.0.9', '93.184.215.99'] }).check(url, {
      resolve: true,
    })
  }

  it('opens exactly what it names', async () => {
    const allow = ['127.0.0.1:9000', 'localhost:514', '[::1]:9000', 'siem.corp.internal:8088']
    assert.equal(await judged(allow, 'http://127.0.0.1:9000/'), undefined)
    assert.equal(await judged(allow, 'http://127.1:9000/'), undefined, 'the same address in another spelling')
    assert.equal(await judged(allow, 'http://[::ffff:127.0.0.1]:9000/'), undefined)
    assert.equal(await judged(allow, 'http://[0:0::1]:9000/'), undefined)
    assert.equal(await judged(allow, 'http://LOCALHOST.:514/', '127.0.0.1', '::1'), undefined)
    assert.equal(await judged(allow, 'http://siem.corp.internal:8088/', '10.1.2.3'), undefined)
    assert.equal(await judged(allow, 'http://127.0.0.1:9001/'), 'loopback')
    assert.equal(await judged(allow, 'http://127.0.0.2:9000/'), 'loopback')
    assert.equal(await judged(allow, 'http://localhost:9000/', '127.0.0.1'), 'hostname')
    assert.equal(await judged(allow, 'http://other.corp.internal:8088/', '10.1.2.3'), 'hostname')
    assert.equal(await judged(allow, 'http://a.example.com:9000/', '127.0.0.1'), 'loopback')
  })

  it('never opens link-local and metadata, whatever the name listed', async () => {
    const allow = ['siem.corp.internal:80', '0.0.0.0/0']
    for (const [address, category] of [
      ['169.254.169.254', 'metadata'],
      ['100.100.100.200', 'metadata'],
      ['169.254.1.1', 'link_local'],
      ['0.0.0.0', 'unspecified'],
      ['fe80::1', 'link_local'],
      ['::ffff:169.254.169.254', 'metadata'],
    ] as const) {
      assert.equal(await judged(allow, 'http://siem.corp.internal/', address), category)
    }
  })

  it('opens ranges for addresses and internal names, not for loopback names', async () => {
    const allow = ['10.0.0.0/8']
    assert.equal(await judged(allow, 'http://10.1.2.3/'), undefined)
    assert.equal(await judged(allow, 'http://splunk/', '10.1.2.3'), undefined)
    assert.equal(await judged(allow, 'http://splunk.corp.internal/', '10.1.2.3'), undefined)
    assert.equal(await judged(allow, 'http://splunk.corp.internal/', '192.168.0.1'), 'private')
    assert.equal(await judged(allow, 'http://splunk.corp.internal/', '10.1.2.3', '192.168.0.1'), 'private')
    assert.equal(await judged(allow, 'http://localhost/', '10.1.2.3'), 'hostname')
    assert.equal(await judged(allow, 'http://metadata.google.internal/', '10.1.2.3'), 'hostname')
  })

  it('takes the addresses of this machine for loopback', async () => {
    assert.equal(await judged(['10.0.0.0/8'], 'http://10.0.0.9/'), 'loopback')
    assert.equal(await judged([], 'http://93.184.215.99/'), 'loopback')
    assert.equal(await judged([], 'http://me.example.com/', '93.184.215.99'), 'loopback')
    assert.equal(await judged(['93.184.215.99:80'], 'http://93.184.215.99/'), undefined)
  })
})
