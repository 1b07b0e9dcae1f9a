// What a robot writes, from its session to what becomes of it.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import fc from 'fast-check'
import { Controls } from '../../../actors/extcam/controls.ts'
import { LightClaims } from '../../../actors/lighting/light-claims.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { type Heading, type LiveControls, NO_LIVE_CONTROLS } from '../../../machines/extcam/live.ts'
import { WRITE_KEYS, type WriteKey } from '../../../machines/extcam/writes/keys.ts'
import { MADE_UP_LIGHTING } from '../../../machines/lighting/config.ts'
import type { StreamManifest } from '../../../machines/stream/manifest.ts'
import { oddLiveField } from '../../../native/engine/protocol/live.ts'
import type { Nt4Value } from '../../../native/nt4/port.ts'
import { settle } from '../../support/clock/clock.ts'
import { HandClock, HandSession, SERVER_AHEAD_US } from '../../support/clock/hand-clock.ts'
import { streamRuntime } from '../../support/engine/stream-runtime.ts'

class AheadSession extends HandSession {
  /** As if the server's clock was set. */
  steppedUs = 0

  override serverOffsetUs(): number {
    return SERVER_AHEAD_US + this.steppedUs
  }

  override serverTimeUs(): number {
    return super.serverTimeUs() + this.steppedUs
  }
}

interface World {
  fault?: Fault
  active: number | undefined
  /** Whether anything on the device lights. */
  isLit: boolean
}

const lightsOf = (world: Pick<World, 'isLit'>, clock: HandClock) =>
  new LightClaims({
    nowMs: () => clock.monotonicUs() / 1_000,
    config: () => MADE_UP_LIGHTING,
    nothingLights: () => (world.isLit ? undefined : 'this device controls no lights'),
  })

/** Controls of a stream, on a session of a robot. */
const robot = async (t: TestContext, more: Partial<StreamManifest> = {}) => {
  const clock = new HandClock()
  const stream = streamRuntime({ id: 'front', source: { backend: 'images', path: '/pictures' }, ...more })
  const done: string[] = []
  const world: World = { active: undefined, isLit: false }
  const does = (what: string) =>
    Effect.suspend(() => {
      if (world.fault) return Effect.fail(world.fault)
      done.push(what)
      return Effect.void
    })
  const operations = {
    hasSlot: (slot: number) => world.active === slot,
    switchTo: (slot: number) =>
      Effect.map(does(`slot ${slot}`), () => {
        world.active = slot
      }),
    takePicture: does('picture'),
    saveRewind: does('clip'),
  }
  const recorded: (Fault & { times: number | undefined })[] = []
  const record = (fault: Fault, times?: number) => recorded.push({ ...fault, times })
  let frames = 0
  const meter = {
    get frames() {
      return frames
    },
  }
  const { id, manifest, robot } = stream
  const metered = { id, manifest, robot, meter }
  const lights = lightsOf(world, clock)
  const controls = new Controls({ stream: metered, operations, clock, record, lights })
  const ending = new AbortController()
  t.after(() => ending.abort())
  void Effect.runPromise(controls.carryOut, { signal: ending.signal }).catch(() => {})
  await settle()
  let session = new AheadSession(clock)
  let stop = controls.follow(session, 'limelight', { guard: (listener) => listener, later: clock.later })
  const nowUs = () => clock.monotonicUs() + SERVER_AHEAD_US
  return {
    clock,
    stream,
    done,
    world,
    lights,
    recorded,
    nowUs,
    session: () => session,
    /** Whether a program says the heading over HTTP. */
    sayByHttp: (isSaid: boolean) => {
      robot.isHeadingByHttp = isSaid
    },
    /** Writes a value, now or at a time of the server, and lets what comes of it happen. */
    write: async (key: string, value: Nt4Value, atUs = nowUs()) => {
      session.deliver(`/limelight/${key}`, typeof value === 'number' ? 'double' : 'double[]', value, atUs)
      await settle()
    },
    unlink: () => stop(),
    /** The link is lost, and there is another. */
    relink: () => {
      stop()
      clock.advance(1_000)
      session = new AheadSession(clock)
      stop = controls.follow(session, 'limelight', { guard: (listener) => listener, later: clock.later })
    },
    process: (count: number) => {
      frames += count
    },
  }
}

