// What of another device has to be read again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exchanged, type InventoryPart, partOf, queryOf } from '../../../machines/interdevice/inventory-part.ts'
import { OutdatedParts } from '../../../machines/interdevice/outdated-parts.ts'
import { inventoryOf, remoteStream } from '../../support/peers/peers.ts'

const front: InventoryPart = { type: 'stream', id: 'front' }
const camera = (camera_uid: string, stream_id: string | null = null) => ({
  camera_uid,
  stream_id,
  pose_revision: 0,
  has_pose: false,
})

/** What was read as a whole, up to an event. */
const readUpTo = (seq: number): OutdatedParts => {
  const outdated = new OutdatedParts()
  outdated.hasReadAll(seq, outdated.turn)
  return outdated
}

test('at first the whole is outdated, then what events tell of, until it was read with them', () => {
  const outdated = new OutdatedParts()
  const before = outdated.isWhole
  outdated.hasReadAll(3, outdated.turn)

  const [late, news] = [outdated.note(front, 3), outdated.note(front, 4)]
  outdated.note(front, 7)
  outdated.hasRead(front, 5)
  const between = outdated.parts
  outdated.hasRead(front, 7)

  assert.deepEqual([before, late, news, between], [true, false, true, [front]])
  assert.equal(outdated.isNothing, true)
  assert.equal(outdated.note(front, 6), false, 'that was in it')
  assert.equal(outdated.note({ type: 'camera', id: 'front' }, 6), true, 'of that nobody has read')
})

test('who is reset while the whole is read reads it again', () => {
  const outdated = new OutdatedParts()
  const { turn } = outdated

  outdated.all()
  outdated.hasReadAll(9, turn)

  assert.equal(outdated.isWhole, true)
})

test('what was read takes nothing for old that comes once all before it has come, whatever number it said', () => {
  const outdated = readUpTo(1_000)
  const { readings } = outdated
  outdated.hasRead(front, 2_000)
  outdated.hasCaughtUp(readings) // it was read once more since
  const [late, stillLate] = [outdated.note(front, 1_500), outdated.note({ type: 'stream', id: 'side' }, 900)]

  outdated.hasCaughtUp(outdated.readings)
  const [news, others] = [outdated.note(front, 4), outdated.note({ type: 'stream', id: 'side' }, 5)]

  assert.deepEqual([late, stillLate, news, others], [false, false, true, true])
})

test('of more things than a device can have no list is kept', () => {
  const outdated = readUpTo(0)

  for (let n = 1; n <= 1_000; n++) outdated.note({ type: 'stream', id: `s${n}` }, n)

  assert.equal(outdated.isWhole, true)
  assert.ok(outdated.parts.length <= 64)
})

test('an event is about a stream, about a camera without a stream, or about nothing in an inventory', () => {
  const parts = (
    [
      ['pose_changed', { stream_id: 'front', camera_uid: 'cam-1' }],
      ['camera_presence', { camera_uid: 'cam-1' }],
      ['of_a_newer_version', { stream_id: 'front' }],
      ['control_changed', { stream_id: 'front', camera_uid: 'cam-1', control_id: 7 }],
      ['peer_health', { peer_id: 'left' }],
      ['stream_changed', { stream_id: 'front', peer_id: 'left' }],
      ['stream_changed', { stream_id: '' }],
      ['stream_changed', { stream_id: 'x'.repeat(65) }],
      ['rig_changed', {}],
    ] as const
  ).map(([kind, resource_ref]) => partOf({ kind, resource_ref }))

  assert.deepEqual(parts.slice(0, 3), [front, { type: 'camera', id: 'cam-1' }, front])
  assert.ok(parts.slice(3).every((part) => part === undefined))
  assert.equal(queryOf({ type: 'stream', id: 'a&b=c' }), 'stream_id=a%26b%3Dc')
})

test('a stream takes its place again with all its parts, and a camera that it had is left to be read', () => {
  const known = inventoryOf({
    streams: [remoteStream({ id: 'a' }), remoteStream(), remoteStream({ id: 'z' })],
    rig: [camera('cam-a', 'a'), camera('cam-1', 'front'), camera('cam-2')],
  })
  const said = inventoryOf({
    streams: [remoteStream({ alias: 'Bow' }), remoteStream({ id: 'z', alias: 'of another' })],
    rig: [camera('cam-2', 'front'), camera('cam-a', 'a')],
  })

  const { inventory, left } = exchanged(known, front, said) ?? {}
  const gone = exchanged(known, front, inventoryOf({ streams: [], pipelines: [], rig: [] }))

  assert.deepEqual(
    inventory?.streams.map(({ id, alias }) => [id, alias]),
    [
      ['a', 'Front'],
      ['front', 'Bow'],
      ['z', 'Front'],
    ],
  )
  assert.deepEqual(inventory?.rig, [camera('cam-a', 'a'), camera('cam-2', 'front')])
  assert.deepEqual(left, [{ type: 'camera', id: 'cam-1' }])
  assert.deepEqual([gone?.inventory.streams.length, gone?.inventory.pipelines], [2, []])
})

test('a camera without a stream comes and goes alone', () => {
  const known = inventoryOf({ rig: [camera('cam-1')] })
  const other: InventoryPart = { type: 'camera', id: 'cam-2' }

  const both = exchanged(known, other, inventoryOf({ rig: [camera('cam-2'), camera('cam-3')] }))?.inventory
  const one = both && exchanged(both, { type: 'camera', id: 'cam-1' }, inventoryOf({ rig: [] }))?.inventory

  assert.deepEqual([both?.rig, one?.rig], [[camera('cam-1'), camera('cam-2')], [camera('cam-2')]])
  assert.deepEqual(one?.streams, known.streams)
})

test('a whole does not grow beyond what one may be, however its parts come', () => {
  const full = inventoryOf({ streams: Array.from({ length: 256 }, (_, n) => remoteStream({ id: `s${n}` })) })

  assert.equal(exchanged(full, front, inventoryOf()), undefined)
})
