import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ascii, JsonBytes } from '../../../machines/extcam/json-bytes.ts'
import { resultsJson } from '../../../machines/extcam/results-json.ts'
import { Snapshot } from '../../../machines/extcam/snapshot.ts'
import { demoMap } from '../../../machines/localization/field-map.ts'
import { poseFromDocument } from '../../../machines/localization/pose.ts'
import { frame, HEADING_STD, intrinsics, seenFrom } from './frames.ts'

const robot = poseFromDocument({ x_m: 12, y_m: 2.2, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 2 })
const installation = { map: demoMap, intrinsics, mount: null }
const times = { monotonicUs: 1_010_500, unixMs: 1_760_000_000_123, ntUs: 7_654_321, uptimeUs: 4_321_000 }

const snapshotOf = (ids: readonly number[]): Snapshot => {
  const snapshot = new Snapshot()
  snapshot.read(
    frame({ tags: ids.map((id) => seenFrom(robot, id)), robot: ids.length > 0 ? robot : undefined, seq: 41 }),
    installation,
  )
  snapshot.stamp(times)
  return snapshot
}

/** The raw text of a member whose value is a number. */
const rawNumber = (text: string, name: string): string | undefined =>
  text.match(new RegExp(`"${name}":(-?[^,}\\]]+)`))?.[1]

const numbersOf = (value: unknown): number[] =>
  typeof value === 'number'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(numbersOf)
      : []

test('the document has every field of the vendor that a tag pipeline fills, without a wrapper', () => {
  const document = JSON.parse(resultsJson(snapshotOf([5, 6])))

  const fields = `v pID pTYPE tl cl ts ts_us ts_sys ts_nt fidx tx ty txnc tync ta tdist
    botpose botpose_wpiblue botpose_wpired botpose_orb botpose_orb_wpiblue botpose_orb_wpired
    botpose_tagcount botpose_span botpose_avgdist botpose_avgarea stdev_mt1 stdev_mt2 t6c_rs focus_metric
    PythonOut Retro Fiducial Detector Classifier Barcode imgsrc hwtype uirefresh ignorent ntconnected botorient hw`
  assert.deepEqual(Object.keys(document).sort(), fields.split(/\s+/).sort())
  const tag =
    'fID fam skew tx ty tx_nocross ty_nocross txp typ ta ambig pts t6c_ts t6r_fs t6r_fs_orb t6r_ts t6t_cs t6t_rs'
  assert.deepEqual(Object.keys(document.Fiducial[0]).sort(), tag.split(' ').sort())
  assert.equal(document.pTYPE, 'pipe_fiducial')
})

test('a tag without a pose says why, in a key of its own that no other tag has', () => {
  const cornersPx = [100, 120, 120, 120, 120, 100, 100, 100]
  const unposed = (id: number, noPose?: number) => ({ id, tagInCamera: undefined, cornersPx, noPose })
  const snapshot = new Snapshot()
  snapshot.read(frame({ tags: [seenFrom(robot, 6), unposed(1, 1), unposed(2, 3), unposed(3)], robot }), installation)
  snapshot.stamp(times)

  const { Fiducial } = JSON.parse(resultsJson(snapshot))

  assert.deepEqual(
    Fiducial.map(({ no_pose }: { no_pose?: string }) => no_pose),
    [undefined, 'uncalibrated', 'no_square', 'unsolved'],
  )
  assert.equal('no_pose' in Fiducial[0], false)
  assert.deepEqual([Fiducial[1].t6t_cs, Fiducial[1].ambig], [[0, 0, 0, 0, 0, 0], 1])
})