test('all write keys of the table are read as soon as they come, and nothing else', () => {
  const read: string[] = []
  const clock = new HandClock()
  class Noting extends HandSession {
    override subscribe(...[topics, options]: Parameters<HandSession['subscribe']>) {
      read.push(...topics)
      assert.ok(!options.prefix && options.all === true && (options.periodic ?? 1) <= 0.02)
      return () => {}
    }
  }
  const stream = streamRuntime({ id: 'front', source: { backend: 'images', path: '/pictures' } })
  const nothing = {
    hasSlot: () => true,
    switchTo: () => Effect.void,
    takePicture: Effect.void,
    saveRewind: Effect.void,
  }
  const session = new Noting(clock)

  const lights = lightsOf({ isLit: false }, clock)
  new Controls({ stream, operations: nothing, clock, lights, record: () => {} }).follow(session, 'limelight', {
    guard: (listener) => listener,
    later: clock.later,
  })

  assert.deepEqual(
    read,
    WRITE_KEYS.map((key) => `/limelight/${key}`),
  )
  assert.equal(session.publishes, 0)
})

test('what lives until the next boot is set at once, and what is equal is not set again', async (t) => {
  const { stream, write, recorded } = await robot(t)
  const set: LiveControls[] = []
  stream.robot.live.subscribe((live) => set.push(live))

  await write('priorityid', 7)
  await write('throttle_set', 3)
  await write('throttle_set', 3)
  await write('crop', [-1, 0, -1, 1])
  await write('fiducial_id_filters_set', [])

  assert.equal(set.length, 3)
  assert.deepEqual(stream.robot.live.value, {
    ...NO_LIVE_CONTROLS,
    priority_id: 7,
    skip: 3,
    window: { x0: 0, y0: 0, x1: 0.5, y1: 1 },
  })
  assert.deepEqual(recorded, [])
})

test('a heading has the time at which the robot said it, by our clock', async (t) => {
  const { stream, clock, write, nowUs } = await robot(t)
  clock.advance(500)

  await write('robot_orientation_set', [370, -20, 0, 0, 0, 0], nowUs() - 4_000)
  assert.deepEqual(stream.robot.heading.value, { at_us: clock.monotonicUs() - 4_000, yaw_deg: 370, yaw_rate_dps: -20 })

  for (const atUs of [nowUs() + 90_000, 0]) {
    await write('robot_orientation_set', [1, 0, 0, 0, 0, 0], atUs)
    assert.equal(stream.robot.heading.value?.at_us, clock.monotonicUs(), 'not later than now, and now without a time')
  }
})

test('a heading ends with the link, and what a new link delivers again holds again', async (t) => {
  const { stream, write, unlink, relink, nowUs } = await robot(t)
  const atUs = nowUs()
  const yawDeg = () => stream.robot.heading.value?.yaw_deg
  await write('robot_orientation_set', [90, 0, 0, 0, 0, 0], atUs)

  unlink()
  assert.equal(yawDeg(), undefined)

  relink()
  await write('robot_orientation_set', [90, 0, 0, 0, 0, 0], atUs)
  assert.equal(yawDeg(), 90)
})

test('a heading counts as said just now, with its rate, also when the server has set its clock since', async (t) => {
  const { clock, stream, write, session, nowUs } = await robot(t)
  for (const stepUs of [-1_800_000_000, 1_800_000_000]) {
    session().steppedUs += stepUs
    clock.advance(1_000)

    await write('robot_orientation_set', [370, -20, 0, 0, 0, 0], nowUs() + session().steppedUs - 4_000)

    assert.deepEqual(stream.robot.heading.value, {
      at_us: clock.monotonicUs() - 4_000,
      yaw_deg: 370,
      yaw_rate_dps: -20,
    })
  }
})

test('a heading does not count while one is said over HTTP, and does again when that is over', async (t) => {
  const { clock, stream, write, sayByHttp } = await robot(t)
  sayByHttp(true)

  await write('robot_orientation_set', [10, 0, 0, 0, 0, 0])
  clock.advance(200)
  const meanwhile = stream.robot.heading.value
  sayByHttp(false)
  clock.advance(200)

  assert.deepEqual([meanwhile, stream.robot.heading.value?.yaw_deg], [undefined, 10])
})

test('a robot that stands still and says nothing keeps its heading, every 50 ms, until it says another', async (t) => {
  const { stream, clock, write } = await robot(t)
  const samples: (Heading | undefined)[] = []
  stream.robot.heading.subscribe((sample) => samples.push(sample))
  clock.advance(10_000)
  assert.deepEqual([samples, clock.timers], [[], 0], 'one that never says its heading costs no timer')
  const startUs = clock.monotonicUs()
  await write('robot_orientation_set', [90, 30, 0, 0, 0, 0])

  clock.advance(170)
  await write('robot_orientation_set', [91, 40, 0, 0, 0, 0])
  clock.advance(20)
  await write('robot_orientation_set', [92, 40, 0, 0, 0, 0])
  clock.advance(49)

  const said = samples.map((sample) => sample && [(sample.at_us - startUs) / 1000, sample.yaw_deg, sample.yaw_rate_dps])
  assert.deepEqual(said, [[0, 90, 30], ...[50, 100, 150].map((ms) => [ms, 90, 0]), [170, 91, 40], [190, 92, 40]])
  assert.equal(clock.timers, 1)
})

