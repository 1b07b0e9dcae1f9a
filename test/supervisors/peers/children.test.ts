// Links as they are wanted: one for each peer, none harms another.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { askNow } from '../../../actors/ask.ts'
import { PEER_ACCESS, PEER_REGISTRY } from '../../../actors/peers/tokens.ts'
import { isFault } from '../../../machines/errors/fault.ts'
import { peerCollection, type StoredPeer } from '../../../machines/peers/peer.ts'
import { deleteOrder, mergeOrder, putOrder } from '../../../machines/settings/commit.ts'
import type { ActorNamed, Command } from '../../../machines/supervision/actors.ts'
import { FakeDocuments } from '../../../native/documents/fake.ts'
import { fakeSecrets } from '../../../native/peer-secrets/fake.ts'
import { PEER_SECRETS } from '../../../native/peer-secrets/port.ts'
import { FakePeerWire } from '../../../native/peers/fake.ts'
import { PEER_WIRE } from '../../../native/peers/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { SUPERVISOR } from '../../../supervisors/composition/tokens.ts'
import { DEVICE_ID, nativeDevice, ORIGIN, OTHER_ID } from '../../support/peers/peers.ts'
import { fakeService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const OTHER = 'https://10.0.0.9:5801'

const serviceWithPeers = async (t: TestContext) => {
  const wire = new FakePeerWire()
  const service = await fakeService(t, { ports: [value(PEER_WIRE, wire)] })
  const peers = service.resolve(PEER_REGISTRY)
  const write = async (order: Command<'settings'>) => {
    const reply = await askNow(service.directory.actor('settings') as ActorNamed<'settings'>, order)
    assert.equal(reply.outcome, 'done', JSON.stringify(reply))
  }
  const put = (id: string, stored: Partial<StoredPeer> = {}) =>
    write(putOrder(peerCollection, id, { base_url: ORIGIN, token_version: 0, ...stored }))
  const status = (id: string, wanted: string) =>
    until(
      `${id} ${wanted}`,
      () => peers.get(id)?.record().status,
      (found) => found === wanted,
    )
  return { ...service, wire, peers, write, put, status }
}

test('a peer is linked as long as it is registered, and closed at once when it is deleted', async (t) => {
  const { wire, peers, put, write, status, directory } = await serviceWithPeers(t)
  const { device } = nativeDevice(wire)

  await put('back')
  await status('back', 'linked')
  const { value: stored } = peers.get('back')?.stored ?? {}
  assert.deepEqual([stored?.device_id, stored?.own_name], [DEVICE_ID, 'Back'])
  assert.ok(directory.parts().some(({ name }) => name === 'peers/back'))

  await write(deleteOrder(peerCollection, 'back'))

  await until('the end of the socket', () => device.sockets.length === 0)
  assert.equal(peers.get('back'), undefined)
  assert.ok(!directory.parts().some(({ name }) => name === 'peers/back'))
})

test('another name of a device is shown, and not stored', async (t) => {
  const { wire, peers, put, status, documents } = await serviceWithPeers(t)
  const native = nativeDevice(wire)
  await put('back')
  await status('back', 'linked')
  const commits = documents.commits.length

  native.hello = { ...native.hello, name: 'Renamed' }
  native.device.sockets[0]?.drop()
  await until('the name', () => peers.get('back')?.record().name === 'Renamed')
  await status('back', 'linked')

  assert.equal(documents.commits.length, commits)
})

test('a disk that is full keeps no link away: who the device is, is known until it can be stored', async (t) => {
  const { wire, peers, put, status, documents } = await serviceWithPeers(t)
  await put('back')
  await status('back', 'offline')
  documents.fault = { code: 'storage.full', detail: 'the disk is full' }
  const native = nativeDevice(wire)

  await status('back', 'linked')

  const { device_id, name, integration } = peers.get('back')?.record() ?? {}
  assert.deepEqual([device_id, name, integration], [DEVICE_ID, 'Back', 'native'])
  assert.equal(peers.get('back')?.stored.value.device_id, undefined)
  native.hello = { ...native.hello, device_id: OTHER_ID }
  native.device.sockets[0]?.drop()
  await status('back', 'refused')
  assert.equal(peers.get('back')?.record().fault?.code, 'peer.other_device')
})

test('two peers that are stored as the same device are linked once, the first of them', async (t) => {
  const { wire, put, peers, status } = await serviceWithPeers(t)
  const native = nativeDevice(wire)
  nativeDevice(wire, OTHER)

  await put('first', { device_id: DEVICE_ID })
  await put('second', { base_url: OTHER, device_id: DEVICE_ID })
  await status('first', 'linked')
  await status('second', 'refused')
  native.device.sockets[0]?.drop()
  await status('first', 'backing-off')
  await status('first', 'linked')

  assert.deepEqual(
    ['first', 'second'].map((id) => peers.get(id)?.record().fault?.code),
    [undefined, 'peer.twice'],
  )
})

test('tokens that nobody refers to are forgotten at the start, and those of a lost list are not', async (t) => {
  const secrets = fakeSecrets()
  for (const [id, version] of [
    ['back', 1],
    ['back', 2],
    ['gone', 1],
  ] as const)
    await Effect.runPromise(secrets.keep(id, version, 'a-token'))
  const kept = () =>
    [
      ['back', 1],
      ['back', 2],
      ['gone', 1],
    ].map(([id, n]) => secrets.get(id as string, n as number) !== null)
  const ports = [value(PEER_WIRE, new FakePeerWire()), value(PEER_SECRETS, secrets)]

  await fakeService(t, { ports })
  assert.deepEqual(kept(), [true, true, true])
  const documents = new FakeDocuments()
  const stored = { base_url: ORIGIN, token_version: 2 }
  documents.documents = [{ collection: peerCollection.name, id: 'back', value: stored, place: 1n, revision: 1 }]
  const { resolve } = await fakeService(t, { ports, documents })

  assert.deepEqual(kept(), [false, true, false])
  assert.equal(resolve(PEER_REGISTRY).get('back')?.record().has_token, true)
})

test('a link that crashes is started again, and its sibling does not notice', async (t) => {
  const { wire, put, status, resolve } = await serviceWithPeers(t)
  const [first, second] = [nativeDevice(wire), nativeDevice(wire, OTHER, OTHER_ID)]
  await put('back')
  await put('side', { base_url: OTHER })
  await status('back', 'linked')
  await status('side', 'linked')
  const [sibling] = second.device.sockets

  resolve(SUPERVISOR)
    .actor('peers/back')
    ?.send({ type: 'xstate.error.actor.bug', error: new Error('a bug') } as never)
  await until('another socket', () => first.device.sockets[0]?.path.includes('since='))
  await status('back', 'linked')

  assert.equal(second.device.sockets[0], sibling)
})

test('what a link learns, and another name, leave it alone; another address does not', async (t) => {
  const { wire, peers, put, write, status } = await serviceWithPeers(t)
  const native = nativeDevice(wire)
  nativeDevice(wire, OTHER)
  await put('back')
  await status('back', 'linked')
  const [socket] = native.device.sockets

  await write(mergeOrder(peerCollection, 'back', { name: 'Rear' }))
  assert.equal(peers.get('back')?.record().name, 'Rear')
  assert.equal(native.device.sockets[0], socket)
  await write(mergeOrder(peerCollection, 'back', { base_url: OTHER }))
  await until('the end of the socket', () => native.device.sockets.length === 0)
  await status('back', 'linked')
})

test('the same device under two names is linked once', async (t) => {
  const { wire, put, peers, status } = await serviceWithPeers(t)
  nativeDevice(wire)
  nativeDevice(wire, OTHER)

  await put('back')
  await status('back', 'linked')
  await put('again', { base_url: OTHER })
  await status('again', 'refused')

  assert.equal(peers.get('again')?.record().fault?.code, 'peer.twice')
})

test('access is given to devices of this kind that have greeted, and of all others it is said why not', async (t) => {
  const { wire, put, resolve, status } = await serviceWithPeers(t)
  const native = nativeDevice(wire)
  const accessTo = resolve(PEER_ACCESS)
  const codeOf = (id: string) => {
    const found = accessTo(id)
    return isFault(found) ? found.code : found.state
  }
  await put('back', { fingerprint: 'f'.repeat(64) })
  await put('camera', { base_url: 'http://10.0.0.7/', integration: 'custom' })
  await put('away', { base_url: 'http://10.0.0.8' })
  await status('back', 'linked')
  await status('away', 'offline')

  assert.deepEqual(['back', 'camera', 'away', 'nobody'].map(codeOf), [
    ...['linked', 'peer.not_native', 'peer.not_linked', 'peer.not_found'],
  ])
  const found = accessTo('back')
  assert.ok(!isFault(found))
  assert.deepEqual(found.target, { origin: ORIGIN, fingerprint: 'f'.repeat(64), token: null, device_id: DEVICE_ID })
  native.device.sockets[0]?.drop()
  await status('back', 'backing-off')
  assert.equal(
    codeOf('back'),
    'backing-off',
    'what was asked for goes to the wire, which knows whether it can be reached',
  )
})
