// The room of calibration as people have it: which calibrations there are, how good each is and why, and what can be
// done about it.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { askNow } from '../../actors/ask.ts'
import { calibrationCollection } from '../../machines/calibration/collection.ts'
import { putOrder } from '../../machines/settings/commit.ts'
import { type FakeApi, listeningApi } from '../support/api/api.ts'
import { inaccessible, LOOKS, openPage, withTimeToUndo } from '../support/api/browser.ts'
import {
  documentsWithCalibrations,
  goodCalibration,
  importedCalibration,
  poorCalibration,
} from '../support/calibration/kept-calibrations.ts'
import { fileLifetime } from '../support/lifetime.ts'

const lifetime = fileLifetime()
let service: FakeApi & { readonly url: string }
before(async () => {
  service = await listeningApi(lifetime, {}, { documents: documentsWithCalibrations() })
  const source = { backend: 'synthetic', width_px: 1280, height_px: 800 } as const
  await service.fake.addStream({ id: 'front', alias: 'Front', source, intrinsics: goodCalibration.intrinsics })
  await service.fake.addStream({ id: 'back', alias: 'Back', source })
  await service.fake.addStream({ id: 'small', alias: 'Small', source: { ...source, width_px: 640, height_px: 480 } })
})

/** As another client would. */
const keep = async (id: string, name: string) => {
  const settings = service.fake.directory.actor('settings')
  assert.ok(settings)
  await askNow(settings, putOrder(calibrationCollection, id, { ...poorCalibration, name }))
}

test('calibrations stand with their camera, verdict and mode, and the one in force says on which stream', async (t) => {
  const { page } = await openPage(t, service.url, { path: '/calibration' })

  const ofCamera = page.getByRole('list', { name: 'HD Cam' })
  const good = ofCamera.getByRole('listitem').filter({ hasText: goodCalibration.name })
  await good.getByText('good', { exact: true }).waitFor()
  await good.getByText('in force', { exact: true }).waitFor()
  await good.getByRole('link', { name: 'front' }).waitFor()
  const poor = ofCamera.getByRole('listitem').filter({ hasText: 'At the workshop' })
  await poor.getByText('poor', { exact: true }).waitFor()
  assert.equal(await poor.getByText('in force', { exact: true }).count(), 0)
  await page.getByRole('list', { name: 'Of no camera of this device' }).getByText('not judged').waitFor()
})

