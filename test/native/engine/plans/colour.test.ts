// A colour pipeline from a camera's JPEG to what a robot aims at, planned from a graph and executed as the engine does.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { GraphDocument } from '../../../../machines/pipeline/graph.ts'
import type { Intrinsics } from '../../../../machines/stream/manifest.ts'
import { rowObjects } from '../../../support/engine/row-objects.ts'
import { steppedPictures } from '../../../support/engine/stepped.ts'
import { BLOCK_PX, blockJpeg, type Colour } from '../../../support/media/block-jpeg.ts'
import { folderOf } from '../../../support/processes/folder.ts'

const GREY: Colour = [110, 110, 110]
const GREEN: Colour = [40, 210, 60]
const BLUE: Colour = [30, 60, 220]
const RED: Colour = [220, 30, 40]

/** A rectangle of blocks. */
interface Painted {
  readonly colour: Colour
  readonly at: readonly [number, number]
  readonly size: readonly [number, number]
}

const COLUMNS = 80
const ROWS = 60

/** 640x480 pixels, optical axis in the middle. */
const intrinsics: Intrinsics = {
  width_px: COLUMNS * BLOCK_PX,
  height_px: ROWS * BLOCK_PX,
  fx_px: 600,
  fy_px: 600,
  cx_px: 319.5,
  cy_px: 239.5,
  distortion: [],
}

const isWithin = ({ at: [left, top], size: [width, height] }: Painted, column: number, row: number) =>
  column >= left && column < left + width && row >= top && row < top + height

const graph = (hue: readonly [number, number], params: Readonly<Record<string, object>> = {}): GraphDocument => {
  const chain = ['hsv-threshold', 'contours', 'contour-filter', 'sort', 'target']
  const node = (type: string) => ({ id: type, type, params: { ...params[type] } })
  const threshold = { ...node('hsv-threshold'), params: { hue_min_deg: hue[0], hue_max_deg: hue[1] } }
  return {
    nodes: [{ id: 'source', type: 'source' }, threshold, ...chain.slice(1).map(node)],
    edges: [
      { from: 'source.colour', to: 'hsv-threshold.image' },
      { from: 'hsv-threshold.mask', to: 'contours.mask' },
      { from: 'contours.contours', to: 'contour-filter.contours' },
      { from: 'contour-filter.contours', to: 'sort.contours' },
      { from: 'sort.contours', to: 'target.contours' },
    ],
    outputs: [{ port: 'targets', from: 'target.targets' }],
  }
}

const targetsIn = async (t: TestContext, painted: readonly Painted[], pipeline: GraphDocument) => {
  const file = join(folderOf(t), 'drawn.jpg')
  const paint = (column: number, row: number) => painted.find((each) => isWithin(each, column, row))?.colour ?? GREY
  writeFileSync(file, blockJpeg(COLUMNS, ROWS, paint))
  const [result] = await steppedPictures([file], { pipeline, intrinsics })
  assert.ok(result)
  return rowObjects(result, 'targets') ?? []
}

const deg = (tangent: number) => (Math.atan(tangent) * 180) / Math.PI

test('a robot aims at what has the colour, the shape and the size that it looks for', async (t) => {
  const wanted: Painted = { colour: GREEN, at: [50, 10], size: [12, 6] }
  const smaller: Painted = { colour: GREEN, at: [5, 40], size: [8, 4] }
  const tall: Painted = { colour: GREEN, at: [30, 30], size: [4, 20] }
  const blue: Painted = { colour: BLUE, at: [10, 5], size: [20, 10] }
  const filter = { 'contour-filter': { ratio_min: 1.5, ratio_max: 3, area_share_min: 0.001 } }

  const found = await targetsIn(t, [wanted, smaller, tall, blue], graph([100, 160], filter))

  assert.equal(found.length, 2)
  const [first, second] = found as [Record<string, number>, Record<string, number>]
  assert.ok(Math.abs((first.tx_deg as number) - deg((56 * 8 - 320) / 600)) < 0.05, `tx ${first.tx_deg}`)
  assert.ok(Math.abs((first.ty_deg as number) - deg((240 - 13 * 8) / 600)) < 0.05, `ty ${first.ty_deg}`)
  assert.ok(Math.abs((first.area_share as number) / ((12 * 6) / (COLUMNS * ROWS)) - 1) < 0.01, `${first.area_share}`)
  assert.deepEqual(
    [first.x0_px, first.y0_px, first.x2_px, first.y2_px].map((at) => Math.round(at as number)),
    [400, 80, 496, 128],
  )
  assert.ok((second.tx_deg as number) < 0 && (second.ty_deg as number) < 0)
})

test('red is found on both sides of where hues begin', async (t) => {
  const found = await targetsIn(t, [{ colour: RED, at: [20, 20], size: [10, 10] }], graph([340, 20]))

  assert.deepEqual(
    found.map(({ width_px, height_px }) => [width_px, height_px]),
    [[80, 80]],
  )
})

test('a thing whose size is known is as far away as it looks small', async (t) => {
  const model = [-0.24, -0.12, 0, 0.24, -0.12, 0, 0.24, 0.12, 0, -0.24, 0.12, 0]

  const found = await targetsIn(
    t,
    [{ colour: GREEN, at: [28, 24], size: [24, 12] }],
    graph([100, 160], { target: { model_points_m: model } }),
  )

  const [target] = found as [Record<string, number>]
  assert.equal(target.has_pose, 1)
  assert.ok(
    Math.abs((target.camera_target_z_m as number) / ((600 * 0.48) / 192) - 1) < 0.01,
    `${target.camera_target_z_m} m`,
  )
})
