import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Check } from 'typebox/value'
import { demoMap, FieldMap, readFieldMap } from '../../../machines/localization/field-map.ts'
import { poseFromDocument, rotate } from '../../../machines/localization/pose.ts'

const wpilib = {
  field: { length: 16.5, width: 8 },
  tags: [
    {
      ID: 7,
      pose: { translation: { x: 1, y: 2, z: 3 }, rotation: { quaternion: { W: 0, X: 0, Y: 0, Z: 1 } } },
    },
  ],
}

test('the demo map is a valid map whose tags all face into the field', () => {
  assert.ok(Check(FieldMap, demoMap))
  for (const { id, pose } of demoMap.tags) {
    const [x, y] = rotate(poseFromDocument(pose), 1, 0, 0)
    const ahead = { x: pose.x_m + x, y: pose.y_m + y }
    assert.ok(ahead.x > 0 && ahead.x < demoMap.length_m && ahead.y > 0 && ahead.y < demoMap.width_m, `tag ${id}`)
  }
})

test('the two tags of a pair stand 0.6 m apart, ids rising to their left', () => {
  const [first, second] = demoMap.tags

  const [x, y] = rotate(poseFromDocument(first?.pose ?? assert.fail()), 0, 0.6, 0)

  assert.ok(Math.abs((second?.pose.x_m ?? 0) - (first?.pose.x_m ?? 0) - x) < 1e-9)
  assert.ok(Math.abs((second?.pose.y_m ?? 0) - (first?.pose.y_m ?? 0) - y) < 1e-9)
})

test("WPILib's layout is read with its quaternions", () => {
  const read = readFieldMap(wpilib, { id: '2026-field', name: '2026 Field' })

  assert.ok(read.ok)
  assert.deepEqual([read.map.id, read.map.name], ['2026-field', '2026 Field'])
  assert.deepEqual(read.map.tags[0], {
    id: 7,
    pose: { x_m: 1, y_m: 2, z_m: 3, roll_deg: 0, pitch_deg: 0, yaw_deg: 180 },
  })
})

const X = { id: 'x', name: 'x' }

test('a name that cannot be shown is no name of a map', () => {
  const read = readFieldMap(wpilib, { id: 'field', name: 'field\u202e' })

  assert.ok(read.ok)
  assert.equal(read.map.name, 'field')
})

test('a tag that its family does not have is refused and named, in both forms', () => {
  const [tag] = wpilib.tags
  const [own] = demoMap.tags
  const first = {
    ...wpilib,
    tags: [
      { ...tag, ID: 586 },
      { ...tag, ID: 587 },
    ],
  }
  const second = {
    ...demoMap,
    family: 'tag16h5',
    tags: [
      { ...own, id: 29 },
      { ...own, id: 30 },
    ],
  }

  const reasons = [first, second].map((json) => readFieldMap(json, X)).map((read) => (read.ok ? '' : read.reason))

  assert.deepEqual(reasons, [
    'tag 587 is none of tag36h11, whose tags are 0 to 586',
    'tag 30 is none of tag16h5, whose tags are 0 to 29',
  ])
})

test('what is not a map is refused with the place where it is wrong', () => {
  for (const json of [null, 7, [], { tags: 'none' }, { ...demoMap, length_m: 0 }]) {
    const read = readFieldMap(json, X)

    assert.ok(!read.ok)
    assert.match(read.reason, /not a field map/)
  }
})

test('a map that uses an id twice is refused', () => {
  const twice = { ...demoMap, tags: [demoMap.tags[0], demoMap.tags[0]] }

  const read = readFieldMap(twice, X)

  assert.ok(!read.ok && /tag 1 stands in it twice/.test(read.reason))
})
