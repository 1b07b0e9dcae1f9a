// How boards sit on robots.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ImuMountName, isMountName, mountMatrix, namedMount, nameOfMount } from '../../../machines/imu/mount.ts'
import { parseMountMatrix } from '../../../machines/imu/mount-matrix.ts'

const names = (ImuMountName as unknown as { readonly enum: readonly string[] }).enum
const WHERE: Readonly<Record<string, readonly number[]>> = {
  forward: [1, 0, 0],
  back: [-1, 0, 0],
  left: [0, 1, 0],
  right: [0, -1, 0],
  up: [0, 0, 1],
  down: [0, 0, -1],
}

test('there are 24 ways to sit square, and each name is found again by its angles', () => {
  assert.equal(names.length, 24)
  for (const name of names) {
    assert.ok(isMountName(name))
    assert.equal(nameOfMount(namedMount(name)), name)
  }
  assert.ok(!isMountName('x_up_z_down'))
})

test('the axes of the chip point where the name says', () => {
  for (const name of names) {
    assert.ok(isMountName(name))
    const [, x = '', , z = ''] = name.split('_')
    const m = mountMatrix(namedMount(name)).map((value) => Math.round(value) + 0)
    assert.deepEqual([m[0], m[3], m[6]], WHERE[x], name)
    assert.deepEqual([m[2], m[5], m[8]], WHERE[z], name)
  }
})

test('a board that leans has no name', () => {
  assert.equal(nameOfMount({ roll_deg: 1, pitch_deg: 0, yaw_deg: 90 }), null)
})

test('the matrix of a system is read in its form, and left out where it is no rotation', () => {
  assert.deepEqual(parseMountMatrix('0, 1, 0; -1, 0, 0; 0, 0, 1'), [0, 1, 0, -1, 0, 0, 0, 0, 1])
  for (const text of [null, '', '1, 0, 0; 0, 1, 0', '0, 0, 0; 0, 0, 0; 0, 0, 0', '2, 0, 0; 0, 2, 0; 0, 0, 2', 'a, b'])
    assert.equal(parseMountMatrix(text), null)
})
