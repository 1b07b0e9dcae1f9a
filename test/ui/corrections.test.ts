// What a survey proposes for map and rig, as people look at it and accept it: on the page of the real service, in a
// real browser.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { StreamView } from '../../api/stream/wire.ts'
import type { LocalizationConfig } from '../../machines/localization/config.ts'
import { demoMap } from '../../machines/localization/field-map.ts'
import { type StoredSurvey, surveyCollection } from '../../machines/localization/rig-and-map/stored-survey.ts'
import { inaccessible, LOOKS, openPage } from '../support/api/browser.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { commit, using } from '../support/processes/documents.ts'
import { until } from '../support/until.ts'

const REFUSED = [/Failed to load resource/, /answer: 4\d\d/] // browsers complain of each refusal themselves
const SURVEYS = '/v1/localization/surveys'
const [ID, FORGOTTEN, OTHER] = ['s1', 's2', 's3'] as const // by their age
const PATH = `/field/corrections?survey=${ID}`
const POSE = { x_m: 0.3, y_m: 0, z_m: 0.5, roll_deg: 0, pitch_deg: -10, yaw_deg: 0 }
const TURNED = { ...POSE, yaw_deg: 3 }

const [wrongTag, goodTag] = demoMap.tags
assert.ok(wrongTag && goodTag)
const measures = { moved_m: 0, moved_std_m: 0.003, turned_deg: 0, turned_std_deg: 0.1, is_wrong: false, rounds: 48 }

/** Of the demo's field: a tag hangs 5 cm aside, and the camera is turned by 3 degrees. */
const surveyOf = (hash: string): StoredSurvey => ({
  made_at_ms: 1_767_225_600_000,
  proposal: {
    map: { id: demoMap.id, hash },
    rounds: 120,
    misfit: 1.02,
    tags: [
      {
        ...measures,
        family: demoMap.family,
        id: wrongTag.id,
        before: wrongTag.pose,
        after: { ...wrongTag.pose, y_m: wrongTag.pose.y_m + 0.05 },
        moved_m: 0.05,
        is_wrong: true,
      },
      { ...measures, family: demoMap.family, id: goodTag.id, before: goodTag.pose, after: goodTag.pose },
    ],
    cameras: [
      {
        ...measures,
        stream_id: 'front',
        before: POSE,
        after: TURNED,
        turned_deg: 3,
        is_wrong: true,
        lens_share: 0.004,
      },
    ],
    errors: { map_m: 0.0025, map_deg: 0.05, mount_m: 0.0024, mount_deg: 0.1 },
  },
  accepted: null,
})

const lifetime = fileLifetime()
let daemon: Daemon
before(async () => {
  const place = site(lifetime, undefined, { VEDETTE_ENGINE: 'fake' })
  const first = await place.start()
  const source = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 5 } as const
  await first.addStream({ id: 'front', alias: 'Front', source })
  await first.send('PUT', '/v1/streams/front/pose', POSE)
  const { items } = await first.get<{ readonly items: readonly { readonly id: string; readonly hash: string }[] }>(
    '/v1/localization/maps',
  )
  const hash = items.find(({ id }) => id === demoMap.id)?.hash ?? ''
  await first.end('SIGTERM')
  const { name: collection } = surveyCollection
  for (const [n, id] of [ID, FORGOTTEN, OTHER].entries()) {
    const value = surveyOf(id === OTHER ? 'f'.repeat(64) : hash)
    const made_at_ms = value.made_at_ms + n * 60_000
    await using(place.dataDir, (documents) =>
      documents.commit(commit(n + 1, { collection, collectionRevision: n + 1, id, value: { ...value, made_at_ms } })),
    )
  }
  daemon = await place.start()
})

const surveyNow = async () => (await daemon.get<{ readonly spec: StoredSurvey }>(`${SURVEYS}/${ID}`)).spec
const front = async () => (await daemon.get<StreamView>('/v1/streams/front')).spec
const errorsNow = async () =>
  (await daemon.get<{ readonly spec: LocalizationConfig }>('/v1/localization/config')).spec.errors

