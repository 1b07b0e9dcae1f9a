import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_WANTS } from '../../../machines/extcam/robot-wants.ts'
import { demoMap } from '../../../machines/localization/field-map.ts'
import { identityPose } from '../../../machines/localization/pose.ts'
import { ODOMETRY_TOPIC, ODOMETRY_TYPE } from '../../../machines/own-table/localization-topics.ts'
import { settle } from '../../support/clock/clock.ts'
import { HandSession, SERVER_AHEAD_US } from '../../support/clock/hand-clock.ts'
import { setState } from '../../support/engine/stream-runtime.ts'
import { scriptedSolvers, sure } from '../../support/localization/scripted-solver.ts'
import { solvingStreams } from '../../support/localization/solving-streams.ts'

class AheadSession extends HandSession {
  override serverOffsetUs(): number {
    return SERVER_AHEAD_US
  }
}

/** Numbers from 0 to 1, the same each time (a linear congruential generator). */
const randomOf = (seed: number) => () => {
  seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32
  return seed / 2 ** 32
}

const pose2d = (...numbers: readonly number[]) => new Uint8Array(Float64Array.from(numbers).buffer)

const MOUNT = { x_m: 0, y_m: 0.1, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }

test('frames of all streams are one round, and what it gave is there at once', async (t) => {
  const { record, makeSolver } = scriptedSolvers()
  const { show, runtime, state, clock } = await solvingStreams(t, ['front', 'rear'], makeSolver)
  assert.equal(state(), 'lost')

  show('front', 22)
  assert.equal(record.rounds.length, 0)
  show('rear', 20)

  const [round] = record.rounds
  assert.deepEqual(
    round?.frames.map(({ streamId, timestampSource }) => [streamId, timestampSource]),
    [
      ['front', 'driver'],
      ['rear', 'driver'],
    ],
  )
  assert.equal(runtime.solved.value?.capturedUs, clock.monotonicUs() - 20_000)
  assert.equal(state(), 'tracking')
  assert.deepEqual(runtime.map(), { id: 'demo', hash: `hash of ${demoMap.tags.length}` })
})

test('a round waits for a stream that is late for as long as is set, and no longer', async (t) => {
  const { record, makeSolver } = scriptedSolvers()
  const { show, advance, configure, clock } = await solvingStreams(t, ['front', 'rear'], makeSolver)
  configure({ round_wait_ms: 25 })

  show('front')
  advance(24)
  assert.equal(record.rounds.length, 0)
  advance(1)

  assert.equal(record.rounds.length, 1)
  assert.equal(clock.timers, 0)
})

test('without rounds that give a pose the robot is lost, and found with the next', async (t) => {
  let isKnown = true
  const { makeSolver } = scriptedSolvers(() => (isKnown ? sure() : { solved: undefined }))
  const { show, advance, state } = await solvingStreams(t, ['front'], makeSolver)
  show('front')
  assert.equal(state(), 'tracking')

  isKnown = false
  for (let n = 0; n < 12; n++) {
    advance(33)
    show('front')
  }
  assert.equal(state(), 'lost')

  isKnown = true
  advance(33)
  show('front')
  assert.equal(state(), 'tracking')
})

test('each stream that is not used says why, and is used as soon as nothing is wrong any more', async (t) => {
  const { makeSolver } = scriptedSolvers()
  const ids = ['front', 'off', 'blind', 'raw', 'loose', 'elsewhere', 'lab']
  const { runtime, streamOf, show, showBlind, store, configure, maps, mapsChanged, add } = await solvingStreams(
    t,
    ids,
    makeSolver,
    (id) => ({
      ...(id === 'elsewhere' && { map_id: 'gym' }),
      ...(id === 'lab' && { internal: true }),
    }),
  )
  const reasons = () => Object.fromEntries(runtime.streams().map(({ streamId, reason }) => [streamId, reason]))
  setState(streamOf('off'), 'starting')
  showBlind('blind')
  const opened = streamOf('raw').engine.opened
  if (opened.value) opened.set({ ...opened.value, intrinsics: null })

  assert.deepEqual(reasons(), {
    front: null,
    off: 'not_live',
    blind: 'no_tags_in_pipeline',
    raw: 'no_lens',
    loose: 'no_pose',
    elsewhere: 'other_map',
    lab: 'not_chosen',
  })

  setState(streamOf('off'), 'live')
  show('blind')
  streamOf('loose').robot.wants.set({ ...NO_WANTS, mount: MOUNT })
  store('elsewhere', { map_id: 'demo' })
  add('new')
  assert.deepEqual(reasons(), {
    front: null,
    off: null,
    blind: null,
    raw: 'no_lens',
    loose: null,
    elsewhere: null,
    lab: 'not_chosen',
    new: null,
  })

  configure({ streams: ['front', 'lab'], map_id: 'gym' })
  assert.deepEqual([reasons().front, reasons().lab, reasons().off], ['no_map', 'no_map', 'not_chosen'])
  assert.equal(runtime.map(), null)
  maps.set('gym', { ...demoMap, id: 'gym', tags: demoMap.tags.slice(1) })
  mapsChanged()
  assert.deepEqual([reasons().front, runtime.map()?.id], ['other_map', 'gym'])
})

