// What can be ordered of the network, and what the addresses of the field mean.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { changeFlaws, type NetworkChange } from '../../../machines/network/change.ts'
import { withoutAddress } from '../../../machines/network/interface.ts'
import { broadcastOf, ipv4In, ipv4Text, networkOf, ownerByRule, teamAddresses } from '../../../machines/network/ipv4.ts'
import { FakeNetwork } from '../../../native/network/fake.ts'

const reading = await Effect.runPromise(new FakeNetwork().read)
const good: NetworkChange = {
  interface: 'eth0',
  method: 'static',
  address: '10.12.34.11',
  prefix: 24,
  gateway: '10.12.34.4',
  dns: ['10.12.34.4'],
}
const flawsOf = (change: Partial<NetworkChange>) =>
  changeFlaws({ ...good, ...change }, reading).map(({ pointer }) => pointer)

test('an address is four numbers as people write them, and nothing else', () => {
  for (const text of ['0.0.0.0', '10.2.54.11', '255.255.255.255']) assert.equal(ipv4Text(ipv4In(text) ?? -1), text)
  for (const text of [
    '',
    '10.2.54',
    '10.2.54.256',
    '010.2.54.11',
    '10.2.54.11 ',
    '1e1.2.3.4',
    'fe80::1',
    '10.2.54.1.1',
  ])
    assert.equal(ipv4In(text), undefined, text)
  const address = ipv4In('192.168.7.77') ?? 0
  assert.deepEqual([networkOf(address, 26), broadcastOf(address, 26)].map(ipv4Text), ['192.168.7.64', '192.168.7.127'])
})

test('the addresses of a team have no zeroes in front', () => {
  const of = (team: number) => Object.values(teamAddresses(team))

  assert.deepEqual(of(254), ['10.2.54.1', '10.2.54.2', '10.2.54.11', '10.2.54.4'])
  assert.deepEqual(of(12345), ['10.123.45.1', '10.123.45.2', '10.123.45.11', '10.123.45.4'])
  assert.deepEqual([of(7)[1], of(25_599)[1]], ['10.0.7.2', '10.255.99.2'])
  assert.deepEqual(
    ['10.2.54.1', '10.2.54.2', '10.2.54.11', '10.0.0.2', '10.2.100.2', '192.168.1.2'].map((text) =>
      ownerByRule(ipv4In(text) ?? 0),
    ),
    ['the radio', 'the robot', undefined, undefined, undefined, undefined],
  )
})

test('a flaw names its field', () => {
  assert.deepEqual(flawsOf({}), [])
  assert.deepEqual(flawsOf({ interface: 'lo' }), ['/interface'])
  assert.deepEqual(flawsOf({ interface: 'eth7' }), ['/interface'])
  assert.deepEqual(flawsOf({ interface: 'wlan0' }), ['/interface'])
  const { gateway: _, ...alone } = good
  const bad = ['10.12.34.0', '10.12.34.255', '10.12.34.1', '10.12.34.2', '127.0.0.1', '224.0.0.1', '0.0.0.7', 'ten']
  for (const address of bad) {
    const flaws = changeFlaws({ ...alone, address }, reading)
    assert.deepEqual(
      flaws.map(({ pointer }) => pointer),
      ['/address'],
      address,
    )
  }
  for (const gateway of ['10.12.35.4', '10.12.34.0', '10.12.34.255', '10.12.34.11', 'none', '127.0.0.1'])
    assert.deepEqual(flawsOf({ gateway }), ['/gateway'], gateway)
  assert.deepEqual(flawsOf({ dns: ['10.12.34.4', 'name'] }), ['/dns/1'])
})

test('static takes an address and a prefix, and dhcp takes neither', () => {
  const bare = { interface: 'eth0', method: 'static' } as const
  assert.deepEqual(
    changeFlaws(bare, reading).map(({ pointer }) => pointer),
    ['/prefix', '/address'],
  )
  assert.deepEqual(changeFlaws({ ...bare, method: 'dhcp' }, reading), [])
  assert.deepEqual(flawsOf({ method: 'dhcp' }), ['/address', '/prefix', '/gateway', '/dns'])
})

test('what should have an address and has none is said, with why', () => {
  const cable = reading.interfaces[0]
  assert.ok(cable?.profile)
  const said = (change: object) => withoutAddress({ refusal: null, interfaces: [{ ...cable, ...change }] })
  const none = { addresses: [] }
  const profile = { ...cable.profile, is_ours: true }

  assert.deepEqual(said({}), [])
  assert.match(String(said(none)[0]), /nobody in its network gives any/)
  assert.match(String(said({ ...none, method: 'static' })[0]), /Wired connection 1 sets one/)
  assert.deepEqual(said({ ...none, carrier: false }), [], 'a port that nobody uses')
  assert.match(String(said({ ...none, carrier: false, profile })[0]), /eth0 has no cable/)
  assert.deepEqual(said({ ...none, profile: null }), [])
  assert.deepEqual(said({ ...none, method: 'link-local' }), [])
})