test('what somebody else keeps is in the list at once, and a deleted one comes back by Undo', async (t) => {
  const { page } = await openPage(t, service.url, { path: '/calibration', prepare: withTimeToUndo })
  await page.getByRole('link', { name: 'At the workshop' }).waitFor()

  await keep('cal-another2', 'By another client')
  await page.getByRole('link', { name: 'By another client' }).waitFor()
  await page.getByRole('button', { name: 'Delete By another client' }).click()
  await page.getByRole('link', { name: 'By another client' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()

  await page.getByRole('link', { name: 'By another client' }).waitFor()
})

test('of a poor calibration the reasons come first, then by how much points are off, and its pictures', async (t) => {
  const { page } = await openPage(t, service.url, { path: '/calibration/cal-poorpoor' })

  const verdict = page.getByRole('region', { name: 'Verdict' })
  await verdict.getByText('poor', { exact: true }).waitFor()
  const reasons = await verdict.getByRole('list', { name: 'Reasons' }).getByRole('listitem').allTextContents()
  assert.match(reasons[0] ?? '', /nearly frontal in 13 of 15 pictures: tilt it by 30 degrees/)
  await page.getByRole('img', { name: /^Predicted error: [\d.]+ px in the mean, 9\.5 px at most$/ }).waitFor()
  await page.getByRole('row', { name: /board-08\.jpg better left out/ }).waitFor()
  await page.getByRole('row', { name: /board-05\.jpg.*blurred, or read wrongly left out/ }).waitFor()
})

/** Another client changes the lens of a stream. */
const changeLens = async (id: string, intrinsics: object | null) => {
  const answer = await fetch(`${service.url}/v1/streams/${id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ patch: { intrinsics } }),
  })
  assert.ok(answer.ok, await answer.text())
}
const focalLengthOf = (id: string) => service.fake.streams.get(id)?.manifest.intrinsics?.fx_px

test('a poor calibration is put in force when somebody insists, and the list says so at once', async (t) => {
  const expected = [/answer: 409 to POST .*apply/, /status of 409/]
  const { page } = await openPage(t, service.url, { path: '/calibration', expected })
  await page.getByRole('button', { name: 'Put in force: At the workshop' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Stream').selectOption('back')
  await dialog.getByText('It has now: no calibration.').waitFor()

  await dialog.getByRole('button', { name: 'Put it in force', exact: true }).click()
  await dialog.getByText(/the calibration is poor, and poses would be off/).waitFor()
  assert.equal(focalLengthOf('back'), undefined)
  await dialog.getByRole('button', { name: 'Put it in force all the same' }).click()

  await dialog.getByText(/^applied, revision \d+$/).waitFor()
  assert.equal(focalLengthOf('back'), poorCalibration.intrinsics.fx_px)
  await dialog.getByRole('button', { name: 'Close' }).click()
  const poor = page.getByRole('list', { name: 'HD Cam' }).getByRole('listitem').filter({ hasText: 'At the workshop' })
  await poor.getByRole('link', { name: 'back' }).waitFor()
})

test('where somebody else has given the stream another lens meanwhile, both are shown and one is chosen', async (t) => {
  const expected = [/answer: 409 to POST .*apply/, /status of 409/]
  await changeLens('back', null)
  const { page } = await openPage(t, service.url, { path: '/calibration/cal-import23', expected })
  await page.getByRole('button', { name: 'Put in force: Back, of last year' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Stream').selectOption('back')

  await changeLens('back', goodCalibration.intrinsics)
  await dialog.getByText(`It has now: ${goodCalibration.name}.`).waitFor()
  await dialog.getByRole('button', { name: 'Put it in force', exact: true }).click()
  await dialog.getByText(`Theirs: ${goodCalibration.name}. Yours: ${importedCalibration.name}.`).waitFor()
  await dialog.getByRole('button', { name: 'Set mine' }).click()

  await dialog.getByText(/^applied, revision \d+$/).waitFor()
  assert.equal(focalLengthOf('back'), importedCalibration.intrinsics.fx_px)
})

test('a calibration of another size is refused with both sizes and what to do', async (t) => {
  const expected = [/answer: 409 to POST .*apply/, /status of 409/]
  const { page } = await openPage(t, service.url, { path: '/calibration/cal-goodgood', expected })
  await page.getByRole('button', { name: `Put in force: ${goodCalibration.name}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Stream').selectOption('small')
  await dialog.getByRole('button', { name: 'Put it in force', exact: true }).click()

  await dialog
    .getByText(/is of pictures of 1280x800, and those of small have\s+640x480: calibrate in this mode/)
    .waitFor()
})

const photonvision = (widthPx: number, data: readonly number[]) =>
  JSON.stringify({
    resolution: { width: widthPx, height: 800 },
    cameraIntrinsics: { rows: 3, cols: 3, type: 6, data },
    distCoeffs: { rows: 1, cols: 5, type: 6, data: [0.08, -0.12, 0.001, -0.0005, 0.03] },
  })
const file = (name: string, text: string) => ({ name, mimeType: 'application/json', buffer: Buffer.from(text) })

test('a file of another program is taken with what is odd about it, and one that is no lens is refused', async (t) => {
  const expected = [/answer: 422 to POST .*import/, /status of 422/]
  const { page } = await openPage(t, service.url, { path: '/calibration', expected })
  const input = page.getByLabel('Choose a calibration file')

  await input.setInputFiles(file('broken.json', photonvision(1280, [905, 0, 641, 0, -2, 398, 0, 0, 1])))
  await page.getByText('broken.json', { exact: true }).waitFor()
  await page
    .getByRole('alert')
    .getByText(/a focal length is above 0/)
    .waitFor()
  await input.setInputFiles(file('front.json', photonvision(1280, [905, 0, 641, 0, 904, 398, 0, 0, 1])))
  await page
    .getByRole('list', { name: 'What is to be known of the file' })
    .getByText(/half a pixel/)
    .waitFor()
  await page.getByRole('button', { name: 'Take half a pixel away' }).click()

  await page.getByText('Half a pixel was taken from the centre').waitFor()
  await page.getByRole('button', { name: 'Undo' }).waitFor() // of the one with the half pixel
})

test('a calibration is saved in the format of another program, and one without room for it says so', async (t) => {
  const expected = [/answer: 422 to GET .*export/, /status of 422/]
  const { page } = await openPage(t, service.url, { path: '/calibration/cal-goodgood', expected })
  await page.getByRole('button', { name: `Export ${goodCalibration.name}` }).click()

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'PhotonVision’s JSON' }).click()
  assert.match((await saved).suggestedFilename(), /1280x800-photonvision\.json$/)
  await page.getByRole('button', { name: 'Kalibr’s camchain, YAML' }).click()

  await page.getByRole('dialog').getByText('No such file can be made.').waitFor()
})