test('the place by the heading stands in the document with the yaw that it was found with', () => {
  const snapshot = new Snapshot()
  const byHeading = poseFromDocument({ x_m: 12.1, y_m: 2.3, z_m: 0.4, roll_deg: 0, pitch_deg: 0, yaw_deg: 2.5 })
  snapshot.read(frame({ tags: [seenFrom(robot, 6)], byHeading }), installation)
  snapshot.stamp(times)

  const document = JSON.parse(resultsJson(snapshot))

  assert.deepEqual(document.botpose, [0, 0, 0, 0, 0, 0])
  assert.deepEqual(document.botpose_orb_wpiblue, [12.1, 2.3, 0.4, 0, 0, 2.5])
  assert.deepEqual(document.botpose_orb, [3.83, -1.735, 0.4, 0, 0, 2.5])
  assert.deepEqual(document.botpose_orb_wpired, [4.44, 5.77, 0.4, 0, 0, -177.5])
  assert.deepEqual(document.stdev_mt2, [...HEADING_STD, 0.5, 0.5, 0.5])
  assert.deepEqual(document.botorient, { imumode: 0, alpha: 0, interpbotyaw: 2.5 })
})

test('numbers that readers take as integers are written without a fraction', () => {
  const snapshot = snapshotOf([5, 6])
  snapshot.hardware = { temp: 51.25, cpu: 30, ram: 40, dfree: 1234.6, dtot: 28_000.2 }
  const text = resultsJson(snapshot)

  const integers = [
    'v',
    'botpose_tagcount',
    'fID',
    'fidx',
    'ts_us',
    'ts_sys',
    'ts_nt',
    'dfree',
    'dtot',
    'imumode',
    'ntconnected',
    'uirefresh',
    'ignorent',
    'imgsrc',
    'hwtype',
  ]

  for (const name of integers) assert.match(rawNumber(text, name) ?? 'missing', /^-?\d+$/, name)
  assert.deepEqual(
    ['v', 'botpose_tagcount', 'fidx', 'ts_us', 'ts_sys', 'ts_nt', 'dfree', 'dtot'].map((name) => rawNumber(text, name)),
    ['1', '2', '41', '4321000', '1760000000123000', '7654321', '1235', '28000'],
  )
  assert.equal(JSON.parse(text).hw.cid, '')
})

test('of the hardware the document tells what is known, rounded, and 0 for all else', () => {
  const snapshot = snapshotOf([5])
  const told = (hardware: Snapshot['hardware']) => {
    snapshot.hardware = hardware
    return JSON.parse(resultsJson(snapshot)).hw
  }

  assert.deepEqual(told({ temp: 51.2567, cpu: 12.34, ram: 40, dfree: 1234.6, dtot: 28_000.2 }), {
    temp: 51.3,
    cpu: 12.3,
    ram: 40,
    dfree: 1235,
    dtot: 28_000,
    cid: '',
    hailo: { present: 0 },
  })
  const nothing = { temp: 0, cpu: 0, ram: 0, dfree: 0, dtot: 0, cid: '', hailo: { present: 0 } }
  assert.deepEqual(told({ ram: 40, temp: Number.NaN }), { ...nothing, ram: 40 })
  assert.deepEqual(told(undefined), nothing)
})

test('poses have six numbers, corners are pairs, and nothing is null', () => {
  const text = resultsJson(snapshotOf([5, 6]))
  const document = JSON.parse(text)

  for (const name of [
    'botpose',
    'botpose_wpiblue',
    'botpose_wpired',
    'botpose_orb',
    'botpose_orb_wpiblue',
    'botpose_orb_wpired',
    't6c_rs',
    'stdev_mt1',
    'stdev_mt2',
  ]) {
    assert.equal(document[name].length, 6, name)
  }
  for (const tag of document.Fiducial) {
    for (const name of ['t6c_ts', 't6r_fs', 't6r_fs_orb', 't6r_ts', 't6t_cs', 't6t_rs'])
      assert.equal(tag[name].length, 6, name)
    assert.deepEqual(
      tag.pts.map((pair: number[]) => pair.length),
      [2, 2, 2, 2],
    )
    assert.deepEqual([tag.fam, tag.skew], ['36H11C', []])
  }
  assert.doesNotMatch(text, /null|true|false|NaN|Infinity|\n/)
  assert.ok(numbersOf(document).every(Number.isFinite))
})

