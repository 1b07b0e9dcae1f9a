// Where things of the field are in its picture from above, against numbers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  arrowOfRobot,
  cornersOfRobot,
  ellipseOf,
  MARGIN_PX,
  markOfTag,
  outlineOfView,
  placeNumbers,
  planOf,
} from '../../../ui/drawing/field-plan.ts'
import { tagsIn } from '../../../ui/drawing/field-robot.ts'
import { keyOfTag, tagsOfMap } from '../../../ui/drawing/field-tags.ts'
import { fromAngles } from '../../../ui/drawing/scene-pose.ts'

const map = {
  id: 'gym',
  name: 'Gym',
  length_m: 16,
  width_m: 8,
  family: 'tag36h11' as const,
  tag_size_m: 0.1651,
}

const field = { length_m: 16, width_m: 8 }
const plan = planOf(field, 320 + 2 * MARGIN_PX) // 20 pixels for each metre

const level = (x_m: number, y_m: number, yaw_deg: number) => ({ x_m, y_m, z_m: 0, roll_deg: 0, pitch_deg: 0, yaw_deg })

const near = (found: readonly (readonly number[])[], wanted: readonly (readonly number[])[]) => {
  const round = (points: readonly (readonly number[])[]) =>
    points.map((point) => point.map((value) => Math.round(value * 1000) / 1000 + 0))
  assert.deepEqual(round(found), round(wanted))
}

test('the blue corner is at the bottom left, and the red wall on the right', () => {
  near(
    [plan.toPixel(0, 0), plan.toPixel(16, 8)],
    [
      [MARGIN_PX, MARGIN_PX + 160],
      [MARGIN_PX + 320, MARGIN_PX],
    ],
  )
  assert.equal(plan.height_px, 160 + 2 * MARGIN_PX)
})

test('a robot that looks along the field has its front towards the red wall', () => {
  const pose = fromAngles(level(4, 3, 0))

  const corners = cornersOfRobot(plan, pose, 1, 0.5)
  const [tip] = arrowOfRobot(plan, pose, 1, 0.5)

  const [x, y] = plan.toPixel(4, 3)
  near(corners, [
    [x + 10, y - 5],
    [x + 10, y + 5],
    [x - 10, y + 5],
    [x - 10, y - 5],
  ])
  near([tip ?? []], [[x + 10, y]])
})

test('a robot that is turned to the left looks up in the picture', () => {
  const [tip] = arrowOfRobot(plan, fromAngles(level(4, 3, 90)), 1, 0.5)

  const [x, y] = plan.toPixel(4, 3)
  near([tip ?? []], [[x, y - 10]])
})

test('a tag is a line across the way that it faces, with its number in front of it', () => {
  const mark = markOfTag(plan, level(0, 2, 0), 1)

  const [x, y] = plan.toPixel(0, 2)
  near(
    [mark.from, mark.to, mark.label],
    [
      [x, y + 10],
      [x, y - 10],
      [x + 12, y],
    ],
  )
})

test('the ellipse reaches three deviations along each axis of the field', () => {
  const { centre, radius_x_px, radius_y_px } = ellipseOf(plan, { x_m: 4, y_m: 3 }, { x_m: 0.1, y_m: 0.05 })

  near([centre, [radius_x_px, radius_y_px]], [plan.toPixel(4, 3), [6, 3]])
})

test('what a level camera sees is a triangle with the camera at its tip', () => {
  const limits = { left: -1, right: 1, top: -0.5, bottom: 0.5, isGuessed: false }

  const outline = outlineOfView(plan, fromAngles(level(4, 4, 0)), limits)

  near(
    outline.toSorted(([a], [b]) => a - b),
    [plan.toPixel(4, 4), plan.toPixel(8, 0), plan.toPixel(8, 8)],
  )
})

test('the numbers of tags side by side are moved apart along the wall, and others stay where they are', () => {
  const tags = tagsOfMap({
    ...map,
    tags: [
      { id: 9, pose: level(4, 0, 90) },
      { id: 10, pose: level(4.3, 0, 90) },
      { id: 12, pose: level(12, 8, -90) },
    ],
  })

  const places = placeNumbers(plan, tags)

  const [left, right] = [places.get('tag36h11 9') ?? [0, 0], places.get('tag36h11 10') ?? [0, 0]]
  assert.ok(right[0] - left[0] > 12, `${right[0] - left[0]} pixels between them`)
  assert.equal(left[1], right[1])
  assert.deepEqual(places.get('tag36h11 12'), markOfTag(plan, level(12, 8, -90), 0.1651).label)
})

test('a number may stand once in each family, and each tag has the size that it says', () => {
  const tags = tagsOfMap({
    ...map,
    tags: [
      { id: 3, pose: level(4, 0, 90) },
      { id: 3, family: 'tag16h5', size_m: 0.3, pose: level(12, 8, -90) },
    ],
  })

  assert.deepEqual(
    tags.map(({ key, size_m }) => [key, size_m]),
    [
      ['tag36h11 3', 0.1651],
      ['tag16h5 3', 0.3],
    ],
  )
  assert.equal(placeNumbers(plan, tags).size, 2)
  const seen = { detections: { kind: 'detections', rows: [detection('tag36h11'), detection('tag16h5')] } } as const
  assert.deepEqual(tagsIn(seen).map(keyOfTag), ['tag36h11 3', 'tag16h5 3'])
})

const corner = { x_px: 0, y_px: 0 }

function detection(family: 'tag36h11' | 'tag16h5') {
  return { family, id: 3, hamming: 0, margin: 50, center: corner, corners: [corner, corner, corner, corner] }
}
