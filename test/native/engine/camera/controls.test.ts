// Tier 1: a real engine process with an emulated camera whose controls are set.
import assert from 'node:assert/strict'
import { constants } from 'node:os'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../../../machines/errors/fault.ts'
import { engineBesideCamera } from '../../../support/cameras/v4l2/engine.ts'
import { CONTROL, cameraModels } from '../../../support/cameras/v4l2/models.ts'
import { cameraTask, smallCamera } from '../../../support/engine/engine-task.ts'
import { until } from '../../../support/until.ts'

const MANUAL = 1

test('controls have one name, range and unit, whatever the driver calls them', async (t) => {
  const { camera, probe } = await engineBesideCamera(t, cameraModels.everyFormat)
  await probe.openCamera(camera)

  const controls = await Effect.runPromise(probe.engine.controls)

  assert.deepEqual(
    controls.map(({ name }) => name),
    [
      'brightness',
      'contrast',
      'white_balance_auto',
      'gain',
      'power_line_frequency',
      'exposure_auto',
      'exposure_time_us',
    ],
  )
  assert.deepEqual(
    controls.find(({ id }) => id === CONTROL.exposureTime),
    {
      id: CONTROL.exposureTime,
      name: 'exposure_time_us',
      type: 'integer',
      min: 100,
      max: 1_000_000,
      step: 100,
      default: 100_000,
      value: 100_000,
      unit: 'us',
      flags: ['inactive'],
      menu: null,
    },
  )
  assert.deepEqual(controls.find(({ id }) => id === CONTROL.exposureAuto)?.menu, [
    { value: 1, label: 'Manual Mode' },
    { value: 3, label: 'Aperture Priority Mode' },
  ])
})

test('wanted controls are set at each opening, in the unit of the camera', async (t) => {
  const { camera, probe } = await engineBesideCamera(t, cameraModels.everyFormat)
  const controls = [
    { id: CONTROL.gain, value: 42 },
    { id: CONTROL.exposureTime, value: 4_000 },
    { id: CONTROL.exposureAuto, value: MANUAL },
  ]

  await probe.openCamera(camera, { controls })
  const first = [CONTROL.gain, CONTROL.exposureTime, CONTROL.exposureAuto].map((id) => camera.control(id))
  camera.unplug()
  camera.plug()
  await probe.openCamera(camera, { controls })
  const second = [CONTROL.gain, CONTROL.exposureTime, CONTROL.exposureAuto].map((id) => camera.control(id))

  assert.deepEqual(first, [42, 40, MANUAL])
  assert.deepEqual(second, first)
})

test('what is set is read back, and a camera that takes another value or none says so', async (t) => {
  const { camera, probe } = await engineBesideCamera(t, cameraModels.everyFormat)
  await probe.openCamera(camera)
  const set = (id: number, value: number) => Effect.runPromise(probe.engine.setControl(id, value))

  const taken = await set(CONTROL.gain, 7)
  const adjusted = await set(CONTROL.gain, 500)
  camera.state.set('refused_control', CONTROL.brightness)
  camera.state.set('refused_error', constants.errno.EACCES)
  const refused = await set(CONTROL.brightness, 9)
  camera.state.set('refused_error', 0)
  const ignored = await set(CONTROL.brightness, 9)
  const unknown = await Effect.runPromise(Effect.flip(probe.engine.setControl(12_345, 1)))

  assert.deepEqual(taken, { requested: 7, applied: 7, ok: true, code: null, why: null })
  assert.deepEqual([adjusted.applied, adjusted.ok, adjusted.code], [100, false, 'control.adjusted'])
  assert.deepEqual([refused.applied, refused.ok, refused.code], [0, false, 'control.refused'])
  assert.deepEqual([ignored.applied, ignored.ok, ignored.code], [0, false, 'control.adjusted'])
  assert.equal(unknown.code, 'control.unknown')
})

test('what a camera does not take at its opening is told, and its pictures come all the same', async (t) => {
  const { camera, probe } = await engineBesideCamera(t, cameraModels.everyFormat)
  const warned = probe.nextEvent('warned')

  await probe.openCamera(camera, {
    controls: [
      { id: CONTROL.gain, value: 500 },
      { id: 12_345, value: 1 },
    ],
  })
  const event = await warned
  await probe.nextResult()

  assert.ok(event.type === 'warned')
  assert.equal(event.fault.code, 'camera.control_refused')
  assert.match(event.fault.detail, /gain 100 instead of 500; .*no control 12345/)
})

test('a camera that lies about its exposure is asked only for what it can', async (t) => {
  const { camera, probe } = await engineBesideCamera(t, cameraModels.globalShutter)
  await probe.openCamera(camera, { controls: [{ id: CONTROL.exposureAuto, value: MANUAL }] })

  const controls = await Effect.runPromise(probe.engine.controls)
  const set = await Effect.runPromise(probe.engine.setControl(CONTROL.exposureTime, 60_000))

  const exposure = controls.find(({ id }) => id === CONTROL.exposureTime)
  assert.deepEqual([exposure?.min, exposure?.max], [100, 7_500])
  assert.deepEqual([set.applied, set.code], [7_500, 'control.adjusted'])
  assert.equal(camera.control(CONTROL.exposureTime), 75)
})

test('a camera that does not answer about its controls is asked once, and its opening says so', async (t) => {
  const { camera, probe } = await engineBesideCamera(t, cameraModels.everyFormat)
  camera.state.set('control_error', constants.errno.ETIMEDOUT)
  const controls = [CONTROL.gain, CONTROL.brightness].map((id) => ({ id, value: 1 }))

  const fault = await Effect.runPromise(Effect.flip(probe.engine.open(cameraTask(camera, { controls }))))
  const asks = camera.state.get('control_asks')
  camera.state.set('control_error', 0)
  await probe.openCamera(camera, { controls })

  assert.equal(fault.code, 'camera.unreadable')
  assert.match(fault.detail, /does not answer when it is asked about its settings/)
  assert.equal(asks, 1, 'the kernel waits 5 s for each answer')
})

test('many requests about a camera that does not answer delay nothing else, and all are answered', async (t) => {
  const { camera, probe } = await engineBesideCamera(t, cameraModels.everyFormat)
  await probe.openCamera(camera)
  const before = camera.state.get('control_asks')
  camera.state.set('control_error', constants.errno.ETIMEDOUT)
  camera.state.set('controls_hang', 1)

  const { controls, setControl } = probe.engine
  const asked = [controls, controls, setControl(CONTROL.gain, 1), controls].map((ask) =>
    Effect.runPromise(Effect.flip<unknown, Fault, never>(ask)),
  )
  await until('the question to the camera', () => camera.state.get('control_asks') > before)
  await probe.open(smallCamera)
  await probe.nextResult()
  camera.state.set('controls_hang', 0)
  const faults = await Promise.all(asked)

  for (const { code } of faults) assert.equal(code, 'camera.unreadable')
  assert.equal(camera.state.get('control_asks') - before, 1)
})