test('nothing is repeated any more when the link is lost, and there is no timer', async (t) => {
  const { stream, clock, write, unlink } = await robot(t)
  await write('robot_orientation_set', [90, 0, 0, 0, 0, 0])

  unlink()
  clock.advance(1_000)

  assert.equal(stream.robot.heading.value, undefined)
  assert.equal(clock.timers, 0)
})

test('a heading that was said before anybody listened holds from now on, without its rate', async (t) => {
  const { stream, clock, write, nowUs } = await robot(t)

  await write('robot_orientation_set', [90, 30, 0, 0, 0, 0], nowUs() - 60_000_000)

  assert.deepEqual(stream.robot.heading.value, { at_us: clock.monotonicUs(), yaw_deg: 90, yaw_rate_dps: 0 })
})

test('a slot is switched to, and one that is written again is not', async (t) => {
  const { write, done } = await robot(t)

  for (const slot of [2, 2, 5]) await write('pipeline', slot)

  assert.deepEqual(done, ['slot 2', 'slot 5'])
})

test('a robot that switches there and back all the time is followed a few times, and then once a second', async (t) => {
  const { write, done, clock } = await robot(t)

  for (let n = 0; n < 50; n++) {
    clock.advance(20)
    await write('pipeline', n % 2)
  }

  assert.deepEqual(done, ['slot 0', 'slot 1', 'slot 0', 'slot 1'])
})

test('a picture is taken at each rise of its count, but not twice within ten frames', async (t) => {
  const { write, done, process } = await robot(t)

  for (const [count, frames] of [
    [0, 0],
    [1, 30],
    [1, 30],
    [2, 30],
    [3, 9],
    [4, 1],
  ] as const) {
    process(frames)
    await write('snapshot', count)
  }

  assert.deepEqual(done, ['picture', 'picture', 'picture'])
})

test('a camera that has next to no results takes a picture all the same, after half a second', async (t) => {
  const { write, done, process, clock } = await robot(t)

  for (const [count, ms] of [
    [1, 0],
    [2, 499],
    [3, 1],
    [4, 499],
    [5, 1],
  ] as const) {
    clock.advance(ms)
    process(1)
    await write('snapshot', count)
  }

  assert.deepEqual(done, ['picture', 'picture', 'picture'])
})

test('a robot program that begins anew and counts from 1 gets its first picture and its first clip', async (t) => {
  const { write, done, process, relink, nowUs } = await robot(t)
  for (const count of [1, 2, 3]) {
    process(30)
    await write('snapshot', count)
  }
  await write('capture_rewind', [3, 10])
  relink()
  process(30)
  await write('snapshot', 1)
  await write('capture_rewind', [0, 10])
  assert.deepEqual(done, ['picture', 'picture', 'picture', 'clip', 'picture'])

  relink()
  process(30)
  await write('snapshot', 1, nowUs() - 500_000) // of the same program, which another link delivers again

  assert.equal(done.length, 5)
})

test('a count that was there before asks for nothing, one that rose while the link was away does', async (t) => {
  const { write, done, process, relink, nowUs } = await robot(t)
  const before = nowUs() - 50_000_000
  await write('snapshot', 7, before)
  assert.deepEqual(done, [])
  relink()
  await write('snapshot', 7, before)
  assert.deepEqual(done, [])

  relink()
  process(30)
  await write('snapshot', 8, nowUs() - 100_000)

  assert.deepEqual(done, ['picture'])
})

test('a slot delivered again with a new link is not switched to again; one written meanwhile is', async (t) => {
  const { write, done, world, relink, nowUs } = await robot(t)
  const early = nowUs()
  await write('pipeline', 2, early)
  world.active = 4 // by somebody else
  relink()
  await write('pipeline', 2, early)
  assert.deepEqual(done, ['slot 2'])

  await write('pipeline', 2)

  assert.deepEqual(done, ['slot 2', 'slot 2'])
})

test('a clip is saved at each rise of its count, but not twice within two seconds', async (t) => {
  const { write, done, clock } = await robot(t)

  for (const [count, ms] of [
    [0, 0],
    [1, 100],
    [2, 1_900],
    [3, 100],
    [4, 2_000],
  ] as const) {
    clock.advance(ms)
    await write('capture_rewind', [count, 10])
  }

  assert.deepEqual(done, ['clip', 'clip', 'clip'])
})

