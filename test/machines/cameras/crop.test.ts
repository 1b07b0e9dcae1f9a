// What may be asked for as a part of a picture, and what is said of what may not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CropBody, cropOfBody, MIN_CROP_PX } from '../../../machines/cameras/crop.ts'

const size = { width_px: 640, height_px: 480 }
const part = { x_px: 160, y_px: 120, width_px: 320, height_px: 240 }

test('a crop is the same in pixels and in shares of the picture', () => {
  assert.deepEqual(cropOfBody(part, size), part)
  assert.deepEqual(cropOfBody({ x: 0.25, y: 0.25, width: 0.5, height: 0.5 }, size), part)
})

test('shares are rounded at the edges, so that parts that touch go on touching', () => {
  const third = { y: 0, width: 1 / 3, height: 1 }
  const thirds = [0, 1 / 3, 2 / 3].map((x) => cropOfBody({ x, ...third }, size))

  assert.deepEqual(thirds, [
    { x_px: 0, y_px: 0, width_px: 213, height_px: 480 },
    { x_px: 213, y_px: 0, width_px: 214, height_px: 480 },
    { x_px: 427, y_px: 0, width_px: 213, height_px: 480 },
  ])
})

test('the whole picture is no crop, and in shares it may be asked for before anybody knows its size', () => {
  assert.equal(cropOfBody({ x_px: 0, y_px: 0, ...size }, size), null)
  assert.equal(cropOfBody({ x: 0, y: 0, width: 1, height: 1 }, size), null)
  assert.equal(cropOfBody({ x: 0, y: 0, width: 1, height: 1 }, undefined), null)
})

const refusals: readonly (readonly [what: string, body: CropBody, says: RegExp, pointer: string])[] = [
  ['to the left of the picture', { ...part, x_px: -1 }, /from -1 to 319 pixels from the left/, '/x_px'],
  ['to the right of it', { ...part, x_px: 400 }, /from 400 to 720 pixels from the left/, '/x_px'],
  ['below it', { ...part, y_px: 241 }, /from 241 to 481 pixels from the top/, '/y_px'],
  ['empty', { ...part, width_px: 0 }, /is 0, and in less than 32 pixels no tag is found/, '/width_px'],
  ['too small', { ...part, height_px: MIN_CROP_PX - 1 }, /is 31, and in less than 32/, '/height_px'],
  ['beyond it in shares', { x: 0.5, y: 0, width: 0.6, height: 1 }, /from 320 to 704 pixels from the left/, '/x'],
  ['empty in shares', { x: 0, y: 0, width: 0, height: 1 }, /is 0, and in less than 32/, '/width'],
  ['without a side', { x_px: 1, y_px: 2, width_px: 300 }, /is missing/, '/height_px'],
  ['of nothing', {}, /is missing; a crop is x_px, y_px, width_px, height_px/, '/x_px'],
  ['half in pixels', { x: 0, y_px: 2, width_px: 300, height_px: 300 }, /stands beside pixels/, '/x'],
]

for (const [what, body, says, pointer] of refusals) {
  test(`a crop ${what} is refused with the size of the picture`, () => {
    const fault = cropOfBody(body, size)

    assert.ok(fault && 'code' in fault, JSON.stringify(fault))
    assert.equal(fault.code, 'body.invalid')
    assert.match(fault.detail, says)
    assert.match(fault.detail, /the picture has 640x480 pixels/)
    assert.equal(fault.errors?.[0]?.pointer, pointer)
  })
}

test('without a picture there is no part of it, and the fault says what is waited for', () => {
  const fault = cropOfBody(part, undefined)

  assert.ok(fault && 'code' in fault)
  assert.equal(fault.code, 'camera.failed')
})
