// The maps that are there without a file: figures that were typed, held against what is known of the fields.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Check } from 'typebox/value'
import { FieldMap } from '../../../../machines/localization/field-map.ts'
import { builtInMaps } from '../../../../machines/localization/maps/built-in.ts'
import { readFieldMap } from '../../../../machines/localization/maps/read-map.ts'
import { asymmetryOf, symmetryWarnings } from '../../../../machines/localization/maps/symmetry.ts'
import { poseFromDocument, rotate } from '../../../../machines/localization/pose.ts'

const mapOf = (id: string): FieldMap => builtInMaps.find((map) => map.id === id) ?? assert.fail(id)
const placeOf = (id: string, tag: number) => mapOf(id).tags.find((each) => each.id === tag)?.pose ?? assert.fail()

test('the fields of three seasons are built in beside that of the demo, and can be used', () => {
  const ids = ['demo', '2026-welded', '2026-andymark', '2025-welded', '2025-andymark', '2024']

  assert.deepEqual(
    builtInMaps.map(({ id }) => id),
    ids,
  )
  for (const map of builtInMaps) {
    const read = readFieldMap(map, { names: map })
    assert.ok(Check(FieldMap, map) && read.ok, map.id)
    assert.deepEqual([read.map, read.warnings], [map, []])
  }
})

test('each season has all its tags, from 1 on', () => {
  for (const [id, count] of [
    ['2024', 16],
    ['2025-welded', 22],
    ['2025-andymark', 22],
    ['2026-welded', 32],
    ['2026-andymark', 32],
  ] as const)
    assert.deepEqual(
      mapOf(id).tags.map((tag) => tag.id),
      Array.from({ length: count }, (_, n) => n + 1),
    )
})

test('the fields look alike from both ends, as exactly as they were drawn', () => {
  const found = Object.fromEntries(builtInMaps.map((map) => [map.id, asymmetryOf(map)]))
  const largestMm = (id: string) => (found[id]?.largest_m ?? 1) * 1000

  assert.deepEqual(
    builtInMaps.map(({ id }) => found[id]?.by),
    ['turned', 'turned', 'turned', 'turned', 'turned', 'mirrored'],
  )
  for (const id of ['2025-welded', '2025-andymark', '2026-welded']) assert.ok(largestMm(id) < 0.8, id)
  for (const id of ['2024', '2026-andymark']) assert.ok(largestMm(id) < 5.1, id)
})

test('the tags hang where the diagrams have them, in metres', () => {
  const near = ({ x_m, y_m, z_m, yaw_deg, pitch_deg }: ReturnType<typeof placeOf>, wanted: readonly number[]) =>
    [x_m, y_m, z_m, yaw_deg, pitch_deg].forEach((value, n) => {
      assert.ok(Math.abs(value - (wanted[n] ?? 0)) < 1e-6, `${value}, not ${wanted[n]}`)
    })

  near(placeOf('2024', 7), [-0.0381, 5.547868, 1.451102, 0, 0])
  near(placeOf('2025-welded', 4), [9.27608, 6.137656, 1.867916, 0, 30])
  near(placeOf('2025-andymark', 16), [6.057646, 0.010668, 1.30175, 90, 0])
  near(placeOf('2026-welded', 5), [11.9154194, 3.4312352, 1.12395, -90, 0])
  near(placeOf('2026-andymark', 31), [0.0140462, 3.7301932, 0.55245, 0, 0])
})

test('the welded and the AndyMark field differ by 0.5 to 7.4 cm', () => {
  for (const year of ['2025', '2026']) {
    const apart = mapOf(`${year}-welded`).tags.map(({ id, pose }) => {
      const other = placeOf(`${year}-andymark`, id)
      return Math.hypot(pose.x_m - other.x_m, pose.y_m - other.y_m, pose.z_m - other.z_m)
    })
    assert.ok(Math.min(...apart) > 0.005 && Math.max(...apart) < 0.0745, year)
  }
})

test('a tag that looks down does so', () => {
  const [, , z] = rotate(poseFromDocument(placeOf('2025-welded', 4)), 1, 0, 0)

  assert.ok(Math.abs(z + 0.5) < 1e-9)
})

test('the length of 2024 with two digits exchanged is noticed, and a map that is no official field is let be', () => {
  const wrong = { ...mapOf('2024'), length_m: 16.451 }
  const read = readFieldMap(wrong, { names: wrong })
  const wide = { ...mapOf('2026-welded'), width_m: 8.1 }
  const gym = { ...mapOf('2026-welded'), tags: mapOf('2026-welded').tags.slice(0, 9) }

  assert.ok(read.ok)
  assert.match(read.warnings.join(), /90 mm off: is the length of the field 16\.541 m and not 16\.451 m\?/)
  assert.match(symmetryWarnings(wide).join(), /31 mm off: is the width of the field 8\.069 m and not 8\.1 m\?/)
  assert.equal(asymmetryOf(gym), undefined)
})
