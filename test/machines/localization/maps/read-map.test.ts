// Reading field maps: what each form may say, and that every flaw is told with its place. The numbers in the names are
// those of the table of cases.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Check } from 'typebox/value'
import { demoMap, FieldMap } from '../../../../machines/localization/field-map.ts'
import type { MapHints } from '../../../../machines/localization/maps/map-draft.ts'
import { readFieldMap } from '../../../../machines/localization/maps/read-map.ts'
import { poseFromDocument, rotate } from '../../../../machines/localization/pose.ts'
import { fiducial, fmapFile, wpilib2027File, wpilibFile, wpilibTag } from '../../../support/localization/map-files.ts'

const HINTS: MapHints = { names: { id: 'field', name: 'Field' } }

const readable = (json: unknown, hints = HINTS) => {
  const read = readFieldMap(json, hints)
  assert.ok(read.ok, read.ok ? '' : read.reason)
  return read
}

/** The places with flaws, each with what is said. */
const flawsIn = (json: unknown, hints = HINTS) => {
  const read = readFieldMap(json, hints)
  return read.ok ? [] : read.errors.map(({ pointer, message }) => `${pointer} ${message}`)
}

const refused = (json: unknown, pattern: RegExp, hints = HINTS) => {
  const flaws = flawsIn(json, hints)
  assert.ok(
    flaws.some((flaw) => pattern.test(flaw)),
    `${pattern} is in none of ${JSON.stringify(flaws)}`,
  )
}

test("WPILib's layout is read with its quaternions, and named by who knows its name", () => {
  const { map, form, sizeFrom } = readable(wpilibFile(), { names: { id: '2026-field', name: '2026 Field' } })

  assert.deepEqual([map.id, map.name, form, sizeFrom], ['2026-field', '2026 Field', 'wpilib', 'file'])
  assert.deepEqual([map.length_m, map.width_m, map.family, map.tag_size_m], [16.5, 8, 'tag36h11', 0.1651])
  const pose = { x_m: 1, y_m: 2, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 180 }
  assert.deepEqual(map.tags, [{ id: 7, pose }])
})

test("WPILib's file of 2027 is read, with the name that it says", () => {
  const { map, form } = readable(wpilib2027File())

  assert.deepEqual([map.id, map.name, map.length_m, map.tags.length, form], ['field', 'Gym', 16.5, 1, 'wpilib-2027'])
})

test('the form .fmap is read from the centre of the field, with families and sizes of the tags', () => {
  const other = { family: '25H9C', size: 152.4 }
  const file = fmapFile([fiducial(3), fiducial(4, 4.5, 1), fiducial(5, 0, -2.75, other)])

  const { map, form, sizeFrom } = readable(file)

  assert.deepEqual([form, sizeFrom, map.family, map.tag_size_m], ['fmap', 'file', 'tag36h11', 0.1651])
  assert.deepEqual(
    map.tags.map(({ id, family, size_m, pose }) => [id, family, size_m, pose.x_m, pose.y_m, pose.z_m, pose.yaw_deg]),
    [
      [3, undefined, undefined, 0, 2.75, 1.2, 0],
      [4, undefined, undefined, 9, 3.75, 1.2, 0],
      [5, 'tag25h9', 0.1524, 4.5, 0, 1.2, 0],
    ],
  )
  assert.ok(Check(FieldMap, map))
})

test('rows of a matrix become the rotation that they are, whichever way it is turned', () => {
  const degrees = fc.integer({ min: -179, max: 180 })
  fc.assert(
    fc.property(degrees, fc.integer({ min: -90, max: 90 }), degrees, (roll_deg, pitch_deg, yaw_deg) => {
      const pose = poseFromDocument({ x_m: 0, y_m: 0, z_m: 0, roll_deg, pitch_deg, yaw_deg })
      const [x, y, z] = [rotate(pose, 1, 0, 0), rotate(pose, 0, 1, 0), rotate(pose, 0, 0, 1)]
      const rows = [0, 1, 2].flatMap((n) => [x[n], y[n], z[n], 0])

      const { map } = readable(fmapFile([fiducial(3, 0, 0, { transform: [...rows, 0, 0, 0, 1] })]))

      const again = poseFromDocument(map.tags[0]?.pose ?? assert.fail())
      const cosine = pose.qw * again.qw + pose.qx * again.qx + pose.qy * again.qy + pose.qz * again.qz
      assert.ok(Math.abs(Math.abs(cosine) - 1) < 1e-9, `${roll_deg} ${pitch_deg} ${yaw_deg}`)
    }),
    { seed: 36, numRuns: 500 },
  )
})

