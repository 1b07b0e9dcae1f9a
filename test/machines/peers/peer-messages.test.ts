// What peers say, read with care.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFault } from '../../../machines/errors/fault.ts'
import { inventoryIn, leapFault, messageIn, numberFault } from '../../../machines/peers/peer-messages.ts'
import { DEVICE_ID, inventoryOf, ORIGIN, OTHER_ID, remoteStream } from '../../support/peers/peers.ts'

const read = (document: unknown) => inventoryIn(JSON.stringify(document), ORIGIN, DEVICE_ID)

test('an inventory of a newer version is read as far as it is known', () => {
  const stream = { ...remoteStream(), formats: ['mjpeg', 'av2'], colour: 'of a newer version' }

  const found = read({ ...inventoryOf(), streams: [stream], more: {} })

  assert.deepEqual(found, inventoryOf({ streams: [remoteStream({ formats: ['mjpeg'] })] }))
})

test('what a newer version says within a part that may be missing costs nothing of the rest', () => {
  const pose = { x_m: 0.2, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }
  const parts = {
    crop: { x_px: 0, y_px: 0, width_px: 64, height_px: 64 },
    picture: { width_px: 640, height_px: 480 },
    fault: { code: 'camera.lost', detail: 'It is gone.' },
    pipeline_fault: null,
  }
  const camera = { camera_uid: 'stream-front', stream_id: 'front', pose_revision: 3, has_pose: true, pose }
  const known = inventoryOf({ streams: [remoteStream(parts)], rig: [camera] })
  const more = <Part extends object>(part: Part): Part => ({ ...part, more: 'of a newer version' })
  const { crop, picture, fault } = parts
  const said = { ...parts, crop: more(crop), picture: more(picture), fault: more(fault) }

  const found = read({ ...known, streams: [remoteStream(said)], rig: [{ ...camera, pose: more(pose) }] })

  assert.deepEqual(found, known)
})

test('an inventory that does not fit, or is of another device, is refused', () => {
  const { streams: _, ...without } = inventoryOf()
  const many = { ...inventoryOf(), streams: Array.from({ length: 257 }, () => remoteStream()) }

  const twice = inventoryOf({ streams: [remoteStream(), remoteStream({ alias: 'Other' })] })

  for (const document of [without, many, twice, [], null, 7, inventoryOf({ device_id: OTHER_ID })]) {
    const found = read(document)
    assert.ok(isFault(found) && found.code === 'peer.bad_answer', JSON.stringify(document))
  }
  assert.ok(isFault(inventoryIn('<html>', ORIGIN, DEVICE_ID)))
})

test('messages are told apart, and nonsense is refused', () => {
  const hello = { kind: 'hello', epoch: 'e', seq: 3, resumed: true }
  const event = { kind: 'stream_changed', seq: 4, resource_ref: { stream_id: 'front' }, revision: 2, data: {} }
  const heard = (message: unknown) => messageIn(JSON.stringify(message), ORIGIN)

  assert.deepEqual(heard(hello), { type: 'hello', epoch: 'e', seq: 3, resumed: true, tellsTime: false })
  assert.equal((heard({ ...hello, tells_time: true }) as { tellsTime?: boolean }).tellsTime, true)
  assert.equal((heard({ ...hello, tells_time: 'yes' }) as { tellsTime?: boolean }).tellsTime, false)
  assert.deepEqual(heard(event), { type: 'event', event })
  const clock = { kind: 'clock', number: 3, monotonic_us: 4_000_000 }
  assert.deepEqual(heard(clock), { type: 'clock', number: 3, monotonicUs: 4_000_000 })
  const nonsense = [
    ...[7, [], null, {}, { ...event, seq: -1 }, { ...event, seq: '4' }, { ...event, resource_ref: null }],
    ...[
      { ...hello, epoch: 7 },
      { ...hello, epoch: 'e'.repeat(65) },
      { ...hello, epoch: '' },
      { ...hello, epoch: '\ud800' },
      { ...event, kind: 7 },
      { ...clock, number: -1 },
      { ...clock, monotonic_us: 0.5 },
      { ...clock, monotonic_us: undefined },
    ],
  ]
  for (const message of nonsense) assert.ok(isFault(heard(message)), JSON.stringify(message))
  assert.ok(isFault(messageIn('{', ORIGIN)))
})

test('the numbers of events rise, and not by more than can have been told', () => {
  const lies = (judge: typeof numberFault, numbers: readonly (readonly [last: number, seq: number])[]) =>
    numbers.map(([last, seq]) => judge(last, seq, ORIGIN)?.code)
  const [day, ever] = [1e9, Number.MAX_SAFE_INTEGER]

  const told = lies(numberFault, [
    [0, 1],
    [7, 8],
    [7, day],
    [7, 7],
    [7, 6],
    [ever, 8],
    [7, ever],
  ])
  const read = lies(leapFault, [
    [7, 7],
    [7, 6],
    [7, day],
    [7, ever],
  ])

  const lie = 'peer.bad_answer'
  assert.deepEqual(told, [undefined, undefined, undefined, lie, lie, lie, lie])
  assert.deepEqual(read, [undefined, undefined, undefined, lie])
})
