// The room of the rig as people have it: that of the real service, in a real browser.
import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { CameraLayout } from '../../api/rig/wire.ts'
import { inaccessible, LOOKS, openPage } from '../support/api/browser.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const small = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 5 } as const
const POSE = { x_m: 0.2, y_m: 0.1, z_m: 0.3, roll_deg: 0, pitch_deg: 0, yaw_deg: 0 }

const lifetime = fileLifetime()
const withFakeEngines = () => site(lifetime, undefined, { VEDETTE_ENGINE: 'fake' }).start()
let daemon: Daemon
let back: Daemon
before(async () => {
  daemon = await withFakeEngines()
  await daemon.addStream({ id: 'front', alias: 'Front', source: small })
  back = await withFakeEngines()
  await back.addStream({ id: 'rear', alias: 'Rear', source: small })
  await daemon.send('POST', '/v1/peers', { base_url: back.url, name: 'comp-back' })
})
beforeEach(() => daemon.send('PUT', '/v1/streams/front/pose', POSE))

const poseNow = async (of: Daemon = daemon) => {
  const { cameras } = await of.get<CameraLayout>('/v1/device/camera-layout')
  return cameras[0]?.pose
}

const openRig = async (t: Parameters<typeof openPage>[0], options: Parameters<typeof openPage>[2] = {}) => {
  const { page } = await openPage(t, daemon.url, {
    path: '/rig?camera=stream-front',
    ...options,
  })
  await shows(page, 'Forward', '20')
  return page
}

const input = (page: Page, name: string) => page.getByLabel(new RegExp(`^${name}`))
const shows = (page: Page, name: string, value: string) =>
  until(
    `${value} at ${name}`,
    () => input(page, name).inputValue(),
    (now) => now === value,
  )

test('a camera is set by numbers, and the page says that it is applied', async (t) => {
  const page = await openRig(t)

  await input(page, 'Forward').fill('-12.5')
  await input(page, 'Pitch').fill('-15')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText(/^applied/).waitFor()

  assert.deepEqual(await poseNow(), { ...POSE, x_m: -0.125, pitch_deg: -15 })
})

test('a camera is moved and turned by keys alone', async (t) => {
  const page = await openRig(t)

  await page.getByRole('button', { name: 'Move Front' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+ArrowUp')
  await page.getByRole('button', { name: /^Turn Front/ }).focus()
  await page.keyboard.press('Shift+ArrowLeft')
  await shows(page, 'Yaw', '10')
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  await page.getByText(/^applied/).waitFor()

  assert.deepEqual(await poseNow(), { ...POSE, x_m: 0.3, y_m: 0.09, yaw_deg: 10 })
})

test('a camera is dragged, and Undo takes it back', async (t) => {
  const page = await openRig(t, { path: '/rig?camera=stream-front&side=side' })
  const mark = page.getByRole('button', { name: 'Move Front' })
  await mark.hover() // once it stands still
  const box = await mark.boundingBox()
  assert.ok(box)
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]

  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x - 20, y - 30, { steps: 3 })
  await page.mouse.up()

  await until(
    'another height',
    () => input(page, 'Up').inputValue(),
    (now) => Number(now) > 30,
  )
  await shows(page, 'Left', '10')
  assert.deepEqual(await poseNow(), POSE)
  await page.getByRole('button', { name: 'Undo' }).click()
  await shows(page, 'Up', '30')
})

test('what somebody else sets is there without loading again', async (t) => {
  const page = await openRig(t)

  await daemon.send('PUT', '/v1/streams/front/pose', { ...POSE, z_m: 0.77 })

  await shows(page, 'Up', '77')
})

test('who was slower sees both values, and may set theirs', async (t) => {
  const page = await openRig(t, { expected: [/409/] })
  await input(page, 'Forward').fill('5')

  await daemon.send('PUT', '/v1/streams/front/pose', { ...POSE, x_m: 0.4 })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText(/Theirs: 40\.0, 10\.0, 30\.0 cm.*Yours: 5\.0, 10\.0, 30\.0 cm/).waitFor()
  await page.getByRole('button', { name: 'Set mine' }).click()
  await page.getByText(/^applied/).waitFor()

  assert.deepEqual(await poseNow(), { ...POSE, x_m: 0.05 })
})

test('a camera of another device is set there, and the page says where it is applied', async (t) => {
  const page = await openRig(t)

  await page.getByRole('radio', { name: /Rear on comp-back/ }).check()
  await input(page, 'Up').fill('64')
  await page.getByRole('button', { name: 'Save on comp-back' }).click()
  await page.getByText(/^applied on comp-back/).waitFor()

  assert.equal((await poseNow(back))?.z_m, 0.64)
  await shows(page, 'Up', '64')
})

test('where a camera sits is forgotten', async (t) => {
  const page = await openRig(t)

  await page.getByRole('button', { name: 'Forget' }).click()

  await page.getByText(/^Nobody has said where it sits/).waitFor()
  assert.equal(await poseNow(), null)
})

test('the size of the robot is set in centimetres', async (t) => {
  const page = await openRig(t)

  await input(page, 'Length').fill('82')
  await page.getByRole('button', { name: 'Save size' }).click()
  await page.getByText(/^applied/).waitFor()

  const { robot } = await daemon.get<CameraLayout>('/v1/device/camera-layout')
  assert.equal(robot.length_m, 0.82)
})

for (const { name, viewport, colorScheme } of LOOKS)
  test(`the rig can be used by everybody, ${colorScheme} on a ${name}`, async (t) => {
    const page = await openRig(t, { viewport, colorScheme })

    assert.deepEqual(await inaccessible(page), [])
  })