const atHeight = (z: number) => (tag: ReturnType<typeof fiducial>) => ({
  ...tag,
  transform: tag.transform.map((each, n) => (n === 11 ? z : each)),
})

test('length and width of a .fmap are those of the file, of the question, or of the season whose tags it has', () => {
  const crescendo = [fiducial(5, 6.4304, 4.0987), fiducial(6, -6.429, 4.0987)].map(atHeight(1.356))
  const bare = (fiducials: readonly unknown[], more: object = {}) => fmapFile(fiducials, more)
  const told = { ...HINTS, length_m: 12, width_m: 6 }
  const sides = (json: unknown, hints = HINTS) => {
    const { map, sizeFrom } = readable(json, hints)
    return [map.length_m, map.width_m, sizeFrom]
  }

  assert.deepEqual(sides(fmapFile()), [9, 5.5, 'file'])
  assert.deepEqual(sides(bare([fiducial(3)]), told), [12, 6, 'query'])
  assert.deepEqual(sides(bare(crescendo)), [16.541, 8.211, 'season'])
  assert.deepEqual(sides(bare([fiducial(3, -1.8)], { type: 'ftc' })), [3.6576, 3.6576, 'season'])
  refused(bare([fiducial(3)]), /^\/fieldlength is missing.*length_m and width_m/)
})

test('what the question says of length and width is not used where the file says it, and that is told', () => {
  const { map, warnings } = readable(wpilibFile(), { ...HINTS, length_m: 12 })

  assert.equal(map.length_m, 16.5)
  assert.match(warnings.join(), /the file says that the field has 16\.5 x 8 m/)
})

test('family and size of the tags can be told for a form that does not say them', () => {
  const { map } = readable(wpilibFile(), { ...HINTS, family: 'tag16h5', tag_size_m: 0.1524 })

  assert.deepEqual([map.family, map.tag_size_m], ['tag16h5', 0.1524])
})

test('a name that cannot be shown is no name of a map', () => {
  const names = { id: 'field', name: 'field\u202e' }

  assert.equal(readable(wpilibFile(), { names }).map.name, 'field')
  assert.equal(readable({ ...wpilib2027File(), name: ' ' }, { names }).map.name, 'field')
})

test('6: what is in none of the forms is refused, and the forms are named', () => {
  for (const json of [null, 7, 'tags', [], [wpilibTag(1)], {}, { poses: [] }]) refused(json, /^ is in none of the four/)
})

test('7, 8: a file of 2027 has field-tags, and none of another form beside them', () => {
  const { 'field-tags': tags, ...bare } = wpilib2027File()

  refused(bare, /^\/field-tags is missing/)
  refused({ ...wpilib2027File(), tags }, /^\/field-tags stands beside tags of another form/)
  refused({ ...fmapFile(), tags }, /^\/fiducials stands beside tags of another form/)
})

test('9: a map without tags is refused in each form', () => {
  refused(wpilibFile([]), /^\/tags is an empty list/)
  refused(wpilib2027File([]), /^\/field-tags is an empty list/)
  refused(fmapFile([]), /^\/fiducials is an empty list/)
  refused({ ...demoMap, tags: [] }, /^\/tags is an empty list/)
})

test('10: an entry without an id is named by its place', () => {
  const { pose } = wpilibTag(0)
  const tags = Array.from({ length: 22 }, (_, n) => wpilibTag(n + 1, n / 2))

  assert.deepEqual(flawsIn(wpilibFile([...tags, { pose }])), ['/tags/22/ID is missing'])
})

