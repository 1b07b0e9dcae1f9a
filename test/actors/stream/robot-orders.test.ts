// What a robot wants of a stream, on its way to an engine.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RobotOrders } from '../../../actors/stream/robot-orders.ts'
import { type LiveControls, NO_LIVE_CONTROLS } from '../../../machines/extcam/live.ts'
import { NO_WANTS } from '../../../machines/extcam/robot-wants.ts'
import { NO_LIMIT } from '../../../machines/guard/levels.ts'
import type { StreamManifest } from '../../../machines/stream/manifest.ts'
import { streamRuntime } from '../../support/engine/stream-runtime.ts'

const window = { x0: 0, y0: 0, x1: 0.5, y1: 1 }
const mount = { x_m: 0.3, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }
const pose = { ...mount, x_m: 0.1 }

/** A stream, and what an engine of it is told. */
const told = (more: Partial<StreamManifest> = {}) => {
  const stream = streamRuntime({ id: 'front', source: { backend: 'images', path: '/pictures' }, ...more })
  const orders: [string, ...unknown[]][] = []
  const engineOf = () => {
    const note = (name: string) => (value: unknown) => void orders.push([name, value])
    const engine = { setLive: note('live'), setHeading: note('heading'), setMount: note('mount') }
    const setRewind = (maxBytes: number, isPaused?: boolean) => void orders.push(['rewind', maxBytes, isPaused])
    return new RobotOrders({ ...engine, setRewind }, stream)
  }
  return { stream, orders, engineOf }
}
const guard = <Listener>(listener: Listener): Listener => listener

test('an engine that has just started gets what the robot set earlier, and nothing if it set nothing', () => {
  const { stream, orders, engineOf } = told()
  const first = engineOf()
  first.follow(guard)
  first.sendLive()
  assert.deepEqual(orders, [])
  const live: LiveControls = { ...NO_LIVE_CONTROLS, skip: 2 }
  const heading = { at_us: 5, yaw_deg: 90, yaw_rate_dps: 0 }
  stream.robot.live.set(live)
  stream.robot.heading.set(heading)
  orders.length = 0

  const next = engineOf()
  next.follow(guard)
  next.sendLive()

  assert.deepEqual(orders, [
    ['heading', heading],
    ['live', live],
  ])
})

test('an engine is told no heading that is forgotten', () => {
  const { stream, orders, engineOf } = told()
  engineOf().follow(guard)
  stream.robot.heading.set({ at_us: 5, yaw_deg: 90, yaw_rate_dps: 0 })
  stream.robot.forget()
  assert.equal(stream.robot.heading.value, undefined)

  engineOf().follow(guard)

  assert.deepEqual(
    orders.map(([name]) => name),
    ['heading'],
  )
})

test('it is told of each change once', () => {
  const { stream, orders, engineOf } = told()
  const [unsubscribeLive] = engineOf().follow(guard)

  for (const skip of [1, 1, 0]) stream.robot.live.set({ ...NO_LIVE_CONTROLS, skip })
  unsubscribeLive?.()
  stream.robot.live.set({ ...NO_LIVE_CONTROLS, skip: 7 })

  assert.deepEqual(
    orders.map(([, live]) => (live as LiveControls).skip),
    [1, 0],
  )
})

test('a stream that has a part of the picture already is given no window in it, and has it back without', () => {
  const { stream, orders, engineOf } = told({ crop: { x_px: 0, y_px: 0, width_px: 64, height_px: 64 } })
  const robot = engineOf()
  robot.follow(guard)
  stream.robot.live.set({ ...NO_LIVE_CONTROLS, window })
  assert.deepEqual(orders, [])

  const { crop: _, ...whole } = stream.manifest
  robot.sendLive(whole)

  assert.deepEqual(orders, [['live', { ...NO_LIVE_CONTROLS, window }]])
})

test('the mount of the robot replaces that of the stream; turning off rewind keeps its limit of bytes', () => {
  const { stream, orders, engineOf } = told({ pose, rewind: { max_bytes: 2 ** 20 } })
  engineOf().follow(guard)

  stream.robot.wants.set({ ...NO_WANTS, mount })
  stream.robot.wants.set({ ...NO_WANTS, mount, keepsRewind: false })
  stream.robot.wants.set(NO_WANTS)

  assert.deepEqual(orders, [
    ['mount', mount],
    ['rewind', 2 ** 20, true],
    ['mount', pose],
    ['rewind', 2 ** 20, false],
  ])
})

test('a camera is opened with the mount its task was made with, and later changes are sent after it', () => {
  const { stream, orders, engineOf } = told({ pose })
  const { manifest } = stream
  stream.robot.wants.set({ ...NO_WANTS, mount })
  const robot = engineOf()

  assert.deepEqual(robot.mountOfTask(manifest), mount)
  robot.sendOtherMount(manifest)
  assert.deepEqual(orders, [])

  stream.robot.wants.set(NO_WANTS)
  robot.sendOtherMount(manifest)
  assert.deepEqual(orders, [['mount', pose]])
})

test('the resource guard leaves out frames beside those that the robot does not want, and no more of those', () => {
  const { stream, orders, engineOf } = told()
  engineOf().follow(guard)

  stream.robot.live.set({ ...NO_LIVE_CONTROLS, skip: 1 })
  stream.guard.set({ limit: { ...NO_LIMIT, skip: 2 }, status: null })
  stream.robot.live.set({ ...NO_LIVE_CONTROLS, skip: 4 })
  stream.guard.set()
  stream.robot.live.set(NO_LIVE_CONTROLS)

  assert.deepEqual(
    orders.map(([, live]) => (live as LiveControls).skip),
    [1, 2, 4, 0],
  )
})