test('what is wrong is shown and chosen, accepted in parts, and undone', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: PATH })
  const tag = page.getByRole('checkbox', { name: `Tag ${wrongTag.id}`, exact: true })
  await tag.waitFor()
  await page.getByRole('img', { name: `Tags that hang wrong: ${wrongTag.id}.` }).waitFor()
  await page.getByText('hangs wrong', { exact: true }).waitFor()
  await page.getByText(/^5\.0 ± 0\.3 cm off and turned by 0\.0 ± 0\.1°/).waitFor()
  await page.getByText(/^y \+5\.0 cm; seen from 48 places/).waitFor()
  await page.getByText(/focal length is 0\.4 % larger/).waitFor()
  const camera = page.getByRole('checkbox', { name: 'Front', exact: true })
  const chosenAtFirst = [await tag.isChecked(), await camera.isChecked()]

  await camera.uncheck()
  await page.getByRole('button', { name: 'Accept what is chosen' }).click()
  await page.getByText(/^applied, revision/).waitFor()
  await page.getByText('1 tag in the map').waitFor()
  const { accepted } = await surveyNow()
  const withTag = await front()
  await page.getByRole('button', { name: 'Undo what was accepted' }).click()
  await page.getByText('1 tag in the map').waitFor({ state: 'detached' })

  assert.deepEqual(chosenAtFirst, [true, true])
  assert.deepEqual([accepted?.tag_count, accepted?.cameras, accepted?.has_errors], [1, [], false])
  assert.deepEqual([withTag.map_id, withTag.pose], [accepted?.map_id, POSE])
  assert.equal((await surveyNow()).accepted, null)
  assert.deepEqual([(await front()).map_id, (await front()).pose], [demoMap.id, POSE])
})

test('a camera is accepted with how far all may still be off, and what somebody else undoes is seen', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: PATH })
  await page.getByRole('checkbox', { name: `Tag ${wrongTag.id}`, exact: true }).uncheck()
  await page.getByRole('checkbox', { name: /^Also take how far/ }).check()
  const before = await errorsNow()

  await page.getByRole('button', { name: 'Accept what is chosen' }).click()
  await page.getByText('the pose of Front').waitFor()
  const [{ pose, map_id }, errors] = [await front(), await errorsNow()]
  await daemon.send('POST', `${SURVEYS}/${ID}/undo`, {})
  await page.getByText('the pose of Front').waitFor({ state: 'detached' })

  assert.deepEqual([pose, map_id], [TURNED, demoMap.id])
  assert.deepEqual(errors, { ...before, ...surveyOf('').proposal.errors })
  assert.deepEqual(await errorsNow(), before)
})

test('a survey of another map is refused in the words of the device', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: `/field/corrections?survey=${OTHER}`, expected: REFUSED })
  // it comes with the map, and moves what is below
  await page.getByRole('img', { name: `Tags that hang wrong: ${wrongTag.id}.` }).waitFor()

  await page.getByRole('button', { name: 'Accept what is chosen' }).click()
  const refusal = page.getByRole('alert')
  await refusal.waitFor()

  const { body } = await daemon.send<{ detail: string }>('POST', `${SURVEYS}/${OTHER}/accept`, {})
  assert.ok((await refusal.textContent())?.includes(body.detail), body.detail)
})

test('a survey is started, is seen while it goes on, and is cancelled', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/field/corrections' })

  await page.getByRole('spinbutton', { name: 'At most' }).fill('5')
  await page.getByRole('button', { name: 'Start a survey' }).click()
  await page.getByRole('progressbar', { name: 'The survey' }).waitFor()
  const { items } = await daemon.get<{ items: { readonly id: string; readonly kind: string }[] }>('/v1/jobs')
  await page.getByRole('button', { name: 'Cancel the survey' }).click()
  await page.getByRole('button', { name: 'Start a survey' }).waitFor()

  assert.deepEqual(
    items.map(({ kind }) => kind),
    ['localization_survey'],
  )
})

test('a survey that is deleted is gone, here and on the device', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: `/field/corrections?survey=${FORGOTTEN}` })
  const rows = page.getByRole('radio')
  await rows.nth(2).waitFor()

  await page
    .getByRole('button', { name: /^Delete the survey/ })
    .nth(1)
    .click() // the newest stands first
  await page.getByText(/^The survey of .* is deleted/).waitFor()
  await until(
    'it shown no more',
    () => rows.count(),
    (count) => count === 2,
  )
  await page.goto('about:blank') // who leaves the page cannot take it back any more
  await until(
    'it gone',
    async () => (await daemon.send('GET', `${SURVEYS}/${FORGOTTEN}`)).status,
    (status) => status === 404,
  )
})

for (const { name, viewport, colorScheme } of LOOKS)
  test(`corrections can be used by everybody, ${colorScheme} on a ${name}`, async (t) => {
    const { page } = await openPage(t, daemon.url, { path: PATH, viewport, colorScheme })
    await page.getByRole('img', { name: /^Demo field from above/ }).waitFor()
    await page.getByText('1 other is as it should be').click()

    assert.deepEqual(await inaccessible(page), [])
  })