test('11, 12: an id stands in a map once, and a tag hangs in one place', () => {
  const ids = [1, 2, 3, 4, 5, 3]

  refused(wpilibFile(ids.map((id, n) => wpilibTag(id, n))), /^\/tags\/5\/ID .*tag 3 stands in it twice/)
  refused(fmapFile(ids.map((id, n) => fiducial(id, -n / 2))), /^\/fiducials\/5\/id .*tag 3 stands in it twice/)
  refused({ ...demoMap, tags: [demoMap.tags[0], demoMap.tags[0]] }, /^\/tags\/1\/id .*tag 1 stands in it twice/)
  for (const unique of [0, false])
    refused(fmapFile([fiducial(3), fiducial(9, 1, 1, { unique })]), /^\/fiducials\/1\/unique .*tag 9 .* several places/)
  for (const unique of [1, true, undefined]) readable(fmapFile([fiducial(3, 0, 0, { unique })]))
})

test('one number may stand in a map once in each of two families', () => {
  const { map } = readable(fmapFile([fiducial(3), fiducial(3, 1, 1, { family: 'apriltag3_16h5_classic' })]))

  assert.deepEqual(
    map.tags.map(({ id, family }) => [id, family]),
    [
      [3, undefined],
      [3, 'tag16h5'],
    ],
  )
})

test('13, 14: an id is one that its family has', () => {
  readable(wpilibFile([wpilibTag(586)]))
  refused(wpilibFile([wpilibTag(1), wpilibTag(587, 2)]), /^\/tags\/1\/ID is 587, and no tag of tag36h11.* 0\.\.586/)
  refused({ ...demoMap, family: 'tag16h5', tags: [{ ...demoMap.tags[0], id: 30 }] }, /^\/tags\/0\/id is 30.* 0\.\.29/)
  refused(fmapFile([fiducial(30, 0, 0, { family: '16h5' })]), /^\/fiducials\/0\/id is 30.* tag16h5/)
  for (const id of [1.5, -1, '1', null]) refused(wpilibFile([wpilibTag(id)]), /^\/tags\/0\/ID must be/)
})

test('15, 16, 17: a quaternion is a rotation, and its length is taken for 1 where it is nearly that', () => {
  const turned = (W: number, Z: number) => wpilibFile([wpilibTag(1, 1, 1, 1, { W, X: 0, Y: 0, Z })])
  const place = '/tags/0/pose/rotation/quaternion'

  refused(turned(0, 0), new RegExp(`^${place} is no rotation: all four are 0`))
  refused(turned(0.9, 0), new RegExp(`^${place} is no rotation: its length is 0.9`))
  refused(turned(1, 1), new RegExp(`^${place} is no rotation`))
  const { map } = readable(turned(0.9999 * Math.SQRT1_2, 0.9999 * Math.SQRT1_2))
  assert.ok(Math.abs((map.tags[0]?.pose.yaw_deg ?? 0) - 90) < 1e-9)
})

test('18, 19: a rotation that is said in another way is missing at its place', () => {
  refused(wpilibFile([wpilibTag(1, 1, 1, 1, { w: 1, x: 0, y: 0, z: 0 })]), /\/rotation\/quaternion\/W is missing/)
  const pose = { translation: { x: 1, y: 1, z: 1 }, rotation: { roll: 0, pitch: 0, yaw: 90 } }
  refused(wpilibFile([{ ID: 1, pose }]), /^\/tags\/0\/pose\/rotation\/quaternion is missing/)
})

test('20: a map in inches is told to be one', () => {
  refused(wpilibFile([wpilibTag(1, 1, 1)], { length: 651.2, width: 317.7 }), /^\/field\/length .* inches\?/)
  refused(wpilibFile([wpilibTag(1, 1, 1), wpilibTag(2, 593.68, 9.68)]), /^\/tags\/1\/pose .* inches\?/)
  refused({ ...demoMap, length_m: 651.2 }, /^\/length_m .* inches\?/)
})