test('what was solved is forgotten when the config, the map or a mount is another, but not for a turret', async (t) => {
  const { record, makeSolver } = scriptedSolvers()
  const { show, advance, runtime, configure, maps, mapsChanged, store, streamOf } = await solvingStreams(
    t,
    ['front'],
    makeSolver,
  )
  const solve = () => {
    advance(33)
    show('front')
    return runtime.solved.value
  }
  assert.equal(solve()?.revision, 0)

  configure({ round_wait_ms: 30 })
  assert.equal(runtime.solved.value, undefined)
  assert.equal(solve()?.revision, 1)

  maps.set('demo', { ...demoMap })
  assert.ok(solve(), 'a map that is read again and the same changes nothing')
  assert.equal(record.made.length, 2)
  maps.set('demo', { ...demoMap, tags: demoMap.tags.slice(1) })
  mapsChanged()
  assert.equal(runtime.solved.value, undefined)
  assert.equal(solve()?.map.hash, `hash of ${demoMap.tags.length - 1}`)

  store('front', { pose: MOUNT })
  assert.equal(runtime.solved.value, undefined)
  solve()

  const made = record.made.length
  streamOf('front').robot.wants.set({ ...NO_WANTS, mount: { ...MOUNT, yaw_deg: 3 } })
  store('front', { alias: 'The front one' })
  assert.ok(runtime.solved.value)
  assert.equal(record.made.length, made)
})

test('a localization that is switched off solves nothing, and goes on when it is switched on', async (t) => {
  const { record, makeSolver } = scriptedSolvers()
  const { show, advance, configure, state, runtime, clock } = await solvingStreams(t, ['front'], makeSolver)
  show('front')

  configure({ enabled: false })
  advance(33)
  show('front')

  assert.deepEqual([state(), record.rounds.length, runtime.solved.value, clock.timers], ['off', 1, undefined, 0])
  configure({ enabled: true })
  advance(33)
  show('front')
  assert.deepEqual([state(), record.rounds.length], ['tracking', 2])

  configure({ enabled: true, map_id: 'gym' })
  assert.equal(state(), 'waiting')
  configure({ enabled: false, map_id: 'gym' })
  assert.equal(state(), 'off')
})

test('a solver that throws ends localization, and no stream hears of it', async (t) => {
  const { makeSolver } = scriptedSolvers(() => {
    throw new Error('no such corner')
  })
  const { show, streamOf, crashes, runtime } = await solvingStreams(t, ['front'], makeSolver)
  let heard = 0
  streamOf('front').results.subscribe(() => {
    heard += 1
  })

  show('front')
  await settle()

  assert.match(String(crashes[0]), /no such corner/)
  assert.equal(heard, 1)
  show('front')
  assert.deepEqual([heard, runtime.solved.value], [2, undefined])
})

test('tags that are left out are counted by why, for a second', async (t) => {
  const tag = { streamId: 'front', family: 0, used: false, residualPx: 1, chi2: 1, sigmaPx: 0.2, weight: 0 }
  const tags = [
    { ...tag, id: 1, reason: 'unknown_tag' as const },
    { ...tag, id: 2, reason: 'unknown_tag' as const },
    { ...tag, id: 3, reason: null },
  ]
  const { makeSolver } = scriptedSolvers(() => ({ solved: undefined, tags }))
  const { show, advance, runtime } = await solvingStreams(t, ['front'], makeSolver)

  show('front')
  advance(400)
  show('front')
  assert.deepEqual(runtime.rejected(), { unknown_tag: 4 })

  advance(700)
  assert.deepEqual(runtime.rejected(), { unknown_tag: 2 })
  advance(700)
  assert.deepEqual(runtime.rejected(), {})
})

test('the heading of one stream is heard, and that of another when the first says none any more', async (t) => {
  const { record, makeSolver } = scriptedSolvers()
  const { streamOf } = await solvingStreams(t, ['front', 'rear'], makeSolver)
  const say = (id: string, at_us: number) => streamOf(id).robot.heading.set({ at_us, yaw_deg: 90, yaw_rate_dps: 0 })

  for (const id of ['front', 'rear', 'front']) say(id, 1_000)
  streamOf('front').robot.heading.set(undefined)
  say('rear', 2_000)

  assert.deepEqual(
    record.headings.map(([yaw, atUs]) => [Math.round((yaw * 180) / Math.PI), atUs]),
    [
      [90, 1_000],
      [90, 1_000],
      [90, 2_000],
    ],
  )
})

