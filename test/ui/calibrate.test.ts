// Calibrating a camera as people do it: by the guide, and from pictures that were taken already; what is computed comes
// back after a reload.
import assert from 'node:assert/strict'
import { beforeEach, type TestContext, test } from 'node:test'
import { FakeCalibration, fakeLook } from '../../native/calibration/fake.ts'
import { CALIBRATION } from '../../native/calibration/port.ts'
import { CLOCK } from '../../native/clock/port.ts'
import { systemClock } from '../../native/clock/system.ts'
import { fakeEngines } from '../../native/engine/fake/fake.ts'
import { value } from '../../supervisors/composition/container.ts'
import { listeningApi } from '../support/api/api.ts'
import { inaccessible, LOOKS, openPage, type PageOptions } from '../support/api/browser.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { addMedia } from '../support/media/stored-media.ts'

const calibration = new FakeCalibration()
const lifetime = fileLifetime()
const shared = (async () => {
  const ports = [value(CLOCK, systemClock), value(CALIBRATION, calibration)]
  const engines = fakeEngines({ nowUs: systemClock.monotonicUs })
  const service = await listeningApi(lifetime, {}, { engines, ports })
  await service.fake.addStream({ id: 'front', alias: 'Front', source: { backend: 'synthetic' } })
  await service.fake.state('front', 'live')
  await addMedia(service.fake)
  return service
})()
beforeEach(() => {
  calibration.looks = []
  calibration.isEndless = false
})

/** The board is held still at one place after the other: what is seen of it in the pictures. */
const heldAt = (places: number) =>
  Array.from({ length: places }, (_, at) => [fakeLook(100 * at), fakeLook(100 * at)]).flat()

/** It never stands still. */
const moved = () => Array.from({ length: 1000 }, (_, at) => fakeLook(3 * (at % 2)))

/** Begins one from the first step on. looks: what is seen in its pictures. */
const beginCapture = async (t: TestContext, looks: FakeCalibration['looks'], options: PageOptions = {}) => {
  const { url } = await shared
  const { page } = await openPage(t, url, { ...options, path: '/calibration/new?stream=front' })
  await page.getByRole('button', { name: /^Begin/ }).click()
  await page.getByRole('heading', { name: 'Calibrate Front' }).waitFor()
  calibration.looks = looks
  return page
}

for (const { name, viewport, colorScheme } of LOOKS)
  test(`a capture can be followed by everybody, ${colorScheme} on a ${name}`, async (t) => {
    const page = await beginCapture(t, heldAt(3), { viewport, colorScheme })
    await page.getByRole('button', { name: 'Solve with 3 pictures' }).waitFor()
    assert.deepEqual(await inaccessible(page), [])
  })

test('a capture that is stopped comes back by Undo', async (t) => {
  const page = await beginCapture(t, heldAt(2))
  await page.getByRole('button', { name: 'Solve with 2 pictures' }).waitFor()

  await page.getByRole('button', { name: 'Stop and drop it' }).click()
  await page.getByRole('button', { name: 'Begin', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()

  await page.getByText('A capture of this camera is under way, with 2 pictures.').waitFor()
})

test('the guide shows where to hold the board, says why a picture is not taken, and outlives a reload', async (t) => {
  const page = await beginCapture(t, moved())

  await page.getByText('The board moves: hold it still for a moment', { exact: false }).first().waitFor()
  await page.getByRole('img', { name: /^Where to hold the board: / }).waitFor()
  calibration.looks = heldAt(4)
  await page.getByRole('button', { name: 'Solve with 4 pictures' }).waitFor()
  await page.reload({ waitUntil: 'domcontentloaded' })
  await page.getByRole('button', { name: 'Solve with 4 pictures' }).waitFor()
  calibration.looks = heldAt(10).slice(8)

  await page.getByText('enough', { exact: true }).waitFor()
  assert.equal(await page.getByRole('progressbar', { name: 'How well the lens is known' }).getAttribute('value'), '1')
  await page.getByRole('button', { name: 'Solve with 10 pictures' }).click()
  await page.getByRole('region', { name: 'Verdict' }).getByText('good', { exact: true }).waitFor()
  assert.match(page.url(), /\/calibration\/jobs\//)
  await page
    .getByRole('row', { name: /used 0\.23 px/ })
    .first()
    .waitFor()
})
