// Markers as the package draws whose codes the addon was built with, found by the engine.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { TAG_FAMILIES } from '../../../../machines/engine/tag-families.ts'
import { demoMap } from '../../../../machines/localization/field-map.ts'
import type { GraphDocument } from '../../../../machines/pipeline/graph.ts'
import { rowObjects } from '../../../support/engine/row-objects.ts'
import { stepped, steppedPictures } from '../../../support/engine/stepped.ts'
import { grayPng } from '../../../support/media/png.ts'
import { folderOf } from '../../../support/processes/folder.ts'

/** Of the package. codeList: row by row, `1` is white. */
interface Dictionary {
  readonly markSize: number
  readonly codeList: readonly string[]
}

const load = createRequire(import.meta.url)
const { AR } = load('js-aruco2') as { AR: { Dictionary: new (name: string) => Dictionary } }

/**
 * By the names in results; the SHA-256 of all codes, a line each, as they stand in OpenCV 4.6: its tables of five times
 * 1000 and 1024 markers, each turned four ways, were compared with these, byte by byte.
 */
const DICTIONARIES = [
  ['aruco_4x4', 'aruco_4x4_1000', 'e77ebbcaa91a412eeac00e58b0e4d3e90085a21ed981b749e62120ff1b62de0f'],
  ['aruco_5x5', 'aruco_5x5_1000', '600b931727bef15f855555f3c9b743e161f2a390deb520bd6f3f1f47a83fb664'],
  ['aruco_6x6', 'aruco_6x6_1000', 'eb34c5717ec50fb665048980b724de9e1237d3f232ad2ba3113f0f88e394262d'],
  ['aruco_7x7', 'aruco_7x7_1000', 'c3a15e620948ae2bb71c7fb98f4ca1b8feb6ed2bdaa0a0b599559270d742d264'],
  ['aruco_original', 'aruco_default_opencv', 'ce6bf504d58379a70fc4a0c31876658896599d05b7bf20fc438029715bae2b2a'],
] as const

const dictionary = (file: string): Dictionary => {
  load(`js-aruco2/src/dictionaries/${file}.js`)
  return new AR.Dictionary(file.toUpperCase())
}

/** A marker whose upper left corner lies at x, y; */
interface Placed {
  readonly file: string
  readonly id: number
  readonly x: number
  readonly y: number
  /** Its smallest square; pixels. */
  readonly module: number
  /** Turned clockwise. */
  readonly quarters: number
}

/** The grey level at a place, of a marker and the white around it. */
const shadeOf = ({ file, id, x, y, module, quarters }: Placed) => {
  const { markSize, codeList } = dictionary(file)
  const inside = markSize - 2
  return (atX: number, atY: number): number | undefined => {
    let [column, row] = [Math.floor((atX - x) / module), Math.floor((atY - y) / module)]
    for (let n = 0; n < quarters; n += 1) [column, row] = [row, markSize - 1 - column]
    if (Math.min(column, row) < -1 || Math.max(column, row) > markSize) return undefined
    if (Math.min(column, row) < 0 || Math.max(column, row) >= markSize) return 230
    if (Math.min(column, row) === 0 || Math.max(column, row) === markSize - 1) return 25
    return codeList[id]?.[(row - 1) * inside + column - 1] === '1' ? 230 : 25
  }
}

const graphOf = (params: object): GraphDocument => ({
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'markers', type: 'aruco', params: { ...params } },
  ],
  edges: [{ from: 'source.image', to: 'markers.image' }],
  outputs: [{ port: 'tags', from: 'markers.detections' }],
})

const found = async (t: TestContext, markers: readonly Placed[], params: object) => {
  const file = join(folderOf(t), 'markers.png')
  const shades = markers.map(shadeOf)
  const shade = (x: number, y: number): number => {
    for (const each of shades) {
      const its = each(x, y)
      if (its !== undefined) return its
    }
    return 150
  }
  writeFileSync(file, grayPng(640, 480, shade))
  const [result] = await steppedPictures([file], { pipeline: graphOf(params) })
  return result ? (rowObjects(result, 'tags') ?? []) : []
}

