// What the page says of the pose of all cameras together.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StreamReason, TagReason } from '../../machines/localization/reasons.ts'
import { SourceReason } from '../../machines/localization/source-reasons.ts'
import { keyOfTag } from '../../ui/drawing/field-tags.ts'
import { guessLimits } from '../../ui/drawing/scene-frustum.ts'
import { robotsOfSolve } from '../../ui/rooms/field/joint-robots.ts'
import {
  disagrees,
  headingInWords,
  headingOffBy,
  MeanOffsets,
  offsetInWords,
  rejectedInWords,
} from '../../ui/rooms/field/joint-words.ts'
import {
  SOURCE_REASONS,
  STREAM_REASONS,
  streamReasonOf,
  TAG_REASONS,
  tagReasonOf,
} from '../../ui/rooms/field/reasons.ts'
import type { Solve, SolveCamera, SolveTag } from '../../ui/state/localization-wire.ts'
import { RecentRounds } from '../../ui/state/recent-rounds.ts'

const wordsOf = (schema: { readonly enum: readonly string[] }): readonly string[] => schema.enum.toSorted()

test('each reason of the device has a word and a sentence, and no other has', () => {
  assert.deepEqual(Object.keys(TAG_REASONS).toSorted(), wordsOf(TagReason))
  assert.deepEqual(Object.keys(STREAM_REASONS).toSorted(), wordsOf(StreamReason))
  const ofSources = Object.keys({ ...STREAM_REASONS, ...SOURCE_REASONS })
  assert.deepEqual(ofSources.toSorted(), wordsOf(SourceReason))
  const all = [TAG_REASONS, STREAM_REASONS, SOURCE_REASONS].flatMap((table) => Object.values(table))
  for (const { word, sentence } of all) {
    assert.ok(word.length > 0 && word.length <= 24, word)
    assert.match(sentence, /^[A-Z].*[.?]$/)
  }
})

test('no two reasons for a tag have the same word', () => {
  const words = Object.values(TAG_REASONS).map(({ word }) => word)

  assert.equal(new Set(words).size, words.length)
})

test('a reason that this page does not know is shown as the interface has it', () => {
  assert.equal(tagReasonOf('too_shiny').word, 'too shiny')
  assert.equal(streamReasonOf('too_shiny').word, 'too shiny')
})

test('what a camera is off by is said as it is seen from the robot', () => {
  const offset = { x_m: 0, y_m: 0.04, yaw_deg: 1.9 }

  assert.equal(offsetInWords(offset, 0), '4.0 cm left, 1.9° turned left')
  assert.equal(offsetInWords(offset, 90), '4.0 cm ahead, 1.9° turned left')
  assert.equal(offsetInWords(offset, 180), '4.0 cm right, 1.9° turned left')
  assert.equal(offsetInWords({ x_m: -0.1, y_m: 0, yaw_deg: -3 }, 0), '10.0 cm back, 3.0° turned right')
  assert.equal(offsetInWords({ x_m: 0.001, y_m: 0.002, yaw_deg: 0.02 }, 0), undefined)
})

test('a camera disagrees when it is farther off than a mount may be', () => {
  assert.equal(disagrees({ x_m: 0.02, y_m: 0.02, yaw_deg: 0.9 }), false)
  assert.equal(disagrees({ x_m: 0.03, y_m: 0.02, yaw_deg: 0 }), true)
  assert.equal(disagrees({ x_m: 0, y_m: 0, yaw_deg: -1.9 }), true)
})

const camera = (stream_id: string, offset: SolveCamera['offset']): SolveCamera => ({
  stream_id,
  used: true,
  reason: null,
  age_ms: 3,
  tags_used: 1,
  residual_px: 0.4,
  offset,
})