test('the camera is where the robot says, until it says nothing of it', async (t) => {
  const { stream, write } = await robot(t)

  await write('camerapose_robotspace_set', [0.1, 0.2, 0.3, 0, 20, 0])
  assert.deepEqual(stream.robot.wants.value?.mount, {
    x_m: 0.1,
    y_m: -0.2,
    z_m: 0.3,
    roll_deg: 0,
    pitch_deg: -20,
    yaw_deg: 0,
  })

  await write('camerapose_robotspace_set', [0, 0, 0, 0, 0, 0])
  assert.equal(stream.robot.wants.value?.mount, null)
})

test('what this device does not have is kept, and said so', async (t) => {
  const { stream, write, recorded } = await robot(t)

  await write('ledMode', 3)
  await write('stream', 2)
  await write('keystone_set', [0.2, 7])
  await write('rewind_enable_set', 1)

  const { ledMode, videoLayout, keystone } = stream.robot.wants.value ?? {}
  assert.deepEqual([ledMode, videoLayout, keystone], [3, 2, [0.2, 0.95]])
  assert.deepEqual(
    recorded.map(({ code }) => code),
    Array(3).fill('extcam.not_available'),
  )
  assert.match(recorded[0]?.detail ?? '', /ledMode is kept, but does nothing: this device controls no lights\.$/)
})

test('lights are as a robot wants them while it is heard, which needs no word where there are some', async (t) => {
  const { write, lights, recorded, world, unlink, relink, nowUs } = await robot(t)
  world.isLit = true
  const shown = () => lights.all().map(({ owner, shows }) => [owner, shows])

  await write('ledMode', 2)
  assert.deepEqual(shown(), [['robot:front', 'blink']])

  unlink()
  assert.deepEqual(shown(), [])
  const saidUs = nowUs()
  relink()
  await write('ledMode', 2, saidUs - 1_000_000) // as it lies there
  assert.deepEqual(shown(), [['robot:front', 'blink']])

  await write('ledMode', 0)
  assert.deepEqual(shown(), [])
  assert.deepEqual(recorded, [])
})

test('the lights, the layout and the skew that a camera has anyway need no word', async (t) => {
  const { write, recorded } = await robot(t, { rewind: { max_bytes: 2 ** 20 } })

  for (const key of ['ledMode', 'stream']) await write(key, 0)
  await write('keystone_set', [0, 0])
  await write('rewind_enable_set', 1)

  assert.deepEqual(recorded, [])
})

test('what makes no sense is told at once, and then every ten seconds; what was said before holds', async (t) => {
  const { stream, write, recorded, clock } = await robot(t)
  await write('priorityid', 7)

  for (let n = 0; n < 600; n++) {
    clock.advance(20)
    await write('priorityid', [1, 2])
  }

  assert.deepEqual(
    recorded.map(({ code, times }) => [code, times]),
    [
      ['extcam.bad_write', 1],
      ['extcam.bad_write', 500],
    ],
  )
  assert.match(
    recorded[0]?.detail ?? '',
    /priorityid takes the id of a tag, or -1 for any, but was given \[1, 2\]; nothing was changed\.$/,
  )
  assert.equal(stream.robot.live.value?.priority_id, 7)
})

test('what could not be done is told with the reason', async (t) => {
  const { write, recorded, world } = await robot(t)
  world.fault = { code: 'slot.empty', detail: 'the slot 3 refers to nothing' }
  await write('pipeline', 3)
  world.fault = { code: 'storage.full', detail: 'the disk is full' }
  await write('pipeline', 4)
  await write('snapshot', 1)
  await write('capture_rewind', [1, 5])

  assert.deepEqual(
    recorded.map(({ code, detail }) => [code, detail]),
    [
      ['extcam.bad_write', 'What a robot program wrote: pipeline 3 changes nothing: the slot 3 refers to nothing.'],
      ['extcam.write_failed', 'What a robot program wrote: pipeline 4 changes nothing: the disk is full.'],
      ['extcam.write_failed', 'What a robot program wrote: no picture was taken: the disk is full.'],
      ['extcam.write_failed', 'What a robot program wrote: no clip was saved: the disk is full.'],
    ],
  )
})

test('whatever is written on whatever key, what an engine would be told stays legal', async (t) => {
  const { stream, session, nowUs } = await robot(t)
  const value = fc.oneof(
    fc.double(),
    fc.integer({ min: -2, max: 20 }),
    fc.array(fc.oneof(fc.double(), fc.integer({ min: -1, max: 3 })), { maxLength: 7 }),
    fc.string(),
    fc.boolean(),
    fc.uint8Array(),
    fc.bigInt(),
  )
  fc.assert(
    fc.property(fc.constantFrom<WriteKey>(...WRITE_KEYS), value, (key, any) => {
      session().deliver(`/limelight/${key}`, 'double', any as Nt4Value, nowUs())
      assert.equal(oddLiveField(stream.robot.live.value), undefined)
    }),
    { numRuns: 2_000 },
  )
  await settle()
})
