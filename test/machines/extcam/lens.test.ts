import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lensOf, undistort } from '../../../machines/extcam/lens.ts'
import { quadArea, writeQuadShape } from '../../../machines/extcam/quad.ts'
import type { Intrinsics } from '../../../machines/stream/manifest.ts'

const wide: Intrinsics = {
  width_px: 1280,
  height_px: 800,
  fx_px: 905,
  fy_px: 903,
  cx_px: 645.2,
  cy_px: 391.7,
  distortion: [0.05, -0.08, 0.0006, -0.0004, 0.01],
}

/** OpenCV's model, from the ideal plane to the pixel. */
const distort = ({ fx_px, fy_px, cx_px, cy_px, distortion }: Intrinsics, x: number, y: number): [number, number] => {
  const [k1 = 0, k2 = 0, p1 = 0, p2 = 0, k3 = 0, k4 = 0, k5 = 0, k6 = 0] = distortion
  const r2 = x * x + y * y
  const radial = (1 + k1 * r2 + k2 * r2 ** 2 + k3 * r2 ** 3) / (1 + k4 * r2 + k5 * r2 ** 2 + k6 * r2 ** 3)
  const u = x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)
  const v = y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y
  return [fx_px * u + cx_px + 0.5, fy_px * v + cy_px + 0.5]
}

test('undistorted points are those that the lens distorted, all over the picture', () => {
  const rational = { ...wide, distortion: [0.3, -0.1, 0.0005, 0.0003, 0.01, 0.25, -0.05, 0.01] }
  const out = new Float64Array(2)

  for (const intrinsics of [
    wide,
    rational,
    { ...wide, distortion: [] },
    { ...wide, distortion: [0.05, -0.08, 0, 0] },
  ]) {
    const lens = lensOf(intrinsics, 1280, 800)
    for (let x = -0.7; x <= 0.7; x += 0.1) {
      for (let y = -0.42; y <= 0.42; y += 0.07) {
        const [u, v] = distort(intrinsics, x, y)
        undistort(lens, u, v, out, 0)
        assert.ok(Math.hypot((out[0] as number) - x, (out[1] as number) - y) < 1e-3, `${x}, ${y} came back as ${out}`)
      }
    }
  }
})

test('where the model does not hold the point stays where it was seen', () => {
  const broken = lensOf({ ...wide, distortion: [900, -900, 50, 50, 900] }, 1280, 800)
  const out = new Float64Array(2)

  undistort(broken, 1279, 1, out, 0)

  assert.ok(out.every((value) => Math.abs(value) < 100))
})

test('a tilted rectangle has its sides, extents and turn', () => {
  const rectangle = [
    [-2, -1],
    [2, -1],
    [2, 1],
    [-2, 1],
  ] as const
  const turned = (deg: number) => {
    const [c, s] = [Math.cos((deg * Math.PI) / 180), Math.sin((deg * Math.PI) / 180)]
    return Float64Array.from(rectangle.flatMap(([x, y]) => [c * x - s * y, s * x + c * y]))
  }
  const shape = new Float64Array(5)

  for (const deg of [0, 10, 30, -30, 44]) {
    writeQuadShape(turned(deg), 0, shape, 0)
    const [c, s] = [Math.cos((Math.abs(deg) * Math.PI) / 180), Math.sin((Math.abs(deg) * Math.PI) / 180)]
    const expected = [4, 2, 4 * c + 2 * s, 4 * s + 2 * c, deg]
    expected.forEach((value, i) => {
      assert.ok(Math.abs((shape[i] as number) - value) < 1e-9, `${deg}: [${i}] is ${shape[i]} instead of ${value}`)
    })
    assert.ok(Math.abs(quadArea(turned(deg), 0) - 8) < 1e-9)
  }
})

test('an outline without extent has a shape of zeros', () => {
  const shape = new Float64Array(5)

  writeQuadShape(new Float64Array(8), 0, shape, 0)

  assert.deepEqual([...shape], [0, 0, 0, 0, 0])
})
