// What a robot writes to its camera, in a service put together as ever: what is stored of it, and what another robot,
// or none, finds.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { settingsWriter } from '../../../actors/settings/write-settings.ts'
import { NO_LIVE_CONTROLS } from '../../../machines/extcam/live.ts'
import { NO_WANTS } from '../../../machines/extcam/robot-wants.ts'
import { NT4_DOCUMENT, nt4Collection } from '../../../machines/nt4/settings.ts'
import { graphCollection } from '../../../machines/pipeline/stored-graphs.ts'
import { putOrder } from '../../../machines/settings/commit.ts'
import type { FakeNt4Session } from '../../../native/nt4/fake.ts'
import type { Nt4Value } from '../../../native/nt4/port.ts'
import { tagsAs } from '../../support/engine/graphs.ts'
import { liveStreams } from '../../support/engine/live-streams.ts'
import { until } from '../../support/until.ts'

const source = { backend: 'images', path: '/pictures', fps: 100 } as const
const slots = ['near', 'far'].map((graph_id, slot) => ({ slot, graph_id }))

/** A service with a robot that has a stream as its camera. */
const driven = async (t: TestContext) => {
  const service = await liveStreams(t, { options: { nt4: '10.12.34.2:5810' } })
  const { directory, addStream, state, nt4, documents } = service
  const write = settingsWriter(directory)
  for (const id of ['near', 'far'])
    await Effect.runPromise(write(putOrder(graphCollection, id, { name: id, ...tagsAs(id) })))
  const stream = await addStream({ id: 'front', source, slots })
  await state('front', 'live')
  const robot = (await until('the robot', () => nt4.session)) as FakeNt4Session
  await until('its table', () => robot.published.size > 0)
  let nowUs = 2_000_000
  const say = (key: string, value: Nt4Value) => {
    nowUs += 20_000
    robot.deliver(`/limelight/${key}`, 'double', value, nowUs)
    return nowUs
  }
  return { ...service, stream, robot, say, commits: () => documents.commits.length }
}

test('a key that is written fifty times a second is stored never, and a slot once', async (t) => {
  const { say, stream, commits, engine } = await driven(t)
  const before = commits()

  for (let n = 0; n < 500; n++) {
    say('throttle_set', n % 3)
    say('crop', [-1, n % 2, -1, 1])
    say('priorityid', n % 8)
    say('robot_orientation_set', [n, 0, 0, 0, 0, 0])
    say('camerapose_robotspace_set', [0.1, 0, 0.3, 0, 20, n % 90])
    say('fiducial_offset_set', [0, 0, n / 1000])
    say('ledMode', n % 2)
    say('pipeline', 1)
  }
  await until(
    'the slot',
    () => stream.manifest.active_slot,
    (slot) => slot === 1,
  )

  assert.equal(commits() - before, 1)
  assert.equal(engine('front').live.priority_id, 499 % 8)
  assert.equal(engine('front').headings.at(-1)?.yaw_deg, 499)
  assert.equal(stream.manifest.pose, undefined)
})

test('a robot that changes its mind about the slot all the time has a few of them stored', async (t) => {
  const { say, stream, commits } = await driven(t)
  const before = commits()
  const beganMs = performance.now()

  for (let n = 0; n < 40; n++) {
    say('pipeline', n % 2)
    for (let turn = 0; turn < 50 && stream.manifest.active_slot !== n % 2; turn++) await new Promise(setImmediate)
  }
  await until(
    'the last',
    () => stream.manifest.active_slot,
    (slot) => slot === 1,
  )

  const allowed = 5 + (performance.now() - beganMs) / 1_000 // four at once, and one a second
  assert.ok(commits() - before <= allowed, `${commits() - before} commits, ${allowed} were allowed`)
})

test('what a robot has set ends when the stream is no camera of a robot any more', async (t) => {
  const { say, stream, directory } = await driven(t)
  say('throttle_set', 5)
  say('camerapose_robotspace_set', [0.1, 0, 0.3, 0, 20, 0])
  say('robot_orientation_set', [30, 0, 0, 0, 0, 0])
  assert.deepEqual([stream.robot.live.value?.skip, stream.robot.heading.value?.yaw_deg], [5, 30])

  directory.settings.trigger.committed({
    collection: nt4Collection.name,
    id: NT4_DOCUMENT,
    collectionRevision: 1,
    collectionBase: 0,
    revision: 1,
    value: { emulate_extcam_api: false },
  })

  await until(
    'none',
    () => stream.robot.live.value,
    (live) => live?.skip === 0,
  )
  const { live, wants, heading } = stream.robot
  assert.deepEqual([live.value, wants.value, heading.value], [NO_LIVE_CONTROLS, NO_WANTS, undefined])
})

test('an engine that takes the place of one that crashed knows what the robot has set', async (t) => {
  const { say, engine, state } = await driven(t)
  say('priorityid', 7)
  say('robot_orientation_set', [30, 0, 0, 0, 0, 0])
  const before = engine('front')

  before.crash()

  const next = await until(
    'another engine',
    () => engine('front'),
    (now) => now !== undefined && now !== before,
  )
  await state('front', 'live')
  assert.equal(next.live.priority_id, 7)
  assert.equal(next.headings[0]?.yaw_deg, 30)
})

test('a heading ends with the link to the robot, and the rest of what it has set does not', async (t) => {
  const { say, stream, robot, nt4 } = await driven(t)
  say('priorityid', 7)
  say('robot_orientation_set', [30, 0, 0, 0, 0, 0])
  assert.equal(stream.robot.heading.value?.yaw_deg, 30)

  nt4.unreachable = { code: 'nt4.unreachable', detail: 'the robot is off' }
  robot.drop()

  await until(
    'none',
    () => stream.robot.heading.value === undefined,
    (isOver) => isOver,
  )
  assert.equal(stream.robot.live.value?.priority_id, 7)
})

test('another way of publishing keeps what the robot has set, and the slot that was chosen since', async (t) => {
  const { say, stream, robot, directory, put, commits } = await driven(t)
  const slotIs = (wanted: number) =>
    until(
      `slot ${wanted}`,
      () => stream.manifest.active_slot,
      (slot) => slot === wanted,
    )
  say('throttle_set', 5)
  const saidUs = say('pipeline', 1)
  await slotIs(1)
  await put({ id: 'front', source, slots, active_slot: 0 }) // by hand
  await slotIs(0)
  const before = commits()
  const publishes = robot.publishes

  robot.timeUs = saidUs + 1_000_000
  directory.settings.trigger.committed({
    collection: nt4Collection.name,
    id: NT4_DOCUMENT,
    collectionRevision: 1,
    collectionBase: 0,
    revision: 1,
    value: { json: 'never' },
  })
  await until(
    'another table',
    () => robot.publishes,
    (count) => count > publishes + 30,
  )
  robot.deliver('/limelight/pipeline', 'double', 1, saidUs) // as servers do for whoever subscribes again
  assert.equal(stream.robot.live.value?.skip, 5)
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)

  assert.deepEqual([stream.manifest.active_slot, commits() - before], [0, 0])
})
