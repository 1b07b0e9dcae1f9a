// How all cameras are solved together, as people set it: on the page of the real service, in a real browser.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { LocalizationConfig } from '../../machines/localization/config.ts'
import { inaccessible, LOOKS, openPage } from '../support/api/browser.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const CONFIG = '/v1/localization/config'
const REFUSED = [/Failed to load resource/, /answer: 4\d\d/] // browsers complain of each refusal themselves
const small = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 5 } as const

const lifetime = fileLifetime()
let daemon: Daemon
before(async () => {
  daemon = await site(lifetime, undefined, { VEDETTE_ENGINE: 'fake' }).start()
  await daemon.addStream({ id: 'front', alias: 'Front', source: small })
})

const stored = () => daemon.get<{ readonly revision: number; readonly spec: LocalizationConfig }>(CONFIG)

test('a number is set in the unit that people use, and the last change is taken back', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/field/settings' })
  const height = page.getByRole('spinbutton', { name: 'Height' })
  await height.waitFor()
  const { spec: before } = await stored()

  await height.fill('12')
  await page.getByText('To be saved: height 12.0 cm').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^applied, revision/).waitFor()
  const { spec } = await stored()
  await page.getByRole('button', { name: 'Undo the last change' }).click()
  await until(
    'the number as it was',
    async () => (await stored()).spec.priors.z_std_m,
    (m) => m === 0.1,
  )
  await until(
    'the field as it was',
    () => height.inputValue(),
    (text) => text === '10',
  )

  assert.deepEqual(spec, { ...before, priors: { ...before.priors, z_std_m: 0.12 } })
  assert.deepEqual((await stored()).spec, before)
})

test('a tag is ignored with why, from the link at a tag that hangs wrong', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/field/settings?ignore=7' })

  await page.getByRole('textbox', { name: 'Why' }).fill('hangs 5 cm too low')
  await page.keyboard.press('Enter')
  await page.getByText('Tag 7', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^applied, revision/).waitFor()

  assert.deepEqual((await stored()).spec.ignored, [{ tag_id: 7, why: 'hangs 5 cm too low' }])
})

test('a change of somebody else is there without loading again, and who was slower sees both', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/field/settings', expected: REFUSED })
  const tilt = page.getByRole('spinbutton', { name: 'Tilt' })
  await tilt.waitFor()

  await daemon.send('PUT', CONFIG, { priors: { tilt_std_deg: 5 } })
  await until(
    'what somebody else set',
    () => tilt.inputValue(),
    (text) => text === '5',
  )
  await tilt.fill('6')
  await daemon.send('PUT', CONFIG, { priors: { tilt_std_deg: 4 } })
  await page.getByText('To be saved: tilt 6.0 °').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Theirs: tilt 4.0 °').waitFor()
  await page.getByRole('button', { name: 'Set mine' }).click()
  await page.getByText(/^applied, revision/).waitFor()

  assert.equal((await stored()).spec.priors.tilt_std_deg, 6)
})

test('cameras are chosen, and of each that is not used the reason stands beside it', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/field/settings' })
  const all = page.getByRole('checkbox', { name: 'All, also those that come later' })
  await all.waitFor()

  await all.uncheck()
  await page.getByRole('checkbox', { name: 'Front', exact: true }).uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^applied, revision/).waitFor()
  await page.getByText('not chosen', { exact: true }).first().waitFor()

  assert.ok(!(await stored()).spec.streams.includes('front'))
  await daemon.send('PUT', CONFIG, {})
})

test('a refusal of the device is shown in its words', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/field/settings', expected: REFUSED })
  const wait = page.getByRole('spinbutton', { name: 'For other cameras' })
  await wait.waitFor()

  await wait.fill('1')
  await page.getByRole('button', { name: 'Save' }).click()
  const refusal = page.getByRole('alert')
  await refusal.waitFor()

  const { body } = await daemon.send<{ detail: string }>('PUT', CONFIG, { round_wait_ms: 1 })
  assert.ok((await refusal.textContent())?.includes(body.detail), body.detail)
})

for (const { name, viewport, colorScheme } of LOOKS)
  test(`localization can be set by everybody, ${colorScheme} on a ${name}`, async (t) => {
    const { page } = await openPage(t, daemon.url, { path: '/field/settings', viewport, colorScheme })
    await page.getByRole('heading', { name: 'Numbers' }).waitFor()

    assert.deepEqual(await inaccessible(page), [])
  })
