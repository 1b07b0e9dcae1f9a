// Links as they are wanted: one for each peer, none harms another.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { askNow } from '../../../actors/ask.ts'
import { PEER_DOORS, PEER_REGISTRY } from '../../../actors/peers/tokens.ts'
import { isFault } from '../../../machines/errors/fault.ts'
import { peerCollection, type StoredPeer } from '../../../machines/peers/peer.ts'
import { deleteOrder, mergeOrder, putOrder } from '../../../machines/settings/commit.ts'
import type { ActorNamed, Command } from '../../../machines/supervision/actors.ts'
import { FakePeerWire } from '../../../native/peers/fake.ts'
import { PEER_WIRE } from '../../../native/peers/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { SUPERVISOR } from '../../../supervisors/composition/tokens.ts'
import { DEVICE_ID, nativeDevice, ORIGIN, OTHER_ID } from '../../support/peers.ts'
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

test('doors lead to devices of this kind that have greeted, and say of all others why not', async (t) => {
  const { wire, put, resolve, status } = await serviceWithPeers(t)
  const native = nativeDevice(wire)
  const door = resolve(PEER_DOORS)
  const codeOf = (id: string) => {
    const found = door(id)
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
  const found = door('back')
  assert.ok(!isFault(found))
  assert.deepEqual(found.target, { origin: ORIGIN, fingerprint: 'f'.repeat(64), token: null })
  native.device.sockets[0]?.drop()
  await status('back', 'backing-off')
  assert.equal(
    codeOf('back'),
    'backing-off',
    'what was asked for goes to the wire, which knows whether it can be reached',
  )
})
