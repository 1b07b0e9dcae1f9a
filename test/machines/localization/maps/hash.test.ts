// The hash of a map: one for all forms, another for another field.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { FieldMap, FieldTag } from '../../../../machines/localization/field-map.ts'
import { builtInMaps } from '../../../../machines/localization/maps/built-in.ts'
import { exportMap } from '../../../../machines/localization/maps/export-map.ts'
import { canonicalContent, hashOf } from '../../../../machines/localization/maps/hash.ts'
import { MAP_FORMS } from '../../../../machines/localization/maps/map-draft.ts'
import { readFieldMap } from '../../../../machines/localization/maps/read-map.ts'
import { mapHash } from '../../../../native/localization/map-hash.ts'

const again = (map: FieldMap, form: (typeof MAP_FORMS)[number]): FieldMap => {
  const read = readFieldMap(JSON.parse(JSON.stringify(exportMap(map, form))), { names: { id: 'again', name: 'Again' } })
  assert.ok(read.ok, read.ok ? '' : read.reason)
  assert.equal(read.form, form)
  return read.map
}

test('every built-in map is read again from each form, and has one hash in all of them', () => {
  const hashes = builtInMaps.map((map) => {
    const [own, ...others] = MAP_FORMS.map((form) => mapHash(again(map, form)))
    assert.deepEqual(others, [own, own, own], map.id)
    assert.equal(own, mapHash(map))
    return own
  })

  assert.equal(new Set(hashes).size, builtInMaps.length)
  for (const hash of hashes) assert.match(hash ?? '', /^[0-9a-f]{64}$/)
})

const anyTag = (id: number): fc.Arbitrary<FieldTag> =>
  fc.record(
    {
      id: fc.constant(id),
      pose: fc.record({
        x_m: fc.double({ min: -0.5, max: 16, noNaN: true }),
        y_m: fc.constant(id), // never one over another
        z_m: fc.double({ min: 0, max: 3, noNaN: true }),
        roll_deg: fc.integer({ min: -180, max: 180 }),
        pitch_deg: fc.oneof(fc.integer({ min: -90, max: 90 }), fc.constantFrom(-90, 90)),
        yaw_deg: fc.integer({ min: -180, max: 180 }),
      }),
      family: fc.constantFrom('tag16h5', 'tagStandard41h12', 'aruco_original'),
      size_m: fc.constantFrom(0.1, 0.1524, 0.20638),
    },
    { requiredKeys: ['id', 'pose'] },
  )

test('any map keeps its hash on its way through .fmap, families, sizes and tags on the floor with it', () => {
  const anyMap = fc
    .tuple(fc.integer({ min: 1, max: 8 }), fc.double({ min: 16, max: 17, noNaN: true }))
    .chain(([count, length_m]) =>
      fc.tuple(...Array.from({ length: count }, (_, n) => anyTag(n))).map(
        (tags): FieldMap => ({
          id: 'any',
          name: 'Any',
          length_m,
          width_m: 8,
          family: 'tag36h11',
          tag_size_m: 0.1651,
          tags: tags as FieldTag[],
        }),
      ),
    )

  fc.assert(
    fc.property(anyMap, (map) => {
      assert.equal(canonicalContent(again(map, 'fmap')), canonicalContent(map))
      assert.equal(canonicalContent(again(map, 'vedette')), canonicalContent(map))
    }),
    { seed: 36, numRuns: 1000 },
  )
})

test('neither names nor the order of tags nor what is said twice is part of the hash, and everything else is', () => {
  const [map = assert.fail()] = builtInMaps
  const [first = assert.fail(), ...rest] = map.tags
  const same: FieldMap = {
    ...map,
    id: 'other',
    name: 'Other',
    tags: [...rest, { ...first, family: map.family, size_m: map.tag_size_m }],
  }
  const turned = { ...first.pose, yaw_deg: first.pose.yaw_deg - 360 }
  const others: FieldMap[] = [
    { ...map, length_m: map.length_m + 1e-5 },
    { ...map, width_m: map.width_m + 1e-5 },
    { ...map, tag_size_m: 0.16 },
    { ...map, family: 'tag36h10' },
    { ...map, tags: rest },
    { ...map, tags: [...rest, { ...first, pose: { ...first.pose, x_m: first.pose.x_m + 1e-5 } }] },
    { ...map, tags: [...rest, { ...first, pose: { ...first.pose, yaw_deg: 0.01 } }] },
  ]

  assert.equal(mapHash(same), mapHash(map))
  assert.equal(mapHash({ ...map, tags: [{ ...first, pose: turned }, ...rest] }), mapHash(map))
  assert.equal(new Set([map, ...others].map(mapHash)).size, others.length + 1)
})

test('what is hashed is a text that stays as it is from version to version', () => {
  const pose = { x_m: 1, y_m: 2.0000004, z_m: -0, roll_deg: 0, pitch_deg: 0, yaw_deg: -180 }
  const map: FieldMap = {
    id: 'one',
    name: 'One',
    length_m: 9,
    width_m: 5.5,
    family: 'tag36h11',
    tag_size_m: 0.1651,
    tags: [{ id: 3, pose }],
  }

  assert.equal(
    hashOf(map, (text) => text),
    '{"length_m":9,"tags":[{"family":"tag36h11","id":3,"qw":0,"qx":0,"qy":0,"qz":1,"size_m":0.1651,' +
      '"x":1,"y":2,"z":0}],"width_m":5.5}',
  )
})
