// The room of calibration as people have it: which calibrations there are, how good each is and why, and what can be
// done about it.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { askNow } from '../../actors/ask.ts'
import { calibrationCollection } from '../../machines/calibration/collection.ts'
import { putOrder } from '../../machines/settings/commit.ts'
import { type FakeApi, listeningApi } from '../support/api/api.ts'
import { inaccessible, LOOKS, openPage } from '../support/api/browser.ts'
import {
  documentsWithCalibrations,
  goodCalibration,
  poorCalibration,
} from '../support/calibration/kept-calibrations.ts'
import { fileLifetime } from '../support/lifetime.ts'

const lifetime = fileLifetime()
let service: FakeApi & { readonly url: string }
before(async () => {
  service = await listeningApi(lifetime, {}, { documents: documentsWithCalibrations() })
  const source = { backend: 'synthetic', width_px: 1280, height_px: 720 } as const
  await service.fake.addStream({ id: 'front', alias: 'Front', source, intrinsics: goodCalibration.intrinsics })
  await service.fake.addStream({ id: 'back', alias: 'Back', source })
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
  const { page } = await openPage(t, service.url, { path: '/calibration' })
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

for (const { name, viewport, colorScheme } of LOOKS)
  test(`calibrations can be used by everybody, ${colorScheme} on a ${name}`, async (t) => {
    const { page } = await openPage(t, service.url, { viewport, colorScheme, path: '/calibration' })
    await page.getByRole('link', { name: 'At the workshop' }).waitFor()
    assert.deepEqual(await inaccessible(page), [])

    await page.getByRole('link', { name: goodCalibration.name }).click()
    await page.getByText('bent by 0.82 mm along its width').waitFor()
    assert.deepEqual(await inaccessible(page), [])
  })
