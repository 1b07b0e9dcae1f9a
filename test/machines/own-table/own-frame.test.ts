import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoMap } from '../../../machines/localization/field-map.ts'
import { poseFromDocument } from '../../../machines/localization/pose.ts'
import { OwnFrame } from '../../../machines/own-table/own-frame.ts'
import { POSE_SCHEMAS } from '../../../machines/own-table/structs.ts'
import { OwnTableRate } from '../../../machines/own-table/write-rate.ts'
import { type FrameFacts, frame, layout, STD, seenFrom } from '../extcam/frames.ts'
import { posesIn } from './pose-structs.ts'

const robot = poseFromDocument({ x_m: 12, y_m: 2.2, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 2 })
const twoTags = [seenFrom(robot, 5), seenFrom(robot, 6)]

const read = (facts: FrameFacts, into = new OwnFrame()): OwnFrame => {
  into.read(frame(facts), demoMap)
  return into
}

/** A tag of the map as its struct has it. */
const onMap = (id: number) => {
  const tag = demoMap.tags.find((each) => each.id === id)
  const { x, y, z, qw, qx, qy, qz } = poseFromDocument((tag as NonNullable<typeof tag>).pose)
  return [x, y, z, qw, qx, qy, qz]
}

test('a pose is x, y, z, w, x, y, z in doubles, little endian, without a gap', () => {
  const { hasPose, robotPose, stdDevs } = read({ tags: twoTags, robot })

  assert.ok(hasPose)
  assert.equal(robotPose.length, 56)
  assert.deepEqual([...robotPose.subarray(0, 8)], [0, 0, 0, 0, 0, 0, 0x28, 0x40], '12')
  const { x, y, z, qw, qx, qy, qz } = robot
  assert.deepEqual(posesIn(robotPose), [[x, y, z, qw, qx, qy, qz]])
  assert.deepEqual([...stdDevs], STD)
})

test('the schemas have the texts that tools of the robot know', () => {
  assert.deepEqual(Object.fromEntries(POSE_SCHEMAS.map(({ name, text }) => [name, text])), {
    Pose3d: 'Translation3d translation;Rotation3d rotation',
    Translation3d: 'double x;double y;double z',
    Rotation3d: 'Quaternion q',
    Quaternion: 'double w;double x;double y;double z',
  })
})

test('the tags stand where the map has them, in the order of their ids', () => {
  const { tags, tagIds } = read({ tags: [seenFrom(robot, 6), seenFrom(robot, 5)], robot })

  assert.deepEqual(tagIds, [6, 5])
  assert.deepEqual(posesIn(tags), [onMap(6), onMap(5)])
})

test('tags that the map does not have, of another family or seen twice are left out', () => {
  const tags = [
    ...[seenFrom(robot, 5), seenFrom(robot, 6), seenFrom(robot, 5), seenFrom(robot, 5)],
    ...[
      { ...seenFrom(robot, 6), id: 99 },
      { ...seenFrom(robot, 7), family: 1 },
    ],
  ]

  assert.deepEqual(read({ tags, robot }).tagIds, [6])
})

test('a number that two families have is two tags', () => {
  const [first = assert.fail(), second = assert.fail()] = demoMap.tags
  const map = { ...demoMap, tags: [first, { ...second, id: first.id, family: 'tag25h9' as const }] }
  const own = new OwnFrame()
  const seen = (family: number) => ({ ...seenFrom(robot, 5), id: first.id, family })

  own.read(frame({ tags: [seen(1), seen(0), seen(2)], robot }), map)

  assert.deepEqual(own.tagIds, [first.id, first.id])
  assert.deepEqual(posesIn(own.tags), [onMap(second.id), onMap(first.id)])
})

test('a frame without a pose has no tags, and one with a broken pose has none', () => {
  const own = read({ tags: twoTags, robot })

  read({ tags: twoTags }, own)
  assert.deepEqual([own.hasPose, own.tagIds, own.tags.length], [false, [], 0])

  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1e9]) {
    const broken = frame({ robot, tags: [] })
    broken.data.fill(value, broken.data.length - 20)
    own.read(broken, demoMap)
    assert.equal(own.hasPose, false, `${value}`)
  }
})

test('a tag that says why it has no pose is none of those that the pose rests on', () => {
  const cornersPx = [100, 120, 120, 120, 120, 100, 100, 100]
  const tags = [seenFrom(robot, 5), { id: 6, tagInCamera: undefined, cornersPx, noPose: 2 }]

  assert.deepEqual(read({ tags, robot }).tagIds, [5])
})

test('where a pipeline tells no poses of tags those that it saw are taken', () => {
  const outputs = layout.outputs.filter(({ kind }) => kind !== 'tag_poses')

  assert.deepEqual(read({ tags: twoTags, robot, layout: { ...layout, outputs } }).tagIds, [5, 6])
})

test('a camera is fast whose frames are less than 20 ms apart', () => {
  const fastOnes = (fps: number) => {
    const pace = new OwnTableRate()
    return Array.from({ length: fps }, (_, n) => pace.isFast(1e9 + (n * 1e6) / fps)).filter(Boolean).length
  }

  assert.deepEqual([10, 30, 50].map(fastOnes), [0, 0, 0])
  assert.deepEqual([60, 90, 240].map(fastOnes), [59, 89, 239])
})

test('frames some milliseconds early or late make no camera fast, nor does a clock that was set back', () => {
  const pace = new OwnTableRate()
  const jitter = [0, 6, -5, 8, 0, -7, 3, -2]

  assert.ok(!jitter.some((ms, n) => pace.isFast(1e9 + 33_333 * n + 1_000 * ms)))
  assert.equal(pace.isFast(1_000), false)
})