/** Its corners, from the lower left one as somebody sees it who reads it, the other way round than clocks. */
const cornersOf = ({ file, x, y, module, quarters }: Placed): readonly number[] => {
  const side = dictionary(file).markSize * module
  const corners = [
    [x, y + side],
    [x + side, y + side],
    [x + side, y],
    [x, y],
  ]
  return [0, 1, 2, 3].flatMap((n) => corners[(n - quarters + 4) % 4] as number[])
}

test('the codes are those of OpenCV', () => {
  for (const [, file, sum] of DICTIONARIES)
    assert.equal(createHash('sha256').update(dictionary(file).codeList.join('\n')).digest('hex'), sum, file)
})

for (const [family, file] of DICTIONARIES)
  test(`markers of ${family} are found with their ids and corners, turned any way`, async (t) => {
    const name = family === 'aruco_original' ? 'original' : `${family.slice(6)}_1000`
    const markers = [3, 49, 612, 999].map((id, n) => {
      const at = { x: 60 + 300 * (n % 2), y: 50 + 220 * Math.floor(n / 2), module: 14, quarters: n }
      return { file, id, ...at }
    })

    const tags = await found(t, markers, { dictionaries: [name], decimate: 1 })

    assert.deepEqual(
      tags.map((tag) => [TAG_FAMILIES[tag.family as number], tag.id, tag.hamming]),
      markers.map(({ id }) => [family, id, 0]),
    )
    for (const [n, tag] of tags.entries()) {
      const expected = cornersOf(markers[n] as Placed)
      const seen = [0, 1, 2, 3].flatMap((corner) => [tag[`x${corner}_px`] as number, tag[`y${corner}_px`] as number])
      const off = Math.max(...seen.map((value, at) => Math.abs(value - (expected[at] as number))))
      assert.ok(off < 0.3, `${tag.id}: a corner is ${off} px off: ${seen}, not ${expected}`)
      assert.ok((tag.margin as number) > 130, `its margin is ${tag.margin}`)
    }
  })

test('a dictionary has as many markers as its name says', async (t) => {
  const marker = { file: 'aruco_6x6_1000', id: 70, x: 100, y: 100, module: 14, quarters: 0 }

  assert.equal((await found(t, [marker], { dictionaries: ['6x6_50'] })).length, 0)
  assert.equal((await found(t, [marker], { dictionaries: ['6x6_100', '4x4_50'] })).length, 1)
})

test('markers that stand in a field map tell where the robot is', async () => {
  const map = { ...demoMap, family: 'aruco_5x5' } as const
  const pipeline: GraphDocument = {
    nodes: [
      { id: 'source', type: 'source' },
      { id: 'markers', type: 'aruco', params: { dictionaries: ['5x5_50'] } },
      { id: 'points', type: 'undistort-points' },
      { id: 'poses', type: 'tag-pose' },
      { id: 'robot', type: 'field-pose' },
    ],
    edges: [
      { from: 'source.image', to: 'markers.image' },
      { from: 'markers.detections', to: 'points.detections' },
      { from: 'points.points', to: 'poses.points' },
      { from: 'points.points', to: 'robot.points' },
      { from: 'poses.poses', to: 'robot.tag_poses' },
    ],
    outputs: [{ port: 'pose', from: 'robot.pose' }],
  }
  const manifest = { source: { backend: 'synthetic', motion: 'orbit' }, pipeline } as const

  const results = await stepped({ manifest, map, frames: 6, every: 41 })

  const offs = results.flatMap((result) => {
    const [[robot], [truth]] = [rowObjects(result, 'pose') ?? [], rowObjects(result, 'truth') ?? []]
    const off = (field: 'field_robot_x_m' | 'field_robot_y_m') => Number(robot?.[field]) - Number(truth?.[field])
    return robot ? [Math.hypot(off('field_robot_x_m'), off('field_robot_y_m'))] : []
  })
  assert.ok(offs.length >= 5, `${offs.length} of ${results.length} frames have a pose`)
  assert.ok(
    offs.every((off) => off < 0.2),
    `they are ${offs} m off`,
  )
})
