// Tier 1: the whole service with an emulated camera. Its controls are read and set over HTTP, and outlive the cable.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Control } from '../../machines/engine/controls.ts'
import { daemonWithCamera } from '../support/cameras/v4l2/daemon.ts'
import { CONTROL, cameraModels } from '../support/cameras/v4l2/models.ts'

const MANUAL = 1

test('a camera is started by its name alone, its exposure is set, and set again when it comes back', async (t) => {
  const { daemon, camera, camera_uid } = await daemonWithCamera(t, cameraModels.everyFormat, { serial: 'V-17' })
  const set = (id: number, value: unknown) => daemon.send('POST', `/v1/streams/front/controls/${id}`, { value })
  const list = async () =>
    (await daemon.get<{ readonly controls: readonly Control[] }>('/v1/streams/front/controls')).controls

  await daemon.send('POST', '/v1/streams', { id: 'front', camera_uid })
  await daemon.stream('front', 'live')
  const inAutomatic = await set(CONTROL.exposureTime, 4_000)
  const [manual, exposure, gain] = [
    await set(CONTROL.exposureAuto, MANUAL),
    await set(CONTROL.exposureTime, 4_000),
    await set(CONTROL.gain, 42),
  ]
  const outside = await set(CONTROL.gain, 101)
  const unknown = await set(12_345, 1)
  const odd = await set(CONTROL.gain, '7')
  camera.state.set('refused_control', CONTROL.brightness)
  const ignored = await set(CONTROL.brightness, 5)
  const before = await list()
  camera.unplug()
  await daemon.stream('front', 'backing-off')
  const away = await set(CONTROL.gain, 7)
  camera.plug({ port: '1-2', number: 8 })
  await daemon.stream('front', 'live')
  const after = await list()

  assert.deepEqual([manual.status, exposure.status, gain.status], [204, 204, 204])
  assert.deepEqual([inAutomatic.status, inAutomatic.body.code], [502, 'control.refused'])
  assert.deepEqual([outside.status, outside.body.code], [422, 'control.out_of_range'])
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'control.unknown'])
  assert.deepEqual([odd.status, odd.body.code], [400, 'body.invalid'])
  assert.deepEqual([ignored.status, ignored.body.code], [502, 'control.adjusted'])
  assert.deepEqual(ignored.body.context, { requested: 5, applied: 0, ok: false })
  assert.deepEqual([away.status, away.body.code], [409, 'camera.not_open'])
  const valueIn = (controls: readonly Control[], id: number) => controls.find((control) => control.id === id)?.value
  for (const controls of [before, after])
    assert.deepEqual(
      [
        valueIn(controls, CONTROL.exposureAuto),
        valueIn(controls, CONTROL.exposureTime),
        valueIn(controls, CONTROL.gain),
      ],
      [MANUAL, 4_000, 42],
    )
  assert.equal(camera.control(CONTROL.exposureTime), 40)
})