test('the first fiducial is the primary target, and its area is a share where the document has percent', () => {
  const snapshot = snapshotOf([5, 6, 7])
  const document = JSON.parse(resultsJson(snapshot))

  const [first] = document.Fiducial
  assert.equal(first.fID, snapshot.tid)
  assert.deepEqual(
    [first.tx, first.ty, first.tx_nocross, first.ty_nocross],
    [document.tx, document.ty, document.txnc, document.tync],
  )
  assert.ok(Math.abs(first.ta * 100 - document.ta) < 1e-3)
  assert.ok(Math.abs(document.tdist - Math.hypot(...first.t6t_cs.slice(0, 3))) < 1e-4)
})

test('the document says what the keys say, to five decimal places', () => {
  const snapshot = snapshotOf([5, 6])
  const document = JSON.parse(resultsJson(snapshot))

  for (const name of ['tx', 'ty', 'txnc', 'tync', 'ta', 'tl', 'cl'] as const)
    assert.ok(Math.abs(document[name] - snapshot[name]) <= 5.01e-6, name)
  for (const name of ['botpose', 'botpose_wpiblue', 'botpose_wpired'] as const) {
    document[name].forEach((number: number, i: number) => {
      assert.ok(Math.abs(number - (snapshot[name][i] as number)) <= 5.01e-6, `${name}[${i}]`)
    })
  }
})

test('without a target the document is complete, with v 0 and zero poses', () => {
  const document = JSON.parse(resultsJson(snapshotOf([])))

  assert.deepEqual([document.v, document.Fiducial, document.tx, document.ta, document.tdist], [0, [], 0, 0, 0])
  assert.deepEqual(document.botpose_wpired, [0, 0, 0, 0, 0, 0])
  assert.deepEqual([document.tl, document.cl], [6.5, 4])
})

test('the vendor names the tag families', () => {
  const snapshot = new Snapshot()
  const tags = [0, 1, 2, 3, 4, 7].map((family) => ({ ...seenFrom(robot, 5), family }))
  snapshot.read(frame({ tags }), installation)

  const document = JSON.parse(resultsJson(snapshot))

  assert.deepEqual(
    document.Fiducial.map((tag: { fam: string }) => tag.fam),
    ['36H11C', '25H9C', '16H5C', '36H10C', 'CIRCLE21H7', 'STANDARD41H12'],
  )
})

test('decimals read back as what was written, rounded to five places', () => {
  const json = new JsonBytes(64)
  const values = [
    0, -0, 1, -1, 0.00001, -0.00001, 0.000004, -0.000004, 0.1, 9.99999, 9.999999, -179.999996, 123456.78901,
    999_999_998.5, 2.5e9, -3e12,
  ]

  for (const value of values) {
    const text = json.clear().decimal(value).toString()
    assert.ok(Math.abs(Number(text) - value) <= 5.01e-6, `${value} is written as ${text}`)
    assert.doesNotMatch(text, /^-0(\.0*)?$|e/)
  }
})

test('random decimals and integers read back', () => {
  const json = new JsonBytes(64)
  let seed = 1
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }

  for (let n = 0; n < 20_000; n++) {
    const value = (random() - 0.5) * 10 ** Math.floor(random() * 9)
    assert.ok(Math.abs(Number(json.clear().decimal(value).toString()) - value) <= 5.01e-6, String(value))
    const whole = Math.round((random() - 0.5) * 10 ** Math.floor(random() * 15))
    assert.equal(json.clear().integer(whole).toString(), String(whole + 0))
  }
})

test('what is no number is written as 0', () => {
  const json = new JsonBytes(64)

  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e300]) {
    assert.equal(json.clear().decimal(value).text(ascii(',')).integer(value).toString(), '0,0')
  }
})