test('what another program has measured is passed on as it came', async (t) => {
  const { record, makeSolver } = scriptedSolvers()
  const { measured } = await solvingStreams(t, ['front'], makeSolver)
  const measurement = {
    sourceId: 'quest',
    outputKey: 'pose',
    kind: 'absolute' as const,
    capturedUs: 1_000,
    pose: identityPose,
    std: [0.1, 0.1, 0.1, 0.1, 0.1, 0.1] as const,
    resetCounter: 0,
  }

  measured.set(measurement)

  assert.deepEqual(record.measured, [measurement])
})

test('odometry is heard with the times at which it was taken, tells when it stops, and has one timer', async (t) => {
  const { record, makeSolver } = scriptedSolvers()
  const { link, clock, advance, actor, configure } = await solvingStreams(t, ['front'], makeSolver)
  const isFresh = () => actor.getSnapshot().context.isOdometryFresh
  const session = new AheadSession(clock)
  link.set(session)
  const say = (agoMs: number, type = ODOMETRY_TYPE) =>
    session.deliver(ODOMETRY_TOPIC, type, pose2d(1, 2, 3), clock.monotonicUs() - 1000 * agoMs + SERVER_AHEAD_US)

  say(5)
  advance(20)
  say(5)
  say(-60)
  say(5, 'struct:Pose3d')

  const nowUs = clock.monotonicUs()
  assert.deepEqual(record.odometry, [
    { atUs: nowUs - 25_000, x: 1, y: 2, yaw: 3 },
    { atUs: nowUs - 5_000, x: 1, y: 2, yaw: 3 },
  ])
  assert.deepEqual([isFresh(), clock.timers], [true, 1])
  advance(194)
  assert.equal(isFresh(), true)
  advance(2)
  assert.deepEqual([isFresh(), clock.timers], [false, 0])

  say(5)
  assert.equal(isFresh(), true)
  configure({ odometry: { source: 'none' } })
  say(5)
  assert.deepEqual([isFresh(), record.odometry.length, clock.timers], [false, 3, 0])
})

test('rounds are in order and no frame counts twice, though frames are late and a stream goes', async (t) => {
  const { record, makeSolver } = scriptedSolvers()
  const ids = ['front', 'rear', 'left', 'right']
  const { streamOf, clock, advance, runtime, crashes, showAt } = await solvingStreams(t, ids, makeSolver)
  const chance = randomOf(7)
  const solved: number[] = []
  runtime.solved.subscribe((one) => {
    if (one) solved.push(one.capturedUs)
  })
  const beganMs = clock.monotonicUs() / 1000
  const arrivals = ids.flatMap((id, n) =>
    Array.from({ length: 300 }, (_, frame) => {
      const exposedMs = beganMs + frame * (n < 2 ? 16.7 : 33.3) + 4 * n
      return { id, exposedMs, arrivesMs: exposedMs + 15 + 80 * chance() }
    }),
  )
  const isKilled = (id: string, ms: number) => id === 'left' && ms > beganMs + 2_000 && ms < beganMs + 3_000

  for (const { id, exposedMs, arrivesMs } of arrivals.toSorted((one, other) => one.arrivesMs - other.arrivesMs)) {
    advance(Math.max(0, arrivesMs - clock.monotonicUs() / 1000))
    const isDown = isKilled(id, arrivesMs)
    if ((streamOf(id).state === 'live') === isDown) setState(streamOf(id), isDown ? 'restarting' : 'live')
    if (!isDown) showAt(id, exposedMs * 1000)
  }
  advance(100)

  const frames = record.rounds.flatMap((round) => round.frames.map((frame) => `${frame.streamId} ${frame.capturedUs}`))
  assert.ok(record.rounds.length > 250, `${record.rounds.length} rounds`)
  assert.equal(new Set(frames).size, frames.length)
  assert.deepEqual(
    solved,
    record.rounds.map(({ capturedUs }) => capturedUs),
  )
  assert.ok(solved.every((us, n) => n === 0 || us > (solved[n - 1] as number)))
  for (const round of record.rounds)
    assert.ok(new Set(round.frames.map(({ streamId }) => streamId)).size === round.frames.length)
  assert.deepEqual([crashes, clock.timers], [[], 0])
})

test("a robot's heading that is off is told once, until it is right again", async (t) => {
  const { record, makeSolver } = scriptedSolvers()
  const { show, advance, faults } = await solvingStreams(t, ['front'], makeSolver)
  const said = ['off', 'off', undefined, 'off again']

  for (const warning of said) {
    record.warning = warning
    advance(33)
    show('front')
  }

  assert.deepEqual(
    faults.map(({ code, detail }) => [code, detail]),
    [
      ['localization.heading_off', 'off'],
      ['localization.heading_off', 'off again'],
    ],
  )
})
