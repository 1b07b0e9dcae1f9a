// A stream whose camera goes away, hangs, or finds no room on its bus; the service is whole, its ports are fakes.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import { CAMERAS } from '../../../actors/cameras/tokens.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { FakeCameras } from '../../../native/cameras/fake.ts'
import { CAMERAS_PORT } from '../../../native/cameras/port.ts'
import { FakeClock } from '../../../native/clock/fake.ts'
import { fakeEngines } from '../../../native/engine/fake/fake.ts'
import type { V4l2Task } from '../../../native/engine/port.ts'
import { FakeUsb } from '../../../native/usb/fake.ts'
import { USB } from '../../../native/usb/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { fakeService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const mode = { pixel_format: 'mjpeg', width_px: 1280, height_px: 720, fps: 30 } as const

/** A service with cameras in the ports 1 and 2 of one bus. world: how the next openings fail. */
const withCameras = async (t: TestContext) => {
  const port = new FakeCameras()
  const world: { fault?: (device: string) => Fault | undefined } = {}
  const opened: string[] = []
  const clock = new FakeClock()
  const engines = fakeEngines({
    nowUs: clock.monotonicUs,
    byHand: true,
    openFault: ({ source }) => {
      const { device } = source as V4l2Task
      opened.push(device)
      return world.fault?.(device)
    },
  })
  const devices = [port.plug({ number: 0, port: '1' }), port.plug({ number: 2, port: '2' })] as const
  const usb = new FakeUsb()
  for (const path of ['1-1', '1-2']) usb.plug({ path })
  const service = await fakeService(t, { engines, clock, ports: [value(CAMERAS_PORT, port), value(USB, usb)] })
  const { resolve, directory, addStream, put, state, engine } = service
  const cameras = resolve(CAMERAS)
  const uids = await until(
    'two cameras',
    () => cameras.recognised.present.map(({ unit }) => unit.camera_uid),
    ({ length }) => length === 2,
  )
  const source = (n: 0 | 1) => ({ backend: 'v4l2', camera_uid: uids[n] as string, ...mode }) as const
  const live = async (id: string, n: 0 | 1) => {
    await addStream({ id, source: source(n) })
    engine(id).showFrame()
    await state(id, 'live')
  }
  const recorded = (code: string) =>
    until(code, () => Object.values(directory.errors.getSnapshot().context.entries).find((each) => each.code === code))
  return { port, usb, world, opened, devices, source, live, put, state, engine, recorded }
}

test('a camera that comes back under another device file is opened at once, and what was tried is told', async (t) => {
  const { port, opened, devices, live, state, engine, recorded } = await withCameras(t)
  await live('front', 0)

  port.unplug(devices[0])
  engine('front').loseCamera()
  await state('front', 'backing-off')
  port.plug({ number: 6, port: '1' })
  await until('the opening', () => opened.at(-1) === '/dev/video6')
  engine('front').showFrame()
  await state('front', 'live')

  const { detail } = (await recorded('camera.recovered')) as { detail: string }
  assert.match(detail, /^The camera gives pictures again, \d+\.\d\d s after camera\.lost: .*opened \/dev\/video6 after/)
})

test('a camera that is there and does not work is reset, once, and that is told', async (t) => {
  const { port, world, devices, live, engine, recorded, state } = await withCameras(t)
  await live('front', 0)
  world.fault = () => ({ code: 'camera.unreadable', detail: 'it does not answer' })

  engine('front').loseCamera()
  const { detail } = (await recorded('camera.reset')) as { detail: string }

  assert.match(detail, /^The camera \/dev\/video0 gives no pictures, .* Its USB device was reset\.$/)
  assert.deepEqual(port.resets, [devices[0]])
  delete world.fault
  await until('the opening', () => engine('front').task)
  engine('front').showFrame()
  await state('front', 'live')
})

test('the loss of a camera that is being reset does not end the reset, which causes it', async (t) => {
  const { port, world, live, engine, recorded, state } = await withCameras(t)
  const back = Promise.withResolvers<void>()
  port.whileOff = Effect.promise(() => back.promise)
  await live('front', 0)
  world.fault = () => ({ code: 'camera.unreadable', detail: 'it does not answer' })
  engine('front').loseCamera()
  await state('front', 'resetting')

  engine('front').loseCamera()
  back.resolve()

  const { detail } = (await recorded('camera.reset')) as { detail: string }
  assert.match(detail, / Its USB device was reset\.$/)
})

test('where the service may not reset, it says so and goes on opening', async (t) => {
  const { port, world, live, engine, recorded, opened } = await withCameras(t)
  port.resetFault = { code: 'device.failed', detail: 'the USB device of /dev/video0 cannot be reset: EACCES' }
  await live('front', 0)
  world.fault = () => ({ code: 'camera.unreadable', detail: 'it does not answer' })

  engine('front').loseCamera()
  const { detail } = (await recorded('camera.reset')) as { detail: string }
  assert.match(detail, /should be reset, but .*EACCES\. Pull its cable and put it back\.$/)

  const before = opened.length
  await until('another opening', () => opened.length > before)
})

test('a camera that hangs after its reset has its port switched off and on, and that is told', async (t) => {
  const { usb, world, live, engine, recorded, state } = await withCameras(t)
  await live('front', 0)
  world.fault = () => ({ code: 'camera.unreadable', detail: 'it does not answer' })
  usb.onPower = (_, isOn) => {
    if (isOn) delete world.fault
  }

  engine('front').loseCamera()
  await state('front', 'power-cycling')
  const { detail } = (await recorded('camera.power_cycled')) as { detail: string }

  assert.match(detail, /^The camera \/dev\/video0 gives no pictures, also after .* was without power for a moment\.$/)
  assert.deepEqual(usb.orders.slice(0, 4), ['usb1-port1 off', 'usb1-port2 off', 'usb2-port1 off', 'usb2-port2 off'])
  await until('the opening', () => engine('front').task)
  engine('front').showFrame()
  await state('front', 'live')
  const told = (await recorded('camera.recovered')) as { detail: string }
  assert.match(told.detail, /, switched its USB port off and on after /)
})

test('of two streams that were given one camera in the same moment the first one has it', async (t) => {
  const { live, put, source, state } = await withCameras(t)
  await live('front', 0)

  await put({ id: 'rear', source: source(0) })
  const status = await state('rear', 'backing-off')

  assert.equal(status?.fault?.code, 'camera.in_use')
  assert.match(status?.fault?.detail ?? '', /^the stream front has the camera cam-/)
})

test('a camera without room on its bus hears who shares that, and what would fit', async (t) => {
  const { world, live, put, source, state } = await withCameras(t)
  await live('front', 0)
  world.fault = (device) =>
    device === '/dev/video2'
      ? { code: 'camera.no_bandwidth', detail: 'The USB controller has no room for /dev/video2 in this mode' }
      : undefined

  await put({ id: 'rear', source: source(1) })
  const status = await state('rear', 'backing-off')

  assert.equal(status?.fault?.code, 'camera.no_bandwidth')
  const detail = status?.fault?.detail ?? ''
  assert.match(detail, /in this mode\. Its USB bus is shared with front \(1280x720 mjpeg at 30 fps\)\. 1280x720 mjpeg/)
  assert.match(detail, /\(1280x720 mjpeg at 30 fps\)\. 1280x720 mjpeg at 15 fps should fit; else/)
})
