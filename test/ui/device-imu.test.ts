// The IMU as people see it: in a real browser, from a real service on a made-up device.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inaccessible, LOOKS, openPage } from '../support/api/browser.ts'
import { pointsOf } from '../support/api/canvas.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const lifetime = fileLifetime()
/** A robot whose cameras drive nowhere; without one of those it turns in every other half minute. */
const STANDING = {
  backend: 'synthetic',
  motion: 'drive',
  drive: { seed: 1, speed_m_s: 0, spin_deg_s: 0 },
} as const
const shared = (async () => {
  const daemon = await site(lifetime, undefined, { VEDETTE_ENGINE: 'fake' }).start({ device: 'fake' })
  await daemon.addStream({ id: 'front', source: STANDING, map_id: '2026-welded' })
  return daemon
})()
const ROW = '/v1/device/imu'
const READ_BACK = /willReadFrequently/ // what the browser advises a page that reads its own pictures, as tests do

const TOP = '#c3ccc7'
const BOTTOM = '#4a544d'

const A_FACE = 1_000 // points

test('the box lies as the IMU says, and is turned over when the board is said to sit upside down', async (t) => {
  const daemon = await shared
  const { page } = await openPage(t, daemon.url, { path: '/device/imu', expected: [READ_BACK] })
  await page.getByText('running', { exact: true }).waitFor()
  const box = page.getByRole('img', { name: /^The robot as the IMU says it is turned: roll 0/ })
  await until(
    'the top of the box',
    () => pointsOf(box, TOP),
    (count) => count > A_FACE,
  )
  assert.equal(await pointsOf(box, BOTTOM), 0)

  await page.getByLabel('Axes of the chip point').selectOption({ label: 'x forward, z down' })

  await page.getByText(/^applied, revision \d+$/).waitFor()
  const turned = page.getByRole('img', { name: /turned: roll −?1(79|80),/ })
  await until(
    'the bottom of the box',
    () => pointsOf(turned, BOTTOM),
    (count) => count > A_FACE,
  )
  assert.equal(await pointsOf(turned, TOP), 0)
  await daemon.send('PATCH', ROW, { mount: 'x_forward_z_up' })
  await page.getByRole('img', { name: /turned: roll 0/ }).waitFor()
  await page.getByRole('img', { name: /^Forces over the last 10 seconds/ }).waitFor()
})

test('the bias is measured by a job that says what to do, and is forgotten', async (t) => {
  const daemon = await shared
  const { page } = await openPage(t, daemon.url, { path: '/device/imu' })
  await page.getByText('Nothing was measured.').waitFor()
  await page.getByText('holds still', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Measure the bias' }).click()

  await page.getByText('Leave the robot alone.').waitFor()
  await page.getByText(/^Measured .* Along the axes of the chip\.$/).waitFor()
  const { bias } = await daemon.get<{ bias: { imu: string } | null }>(ROW)
  assert.equal(bias?.imu, 'fake:imu')
  await page.getByRole('button', { name: 'Forget it' }).click()
  await page.getByText('Nothing was measured.').waitFor()
})

test('settings are changed with a revision, and followed when others change them', async (t) => {
  const daemon = await shared
  const { page } = await openPage(t, daemon.url, { path: '/device/imu' })
  const rate = page.getByLabel('Samples', { exact: true })
  await rate.fill('100')
  await rate.press('Enter')
  await page.getByText(/^applied, revision \d+$/).waitFor()
  await until('the rate', async () => (await daemon.get<{ rate_hz: number | null }>(ROW)).rate_hz === 100)

  await daemon.send('PATCH', ROW, { enabled: false })
  await page.getByText('switched off', { exact: true }).waitFor()
  assert.equal(await page.getByLabel('Use the IMU').isChecked(), false)
  await page.getByLabel('Use the IMU').click()
  await page.getByText('running', { exact: true }).waitFor()
})

test('where there is none, the page says where it was looked', async (t) => {
  const { url } = await site(t, undefined, { VEDETTE_ENGINE: 'fake' }).start({ device: 'fake:no-imu' })
  const { page, requests } = await openPage(t, url, {
    path: '/device/imu',
    expected: [/503 to GET .*imu/, /Failed to load resource/],
  })
  await page.getByRole('heading', { name: 'There is no IMU' }).waitFor()
  await page.getByText('No IMU was found').waitFor()
  const asked = requests().asked.filter((each) => each.endsWith(ROW)).length
  await page.getByRole('link', { name: 'I2C', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'I2C' }).waitFor()
  assert.ok(asked <= 3, `it asked ${asked} times for what is not there`)
})

for (const { name, viewport, colorScheme } of LOOKS)
  test(`the IMU can be followed by everybody, ${colorScheme} on a ${name}`, async (t) => {
    const daemon = await shared
    const { page } = await openPage(t, daemon.url, { viewport, colorScheme, path: '/device/imu' })
    await page.getByRole('heading', { name: 'Forces' }).waitFor()

    assert.deepEqual(await inaccessible(page), [])
  })