test('the offset of a camera is that of the last seconds, and is forgotten when it says nothing more', () => {
  const means = new MeanOffsets()
  for (let atMs = 0; atMs <= 12_000; atMs += 100)
    means.add([camera('front', { x_m: 0.04 + (atMs % 200 === 0 ? 0.03 : -0.03), y_m: 0, yaw_deg: 2 })], atMs)

  const mean = means.of('front')
  means.add([camera('left', { x_m: 1, y_m: 0, yaw_deg: 0 })], 20_000)

  assert.ok(mean && Math.abs(mean.x_m - 0.04) < 0.005, JSON.stringify(mean))
  assert.ok(Math.abs(mean.yaw_deg - 2) < 1e-9)
  assert.equal(means.of('front'), undefined)
  assert.equal(means.of('left')?.x_m, 1)
})

test('a camera is named that sits off, where rounds of three tell it apart', () => {
  const yaw = (yaw_deg: number) => ({ x_m: 0, y_m: 0, yaw_deg })
  const ofThree = [camera('left', yaw(2.7)), camera('front', yaw(-1.3)), camera('right', yaw(-1.4))]
  const ofTwo = [camera('left', yaw(2)), camera('front', yaw(-2))]
  const named = (...rounds: readonly (readonly SolveCamera[])[]) => {
    const means = new MeanOffsets()
    rounds.forEach((cameras, n) => void means.add(cameras, 100 * n))
    return ['left', 'front', 'right'].map((id) => means.agreementOf(id))
  }

  assert.deepEqual(named(ofThree), ['off', 'less', 'less'])
  assert.deepEqual(named(ofTwo), ['unclear', 'unclear', undefined])
  assert.deepEqual(named(ofTwo, ofThree), ['off', 'less', 'less'])
  assert.deepEqual(named(ofThree, ...Array.from({ length: 40 }, () => ofTwo)), ['off', 'less', 'less'])
  assert.deepEqual(named([camera('left', yaw(0.4)), camera('front', yaw(-0.4))]), ['agrees', 'agrees', undefined])
})

test('an offset that is turned by half a turn and more is averaged the short way', () => {
  const means = new MeanOffsets()
  means.add([camera('front', { x_m: 0, y_m: 0, yaw_deg: 179 })], 0)
  means.add([camera('front', { x_m: 0, y_m: 0, yaw_deg: -179 })], 1000)

  assert.ok(Math.abs(means.of('front')?.yaw_deg ?? 0) > 179)
})

const heading = { from: 'robot', said_deg: 91, seen_deg: 91.5, offset_deg: 0.2, used: true } as const

test('the heading is said as the robot has it and as it lies on the field', () => {
  assert.ok(Math.abs((headingOffBy(heading) ?? 0) - 0.3) < 1e-9)
  assert.equal(headingInWords(heading, false), 'The robot says 91.0°, which is 91.2° on the field. It is used.')
  assert.match(headingInWords({ ...heading, from: 'imu' }, false), /^The IMU of this device says 91\.0°/)
  assert.match(headingInWords({ ...heading, from: null, said_deg: null }, false), /^The robot does not say its heading/)
  assert.match(headingInWords({ ...heading, offset_deg: null, used: false }, false), /is being learnt/)
})

test('a heading that is off is said with how far and to which side', () => {
  const off = { from: 'robot', said_deg: 170, seen_deg: -178, offset_deg: 0, used: false } as const

  assert.equal(headingOffBy(off), 12)
  assert.match(headingInWords(off, true), /the tags show 12\.0° more to the left\. Was the gyro reset/)
})

test('what was not used since the start is counted, the most first', () => {
  const word = (reason: string) => tagReasonOf(reason).word

  assert.equal(rejectedInWords({ mirror: 0 }, word), undefined)
  assert.equal(
    rejectedInWords({ mirror: 1, unknown_tag: 12, ignored: 0 }, word),
    'not in the map 12 times, could be mirrored 1 time',
  )
})

const tag = (stream_id: string, id: number, reason: SolveTag['reason'] = null): SolveTag => ({
  stream_id,
  family: 'tag36h11',
  id,
  used: reason === null,
  reason,
  residual_px: 0.4,
  chi2: 6,
  sigma_px: 0.2,
  weight: 0.5,
})

