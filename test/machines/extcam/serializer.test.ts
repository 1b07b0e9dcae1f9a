// The snapshot as arrays and as a document, of frames that hold anything: forms that readers rely on are kept, whatever
// the numbers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OutputKind, RESULT_FIELDS, RESULT_HEADER, type Result } from '../../../machines/engine/result.ts'
import type { Installation } from '../../../machines/extcam/installation.ts'
import { resultsJson } from '../../../machines/extcam/results-json.ts'
import { Snapshot } from '../../../machines/extcam/snapshot.ts'
import { EXTCAM_TOPICS, topicValue } from '../../../machines/extcam/topics.ts'
import { demoMap } from '../../../machines/localization/field-map.ts'
import { poseFromDocument } from '../../../machines/localization/pose.ts'
import { type FrameFacts, frameOf, intrinsics, layout, type SeenRows, seenFrom } from './frames.ts'

const wall = Array.from({ length: 40 }, (_, id) => ({
  id,
  pose: { x_m: 16, y_m: id / 10, z_m: 1, roll_deg: 0, pitch_deg: 0, yaw_deg: 180 },
}))
const map = { ...demoMap, tags: wall }
const robot = poseFromDocument({ x_m: 12, y_m: 2.2, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 2 })
const SPECIAL = [0, -0, 1, -1, 0.1, 255, 1e5, -1e5, 9.99e5, 1e300, 5e-324, Number.NaN, Number.POSITIVE_INFINITY]

/** Numbers by chance, the same ones each time. */
const chance = (seed: number) => {
  let state = seed
  const share = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  const below = (count: number) => Math.floor(share() * count)
  const number = () => (below(3) === 0 ? (SPECIAL[below(SPECIAL.length)] as number) : (share() - 0.5) * 10 ** below(7))
  return { share, below, number }
}
type Chance = ReturnType<typeof chance>

const KINDS: readonly OutputKind[] = ['contours', 'targets', 'objects', 'classes', 'barcodes', 'focus']

const anyRows = (kind: OutputKind, { below, number }: Chance): SeenRows => ({
  kind,
  labels: ['a', 'ß\u0000"\\', '\ud83d\ude00'],
  rows: Array.from({ length: below(6) * below(9) }, () => ({
    ...Object.fromEntries(RESULT_FIELDS[kind].map((field) => [field, number()])),
    ...(kind === 'barcodes' ? { text_at: below(4), text_bytes: below(12) } : {}),
    ...(kind === 'objects' && below(2) === 0 ? { label: below(5), confidence: 0.5 } : {}),
  })),
  text: 'tëxt "of" codes',
})

/** A frame of so many tags and any finds, some numbers of which are replaced by any others. */
const anyFrame = (tags: number, any: Chance): { readonly result: Result; readonly place: Installation } => {
  const kinds = KINDS.filter(() => any.below(3) === 0)
  const facts: FrameFacts = {
    tags: wall.slice(0, tags).map(({ id }) => seenFrom(robot, id, map)),
    ...(any.below(4) > 0 ? { robot } : {}),
  }
  const result = frameOf(
    kinds.map((kind) => anyRows(kind, any)),
    facts,
  )
  // the count of the detections follows: it is the engine's own arithmetic
  const head = RESULT_HEADER.length + layout.stages.length
  if (tags > 0 && any.below(2) === 0) {
    for (let n = any.below(8); n > 0; n--) result.data[head + 1 + any.below(tags * 14)] = any.number()
  }
  const live = {
    priority_id: any.below(2) === 0 ? any.below(45) : null,
    aim_m: any.below(2) === 0 ? ([0.2, -1, 3] as const) : null,
  }
  return { result, place: { map, intrinsics: any.below(5) > 0 ? intrinsics : null, mount: null, live } }
}