test('a stream leads to where its camera is calibrated, and what was measured outlives a reload', async (t) => {
  const { page } = await openPage(t, service.url, { path: '/streams/back?tab=settings' })
  await page.getByRole('tabpanel').getByRole('link', { name: 'Calibrate' }).click()

  await page.getByRole('heading', { name: 'Calibrate a camera' }).waitFor()
  assert.equal(await page.getByLabel('Camera of the stream').inputValue(), 'back')
  await page.getByLabel('Paper').selectOption('a3')
  const pdf = page.getByRole('link', { name: 'Board as PDF' })
  assert.equal(await pdf.getAttribute('href'), '/v1/streams/back/calibration/board.pdf?paper=a3')
  const height = page.getByLabel('Height of a square')
  await height.fill('36.2')
  await height.press('Enter')
  await page.reload({ waitUntil: 'domcontentloaded' })

  assert.equal(await height.inputValue(), '36.2')
  assert.equal(await page.getByLabel('Width of a square').inputValue(), '36')
})

test('what driving about says of a lens stands with its calibration, and is looked at again', async (t) => {
  const answer = async (state: string, detail: string) => ({
    json: { state, detail, places: 94, tags: 26, residual_px: 1.1, corrected_px: 0.28, board: '' },
  })
  const { page } = await openPage(t, service.url, {
    path: '/calibration/cal-goodgood',
    prepare: async (opened) => {
      await opened.route('**/v1/streams/front/calibration/check', async (route) =>
        route.fulfill(await answer('off', 'the focal length is 1.1 % larger than the calibration says')),
      )
    },
  })

  const seen = page.getByRole('list', { name: 'Seen while driving' })
  await seen.getByText('off', { exact: true }).waitFor()
  await seen.getByRole('link', { name: 'Calibrate again' }).waitFor()
  await page.goto('/streams/front', { waitUntil: 'domcontentloaded' })
  await page.getByRole('alert').getByText('Its lens is not as it was calibrated.').waitFor()
  await page.goto('/calibration/cal-goodgood', { waitUntil: 'domcontentloaded' })
  await seen.getByText('off', { exact: true }).waitFor()
  await page.unroute('**/v1/streams/front/calibration/check')
  await seen.getByRole('button', { name: 'Look again' }).click()
  await seen.getByText('not known yet', { exact: true }).waitFor()
})

for (const { name, viewport, colorScheme } of LOOKS)
  test(`calibrations can be used by everybody, ${colorScheme} on a ${name}`, async (t) => {
    const { page } = await openPage(t, service.url, { viewport, colorScheme, path: '/calibration' })
    await page.getByRole('link', { name: 'At the workshop' }).waitFor()
    assert.deepEqual(await inaccessible(page), [])

    await page.getByRole('link', { name: goodCalibration.name }).click()
    await page.getByText('bent by 0.82 mm along its width').waitFor()
    assert.deepEqual(await inaccessible(page), [])

    await page.goto('/calibration/new?stream=front', { waitUntil: 'domcontentloaded' })
    await page.getByRole('link', { name: 'Board as PDF' }).waitFor()
    assert.deepEqual(await inaccessible(page), [])
  })
