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
import { inaccessible, LOOKS, openPage, type PageOptions, withTimeToUndo } from '../support/api/browser.ts'
import { documentsWithCalibrations, goodCalibration } from '../support/calibration/kept-calibrations.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { jpegFile } from '../support/media/media-files.ts'
import { addMedia } from '../support/media/stored-media.ts'
import { until } from '../support/until.ts'

const HEIGHT_PX = 720 // of the pictures that the fake sees
const calibration = new FakeCalibration()
const lifetime = fileLifetime()
const shared = (async () => {
  const ports = [value(CLOCK, systemClock), value(CALIBRATION, calibration)]
  const engines = fakeEngines({ nowUs: systemClock.monotonicUs })
  const service = await listeningApi(lifetime, {}, { engines, ports, documents: documentsWithCalibrations() })
  await service.fake.addStream({ id: 'front', alias: 'Front', source: { backend: 'synthetic', height_px: HEIGHT_PX } })
  await service.fake.state('front', 'live')
  await addMedia(service.fake)
  return service
})()
beforeEach(() => {
  calibration.looks = []
  calibration.isEndless = false
})

/** The board is held still at one place after the other, until a picture of it was taken. */
const hold = async (places: readonly number[]) => {
  for (const place of places) {
    const before = calibration.taken
    calibration.looks = [fakeLook(100 * place)]
    await until('a picture', () => calibration.taken > before)
  }
}

/** It never stands still. */
const moved = () => Array.from({ length: 1000 }, (_, at) => fakeLook(40 * (at % 2)))

/** Begins one from the first step on. */
const beginCapture = async (t: TestContext, options: PageOptions = {}) => {
  const { url } = await shared
  const { page } = await openPage(t, url, { ...options, path: '/calibration/new?stream=front' })
  await page.getByRole('button', { name: /^Begin/ }).click()
  await page.getByRole('heading', { name: 'Calibrate Front' }).waitFor()
  return page
}

for (const { name, viewport, colorScheme } of LOOKS)
  test(`a capture can be followed by everybody, ${colorScheme} on a ${name}`, async (t) => {
    const page = await beginCapture(t, { viewport, colorScheme })
    await hold([0, 1, 2])
    await page.getByRole('button', { name: 'Solve with 3 pictures' }).waitFor()
    assert.deepEqual(await inaccessible(page), [])
  })

test('a capture that is stopped comes back by Undo', async (t) => {
  const page = await beginCapture(t, { prepare: withTimeToUndo })
  await hold([0, 1])
  await page.getByRole('button', { name: 'Solve with 2 pictures' }).waitFor()

  await page.getByRole('button', { name: 'Stop and drop it' }).click()
  await page.getByRole('button', { name: 'Begin', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()

  await page.getByText('A capture of this camera is under way, with 2 pictures.').waitFor()
})

test('files that are sent are solved; that outlives a reload, and is cancelled', async (t) => {
  const { url } = await shared
  calibration.isEndless = true
  const { page } = await openPage(t, url, { path: '/calibration/new?stream=front&from=media' })
  const few = page.getByRole('button', { name: 'Solve with 0 pictures' })
  assert.equal(await few.getAttribute('aria-disabled'), 'true')
  const basis = page.getByLabel('What is done with them')
  await basis.selectOption({ label: `${goodCalibration.name}, of 1280×800 mjpeg, is tried in this mode` })
  await page.getByText('At least 3 are needed.').waitFor()
  await basis.selectOption('')

  const files = [1, 2, 3, 4].map((n) => ({
    name: `board-${n}.jpg`,
    mimeType: 'image/jpeg',
    buffer: Buffer.from(jpegFile(64, 48)),
  }))
  await page.getByLabel('Pictures of the board').setInputFiles(files)
  await page.getByRole('button', { name: 'Solve with 4 pictures' }).click()
  await page.getByRole('progressbar', { name: 'The calibration' }).waitFor()
  await page.reload({ waitUntil: 'domcontentloaded' })
  await page.getByRole('main').getByRole('button', { name: 'Cancel' }).click()

  await page.getByText('It was cancelled. Nothing was changed.').waitFor()
})

test('the guide shows where to hold the board, says why a picture is not taken, and outlives a reload', async (t) => {
  const page = await beginCapture(t)
  calibration.looks = moved()

  await page.getByText('The board moves: hold it still for a moment', { exact: false }).first().waitFor()
  await page.getByRole('img', { name: /^Where to hold the board: / }).waitFor()
  await hold([0, 1, 2, 3])
  await page.getByRole('button', { name: 'Solve with 4 pictures' }).waitFor()
  await page.reload({ waitUntil: 'domcontentloaded' })
  await page.getByRole('button', { name: 'Solve with 4 pictures' }).waitFor()
  await hold([4, 5, 6, 7, 8, 9])

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