test('21: tags that hang far outside of the field are refused, and a little outside they are not', () => {
  readable(wpilibFile([wpilibTag(1, -0.9, 8.9)]))
  refused(wpilibFile([wpilibTag(1, -1.2)]), /^\/field .*tag 1 is at \(-1\.2, 2\), 1\.2 m outside/)
  const tags = [wpilibTag(1, 16, 2), wpilibTag(2, 1, 7)]
  refused(wpilibFile(tags, { length: 8, width: 16.5 }), /^\/field .*are length and width exchanged\?/)
})

test('22: two tags that hang over each other are named', () => {
  const tags = [wpilibTag(3, 1, 2), wpilibTag(9, 5, 2), wpilibTag(8, 1.006, 2.006)]

  assert.deepEqual(flawsIn(wpilibFile(tags)), ['/tags/2/pose puts tag 8 within 1 cm of tag 3, looking the same way'])
  readable(wpilibFile([wpilibTag(3, 1, 2), wpilibTag(8, 1.006, 2, 0.5, { W: 1, X: 0, Y: 0, Z: 0 })])) // back to back
  readable(wpilibFile([wpilibTag(3, 1, 2), wpilibTag(8, 1.011, 2)]))
})

test('23: a number that no number can hold is refused', () => {
  const json = JSON.parse(JSON.stringify(wpilibFile()).replace('"x":1', '"x":1e400'))

  refused(json, /^\/tags\/0\/pose\/translation\/x must be a number, not Infinity/)
})

test('24, 25, 26: a transform is sixteen numbers, by rows, and a rotation', () => {
  const at3 = (transform: readonly number[]) => {
    const others = [fiducial(1, 1, -1), fiducial(2, 2, 1), fiducial(4, 3, 1)]
    return fmapFile([...others, fiducial(3, 0, 0, { transform })])
  }
  const place = String.raw`^\/fiducials\/3\/transform`

  refused(at3(Array(15).fill(0)), new RegExp(`${place} must have at least 16`))
  refused(at3(Array(17).fill(0)), new RegExp(`${place} must have at most 16`))
  refused(at3([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 4, 2, 1.2, 1]), new RegExp(`${place} .*columns, as WPIcal 2027`))
  refused(at3([1, 0, 0, 1, 0, 1, 0, 1, 0, 0, -1, 1, 0, 0, 0, 1]), new RegExp(`${place} is a reflection`))
  refused(at3([1, 0.1, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1]), new RegExp(`${place} is no rotation`))
  refused(at3([2, 0, 0, 1, 0, 2, 0, 1, 0, 0, 2, 1, 0, 0, 0, 1]), new RegExp(`${place} is no rotation`))
  refused(at3([1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 1]), new RegExp(`${place} has a last row`))
  readable(at3([1, 0.0009, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1]))
})

test('27, 28, 29: sizes are in millimetres and may differ, and a family is one that is known', () => {
  refused(fmapFile([fiducial(3, 0, 0, { size: 0.1651 })]), /^\/fiducials\/0\/size must be in millimetres/)
  refused(fmapFile([fiducial(3, 0, 0, { family: '17h3' })]), /^\/fiducials\/0\/family is "17h3".*tag36h11, tag25h9/)
  const families = ['apriltag3_41h12_standard', 'TAG_36h11', 'apriltag3_16h5_classic', 'tagCircle21h7', 'aruco_4x4']
  const sizes = [100, 165.1, 152.4, 80, 50]

  const { map } = readable(fmapFile(families.map((family, n) => fiducial(n, n - 2, n - 2, { family, size: sizes[n] }))))

  assert.deepEqual(
    map.tags.map(({ family = map.family }) => family),
    ['tagStandard41h12', 'tag36h11', 'tag16h5', 'tagCircle21h7', 'aruco_4x4'],
  )
  assert.deepEqual(
    map.tags.map(({ size_m = map.tag_size_m }) => size_m),
    [0.1, 0.1651, 0.1524, 0.08, 0.05],
  )
})

