// The controls of a camera as clients set them: many at a time, each from its own slider.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CAMERAS } from '../../../../actors/cameras/tokens.ts'
import type { Control } from '../../../../machines/engine/controls.ts'
import { busyApi, orderedAtOnce } from '../../../support/api/busy-api.ts'

const VALUES: Readonly<Record<string, number>> = { brightness: 7, gain: 42, exposure_auto: 1, exposure_time_us: 4000 }

test('of controls that are set at once each is kept for the next opening', async (t) => {
  const { app, fake } = await busyApi(t)
  const headers = { host: 'localhost' }
  const url = '/v1/streams/side/controls'
  const { controls } = (await app.inject({ url, headers })).json() as {
    controls: readonly (Control & { label: string; unit_label: string | null })[]
  }

  const exposure = controls.find(({ name }) => name === 'exposure_time_us')
  assert.deepEqual([exposure?.label, exposure?.unit_label], ['Exposure time', 'µs'])
  const answers = await orderedAtOnce(
    fake,
    controls.map(({ id, name }) => async () => {
      const payload = { value: VALUES[name] }
      return app.inject({ method: 'POST', url: `${url}/${id}`, headers, payload })
    }),
  )

  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [204, 204, 204, 204],
  )
  const unit = fake.resolve(CAMERAS).units.find(({ camera_uid }) => camera_uid === 'cam-side2345')
  assert.deepEqual(
    unit?.controls.toSorted((a, b) => a.id - b.id),
    controls.map(({ id, name }) => ({ id, value: VALUES[name] })),
  )
})