const assertArrays = (snapshot: Snapshot, tags: number): void => {
  const { t2d, botpose, rawfiducials, rawtargets, rawdetections, tcornxy, stddevs } = snapshot
  assert.equal(t2d.length, 17)
  for (const pose of ['botpose', 'botpose_wpiblue', 'botpose_wpired'] as const)
    assert.equal(snapshot[pose].length, 11 + 7 * Math.round(botpose[7] as number), pose)
  assert.ok(rawfiducials.length % 7 === 0 && rawfiducials.length <= 7 * Math.min(32, tags))
  assert.ok(rawtargets.length % 3 === 0 && rawtargets.length <= 96)
  assert.ok(rawdetections.length % 12 === 0 && rawdetections.length <= 384)
  assert.deepEqual([stddevs.length, [0, 8].includes(tcornxy.length)], [12, true])
  for (const key of [
    'targetpose_cameraspace',
    'targetpose_robotspace',
    'camerapose_targetspace',
    'camerapose_robotspace',
    'botpose_targetspace',
  ] as const)
    assert.equal(snapshot[key].length, 6, key)
  for (const { key, type } of EXTCAM_TOPICS) {
    const value = topicValue(snapshot, key)
    if (type === 'double') assert.ok(Number.isFinite(value), `${key} is ${value}`)
    else if (type === 'string') assert.equal(typeof value, 'string', key)
    else assert.ok((value as Float64Array).every(Number.isFinite), `${key} is ${value}`)
  }
}

const POSES = ['t6c_ts', 't6r_fs', 't6r_ts', 't6t_cs', 't6t_rs'] as const
const INTEGERS = /"(v|pID|fID|classID|fidx|ts_us|ts_sys|ts_nt|botpose_tagcount)":(?!-?\d+[,}])/

const assertDocument = (snapshot: Snapshot): void => {
  const text = resultsJson(snapshot)
  assert.match(text, /^[\x20-\x7e]+$/)
  const document = JSON.parse(text)
  const plain = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, (quoted) => (/^"\w*"$/.test(quoted) ? quoted : '""'))
  assert.doesNotMatch(plain, /null|true|false|NaN|Infinity|\d[eE]/)
  assert.doesNotMatch(plain, INTEGERS)
  assert.equal(document.v, snapshot.tv)
  for (const name of [
    'botpose',
    'botpose_wpiblue',
    'botpose_wpired',
    'botpose_orb',
    'stdev_mt1',
    'stdev_mt2',
    't6c_rs',
  ])
    assert.equal(document[name].length, 6, name)
  const { Fiducial, Retro, Detector, Classifier, Barcode } = document
  for (const element of [...Fiducial, ...Retro, ...Detector, ...Barcode]) {
    assert.deepEqual(
      element.pts.map((pair: number[]) => pair.length),
      [2, 2, 2, 2],
    )
    for (const name of ['tx', 'ty', 'tx_nocross', 'ty_nocross', 'txp', 'typ'])
      assert.equal(typeof element[name], 'number', name)
    assert.ok(element.ta >= 0 && element.ta <= 1, `ta is ${element.ta}`)
  }
  for (const tag of Fiducial) for (const pose of [...POSES, 't6r_fs_orb']) assert.equal(tag[pose].length, 6, pose)
  for (const target of Retro) {
    const lengths = new Set(POSES.map((pose) => target[pose].length))
    assert.ok(lengths.size === 1 && (lengths.has(0) || lengths.has(6)), `${[...lengths]}`)
  }
  for (const find of [...Detector, ...Classifier]) {
    assert.ok(
      typeof find.class === 'string' && find.classID >= 0 && find.conf >= 0 && find.conf <= 1,
      JSON.stringify(find),
    )
  }
  for (const code of Barcode) assert.deepEqual([typeof code.fam, typeof code.data], ['string', 'string'])
  if (document.v === 1 && document.pTYPE === 'pipe_fiducial')
    assert.deepEqual(
      [Fiducial[0].tx, Fiducial[0].ty, Fiducial[0].fID],
      [document.tx, document.ty, Math.round(snapshot.tid) + 0],
    )
}

test('for 0 to 40 tags, with whatever else and whatever numbers, every array and the document keep their forms', () => {
  const snapshot = new Snapshot() // one for all: nothing of a frame may stay behind for the next

  for (let n = 0; n < 41 * 12; n++) {
    const any = chance(n + 1)
    const tags = n % 41
    const { result, place } = anyFrame(tags, any)
    snapshot.read(result, place)
    snapshot.stamp({ monotonicUs: 1_010_500 + n, unixMs: 1_760_000_000_123, ntUs: 7_654_321, uptimeUs: 4_321_000 })

    assertArrays(snapshot, tags)
    assertDocument(snapshot)
  }
})