test('30: a .fmap whose tags are all in one quarter is told to be measured from the corner', () => {
  const fromCorner = fmapFile([fiducial(1, 0.1, 2), fiducial(2, 8, 4)], {})

  refused(fromCorner, /^\/fiducials .*from the corner, and not from the centre/)
  readable(fromCorner, { ...HINTS, length_m: 18, width_m: 9 })
})

test('31: our own form is strict, and in the others unknown keys are passed over', () => {
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`key${n}`, n]))
  const prototype = JSON.parse('{"__proto__":{"tags":[]}}')

  refused({ ...demoMap, ...many }, /^\/key0 is not known here/)
  refused(Object.assign(Object.create(null), demoMap, JSON.parse('{"__proto__x":1}')), /__proto__x is not known here/)
  refused(JSON.parse(JSON.stringify(demoMap).replace('{', '{"__proto__":{"a":1},')), /^\/__proto__ is not known here/)
  readable({ ...wpilibFile(), ...many })
  readable(JSON.parse(JSON.stringify(wpilibFile()).replace('{', '{"__proto__":{"tags":[]},')))
  assert.equal(prototype.tags, undefined)
})

test('34: a thousand tags are enough', () => {
  const tags = (count: number) => Array.from({ length: count }, (_, n) => wpilibTag(n % 587, n / 70, n % 7))

  refused(wpilibFile(tags(1001)), /^\/tags must have at most 1000 entries, not 1001/)
})

test('35: a tag that looks straight up or down keeps its yaw', () => {
  const { SQRT1_2: half } = Math
  const up = { W: half * Math.cos(Math.PI / 12), X: half * Math.sin(Math.PI / 12), Y: -half * Math.cos(Math.PI / 12) }

  const { map } = readable(wpilibFile([wpilibTag(1, 1, 1, 0, { ...up, Z: half * Math.sin(Math.PI / 12) })]))

  const { roll_deg = 1, pitch_deg = 0, yaw_deg = 0 } = map.tags[0]?.pose ?? {}
  assert.ok(Math.hypot(roll_deg, pitch_deg + 90, yaw_deg - 30) < 1e-6, `${roll_deg} ${pitch_deg} ${yaw_deg}`)
})

test('what a document of ours shows beside the map is read over', () => {
  const shown = { ...demoMap, hash: 'abc', origin: 'built_in', warnings: ['none'] }

  assert.deepEqual(readable(shown).map, demoMap)
})

test('whatever a file holds, it is read or refused with places, and nothing is thrown', () => {
  const anything = fc.oneof(fc.jsonValue(), fc.anything())
  const keys = ['tags', 'field', 'field-tags', 'field-dimensions', 'fiducials', 'fieldlength', 'length_m', 'type']
  const rubbish = fc.dictionary(fc.oneof(fc.constantFrom(...keys), fc.string()), anything)
  const spoilt = fc
    .tuple(
      fc.constantFrom<() => object>(wpilibFile, wpilib2027File, fmapFile, () => structuredClone(demoMap)),
      fc.array(fc.tuple(fc.nat(), anything), { maxLength: 4 }),
    )
    .map(([make, changes]) => spoil(make(), changes))
  let read = 0

  fc.assert(
    fc.property(fc.oneof(anything, rubbish, spoilt), (json) => {
      const found = readFieldMap(json, HINTS)
      if (!found.ok) return assert.ok(found.errors.length > 0 && found.errors.length <= 16 && found.reason !== '')
      read += 1
      return assert.ok(Check(FieldMap, found.map))
    }),
    { seed: 36, numRuns: 4_000 },
  )

  assert.ok(read > 20, `${read} were read`)
})

/** Puts other values into some places of a document. */
const spoil = (document: object, changes: readonly (readonly [number, unknown])[]): object => {
  const copy = structuredClone(document)
  for (const [at, value] of changes) {
    const places: [object, string][] = []
    const walk = (each: object) => {
      for (const [key, inner] of Object.entries(each)) {
        places.push([each, key])
        if (typeof inner === 'object' && inner !== null) walk(inner)
      }
    }
    walk(copy)
    const place = places[at % Math.max(1, places.length)]
    if (place) Object.assign(place[0], { [place[1]]: value })
  }
  return copy
}
