import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Check } from 'typebox/value'
import { demoMap, FieldMap } from '../../../machines/localization/field-map.ts'
import { poseFromDocument, rotate } from '../../../machines/localization/pose.ts'

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
