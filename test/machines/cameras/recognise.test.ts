// Which camera is which.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSerial } from '../../../machines/cameras/keys.ts'
import { candidatesFor, nameOf, recognise, unitChanges } from '../../../machines/cameras/recognise.ts'
import { uidFrom } from '../../../machines/cameras/unit.ts'
import { cameraIn, unitOf } from './nodes.ts'

const X = 'cam-xxxxxxxx'
const Y = 'cam-yyyyyyyy'

/** The uids of what is plugged in, in its order; null: a newcomer. */
const uids = (...[nodes, units]: Parameters<typeof recognise>): (string | null)[] => {
  const { present } = recognise(nodes, units)
  return nodes.map((node) => present.find((each) => each.node === node)?.unit.camera_uid ?? null)
}

test('a serial number that factories write into every camera tells nothing', () => {
  for (const none of [
    null,
    '',
    ' ',
    'SN0001',
    '01.00.00',
    '200901010001',
    '0',
    '00000000',
    '123456789',
    'FFFF',
    'none',
  ])
    assert.equal(isSerial(none), false, String(none))
  for (const serial of ['8C4F1B2E', '20231105A7', 'A1', '46AB3F10']) assert.equal(isSerial(serial), true, serial)
})

test('a camera with a serial number is itself in every port and under every device file', () => {
  const before = cameraIn('1.1', { serial: '8C4F1B2E' })
  const moved = cameraIn('1.4', { serial: '8C4F1B2E', number: 6 })

  assert.deepEqual(uids([moved], [unitOf(before, X)]), [X])
  const { store, forget } = unitChanges(recognise([moved], [unitOf(before, X)]), new Set(), () => Y)
  assert.deepEqual([store, forget], [[unitOf(moved, X)], []])
})

test('a camera without one is itself in its port, whatever device file it has', () => {
  const [before, now] = [cameraIn('1.1'), cameraIn('1.1', { number: 4 })]

  assert.deepEqual(uids([now], [unitOf(before, X)]), [X])
  assert.equal(recognise([now], [unitOf(before, X)]).present[0]?.known_by, 'port')
})

test('a camera without one in a new port is offered, never taken for another', () => {
  const [before, now] = [cameraIn('1.1'), cameraIn('1.2')]
  const known = [unitOf(before, X)]
  assert.deepEqual(uids([now], known), [null])

  const { store } = unitChanges(recognise([now], known), new Set(), () => Y)
  const { present, absent } = recognise([now], [...known, ...store])

  assert.deepEqual(
    present.map(({ unit }) => unit.camera_uid),
    [Y],
  )
  assert.deepEqual(
    present.flatMap((camera) => candidatesFor(camera, absent)),
    known,
  )
})

test('two cameras alike keep their names by their ports, so that swapped cables swap the names', () => {
  const [a, b] = [cameraIn('1.1', { number: 0 }), cameraIn('1.2', { number: 2 })]
  const units = [unitOf(a, X), unitOf(b, Y)]
  const swapped = [cameraIn('1.1', { number: 2 }), cameraIn('1.2', { number: 0 })]

  assert.deepEqual(uids(swapped, units), [X, Y])
  assert.deepEqual(uids(swapped.toReversed(), units), [Y, X])
})

test('a serial number that two cameras share tells neither, nor does one that two stored units have', () => {
  const same = { serial: 'AB12CD' }
  const [a, b] = [cameraIn('1.1', same), cameraIn('1.2', { ...same, number: 2 })]

  assert.deepEqual(uids([a, b], [unitOf(a, X)]), [X, null])
  const inThird = cameraIn('1.3', same)
  assert.deepEqual(uids([inThird], [unitOf(a, X), unitOf(b, Y)]), [null])
})

test('another model, or another serial number, in the port of a camera is another camera', () => {
  const unit = unitOf(cameraIn('1.1', { serial: 'AB12CD' }), X)

  for (const other of [cameraIn('1.1', { product: 'Other' }), cameraIn('1.1', { serial: 'FE34DC' })]) {
    const { present, absent, newcomers } = recognise([other], [unit])
    assert.deepEqual([present, absent, newcomers], [[], [unit], [other]])
    const camera = { node: other, unit: unitOf(other, Y), known_by: 'port' } as const
    assert.deepEqual(candidatesFor(camera, absent), [])
  }
})

test('the claim of a user counts more than the age of a unit, and a name without use is forgotten', () => {
  const now = cameraIn('1.2')
  const units = [unitOf(now, Y), unitOf(now, X, { claim: 1 })]

  assert.deepEqual(uids([now], units), [X])
  assert.deepEqual(unitChanges(recognise([now], units), new Set([X]), () => 'no').forget, [Y])
  assert.deepEqual(unitChanges(recognise([now], units), new Set([X, Y]), () => 'no').forget, [])
})

test('the oldest unit that nobody needs makes room, one that a stream has never does', () => {
  const units = Array.from({ length: 64 }, (_, n) =>
    unitOf(cameraIn(`2.${n}`), `cam-${String(n + 10).replaceAll('1', 'a')}`),
  )
  const [first, second] = units.map(({ camera_uid }) => camera_uid) as [string, string]

  const { store, forget } = unitChanges(recognise([cameraIn('1.1')], units), new Set([first]), () => Y)

  assert.deepEqual([store.map(({ camera_uid }) => camera_uid), forget], [[Y], [second]])
})

test('a serial number that cannot be read for once is not forgotten', () => {
  const unit = unitOf(cameraIn('1.1', { serial: '8C4F1B2E' }), X)
  const unread = cameraIn('1.1')

  assert.deepEqual(uids([unread], [unit]), [X])
  assert.deepEqual(unitChanges(recognise([unread], [unit]), new Set(), () => Y).store, [])
})

test('what a maker calls a camera is shown without what cannot be seen', () => {
  assert.equal(nameOf(cameraIn('1.1', { product: 'HD\u0007 \u202eCam' })), 'Acme HD Cam')
  assert.equal(nameOf(cameraIn('1.1', { product: 'Acme HD' })), 'Acme HD')
  assert.equal(nameOf(cameraIn('1.1', { manufacturer: 'Acme Co., Ltd.', product: 'Acme HD' })), 'Acme HD')
})

test('a name that is too long is not cut within a character', () => {
  const product = 'x'.repeat(194)

  assert.equal(nameOf(cameraIn('1.1', { product: `${product}\u{1f3a5}\u{1f3a5}` })), `Acme ${product}`)
})

test('a new name is of small letters and digits', () => {
  assert.match(uidFrom(Uint8Array.from({ length: 8 }, (_, n) => n * 37)), /^cam-[a-z2-7]{8}$/)
})