const solve: Solve = {
  state: 'tracking',
  revision: 1,
  map: { id: 'demo', hash: '1f3a9c0d' },
  round: 7,
  captured_us: 1_000_000,
  captured_at_ms: 1_767_225_600_000,
  age_ms: 5,
  pose: { x_m: 2, y_m: 3, z_m: 0, roll_deg: 0, pitch_deg: 0, yaw_deg: 90 },
  quaternion: { w: Math.SQRT1_2, x: 0, y: 0, z: Math.SQRT1_2 },
  std_devs: { x_m: 0.01, y_m: 0.02, z_m: 0.01, roll_deg: 0.1, pitch_deg: 0.1, yaw_deg: 0.2 },
  std_xy_m: 0.015,
  is_sure: true,
  tags: [tag('front', 1), tag('front', 2, 'inconsistent'), tag('left', 9)],
  cameras: [camera('front', null), camera('left', null)],
  heading,
  fused: null,
  rejected: {},
  cpu_us: 200,
}

const stream = (id: string, name: string) => ({
  id,
  name,
  tone: 'good' as const,
  size: undefined,
  limits: guessLimits(640, 400),
  mount: { x_m: 0.3, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 },
})

test('the robot is drawn once, with a ray from each camera to each tag that it sees', () => {
  const streams = [stream('front', 'Front'), stream('left', 'Left'), stream('rear', 'Rear')]
  const [robot, ...cameras] = robotsOfSolve(solve, { streams, size: undefined, trail: [], isOld: false })

  assert.equal(robot?.pose?.x_m, 2)
  assert.equal(robot?.deviations?.y_m, 0.02)
  assert.equal(robot?.rays, undefined)
  assert.deepEqual(
    cameras.map(({ name, pose, rays }) => ({ name, pose, rays: rays?.map(({ tag, isUsed }) => [tag.id, isUsed]) })),
    [
      {
        name: 'Front',
        pose: undefined,
        rays: [
          [1, true],
          [2, false],
        ],
      },
      { name: 'Left', pose: undefined, rays: [[9, true]] },
    ],
  )
  assert.deepEqual(cameras[0]?.seen?.map(keyOfTag), ['tag36h11 1'])
  assert.equal(cameras[0]?.words, 'Front is used with tag 1; not with tag 2.')
  assert.ok(Math.abs((cameras[0]?.camera?.pose.y_m ?? 0) - 3.3) < 1e-9, 'the camera sits ahead of the robot')
})

test('without a pose there is nothing to draw rays from', () => {
  const robots = robotsOfSolve({ ...solve, pose: null }, { streams: [], size: undefined, trail: [], isOld: false })

  assert.deepEqual(
    robots.map(({ words }) => words),
    ['All cameras together do not know where the robot is.'],
  )
})

test('a camera without a frame in a round has what it said within the last second', () => {
  const rounds = new RecentRounds()
  const left = { ...camera('left', null), age_ms: null, tags_used: 0, residual_px: null }
  const front = { ...camera('front', null), age_ms: null, tags_used: 0, residual_px: null }
  rounds.add({ ...solve, cameras: [camera('front', null), left], tags: [tag('front', 1)] }, 0)

  const shown = rounds.add({ ...solve, cameras: [front, camera('left', null)], tags: [tag('left', 9)] }, 100)
  const later = rounds.add({ ...solve, cameras: [front, camera('left', null)], tags: [tag('left', 9)] }, 1500)
  const lost = rounds.add({ ...solve, pose: null, cameras: [front, left], tags: [] }, 1600)

  const idsOf = ({ tags }: Solve) => tags.map(({ id }) => id).toSorted((one, other) => one - other)
  assert.deepEqual([idsOf(shown), idsOf(later), idsOf(lost)], [[1, 9], [9], []])
  assert.deepEqual(
    shown.cameras.map(({ age_ms, tags_used }) => [age_ms, tags_used]),
    [
      [103, 1],
      [3, 1],
    ],
  )
})
