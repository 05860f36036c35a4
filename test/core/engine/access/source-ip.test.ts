import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sourceIpOf } from '../../../../core/engine/access/source-ip.ts'
import { ADMIN_KEY, bearer, setup } from '../../../helpers/gateway.ts'
import { send } from '../../../helpers/http.ts'

const from = (forwarded: string, trusted = ['10.0.0.0/8', '127.0.0.1', '2001:db8::/64']) =>
  sourceIpOf(trusted)({ socket: { remoteAddress: '127.0.0.1' }, headers: { 'x-forwarded-for': forwarded } } as never)

it('the source is an address, also where a proxy writes its port', () => {
  for (const [entry, address] of [
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:1234', '203.0.113.7'],
    ['[2001:db9::1]:443', '2001:db9::1'],
    ['[2001:db9::1]', '2001:db9::1'],
    ['2001:db9::1', '2001:db9::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%4556737586899855]:443', 'fe80::1'],
    ['198.51.100.9, 203.0.113.7:1234, 10.0.0.2:80', '203.0.113.7'],
    ['203.0.113.7, [2001:db8::5]:1, 10.1.1.1', '203.0.113.7'],
  ] as const) {
    assert.equal(from(entry), address, entry)
  }
  for (const wrong of [
    '',
    'unknown',
    '1',
    '0x7f.1',
    '203.0.113.7:',
    '203.0.113.7:123456',
    '[203.0.113.7',
    'a:1',
    '1.2.3:4',
  ])
    assert.equal(from(wrong), '127.0.0.1', wrong)
})

it('an unknown type of the audit is 400 with the nearest one', async (t) => {
  const { gateway } = await setup(t)
  const ask = (type: string) =>
    send(`${gateway.url}/api/audit?type=${type}`, { method: 'GET', headers: bearer(ADMIN_KEY) })
  const wrong = await ask('request.blocked,request.blokced')
  assert.equal(wrong.status, 400)
  assert.match(await wrong.text(), /'request\.blokced' is none \(Did you mean \\"request\.blocked\\"\?\)/)
  // Of a plugin that was enabled before.
  for (const type of ['request.blocked', 'budget.exceeded']) assert.equal((await ask(type)).status, 200)
})
