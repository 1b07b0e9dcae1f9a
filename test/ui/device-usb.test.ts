// USB, restarts and the boot firmware as people see them: in a real browser, from a real service on a made-up device.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inaccessible, LOOKS, openPage } from '../support/api/browser.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const lifetime = fileLifetime()
const shared = site(lifetime, undefined, { VEDETTE_ENGINE: 'fake' }).start({ device: 'fake' })
const hanging = site(lifetime, undefined, { VEDETTE_ENGINE: 'fake' }).start({ device: 'fake:camera-hangs' })

const mode = { pixel_format: 'mjpeg', width_px: 1280, height_px: 720, fps: 30 } as const

/** The camera in a device file. */
const cameraAt = async (daemon: Awaited<typeof shared>, device: string): Promise<string> => {
  const found = await until('the camera', async () => {
    const { items } = await daemon.get<{ items: { camera_uid: string; device: string }[] }>('/v1/peripherals/cameras')
    return items.find((each) => each.device === device)?.camera_uid
  })
  return found as string
}

test('a camera that hangs is power-cycled from the page, and gives pictures then', async (t) => {
  const daemon = await hanging
  const camera_uid = await cameraAt(daemon, '/dev/video0')
  await daemon.send('POST', '/v1/streams', { id: 'front', source: { backend: 'v4l2', camera_uid, ...mode } })
  await daemon.stream('front', 'backing-off')
  const { page } = await openPage(t, daemon.url, { path: '/device/usb' })
  const card = page.locator('.card', { has: page.getByRole('heading', { name: /of the controller usb1/ }) })
  await card.getByText('Acme HD Cam (1-1)').waitFor()
  await page.getByRole('row', { name: /camera \/dev\/video0, stream front/ }).waitFor()

  await card.getByRole('button', { name: 'Off and on' }).click()

  await card.getByText(/switched on; Acme HD Cam \(1-1\) is back\./).waitFor()
  await daemon.stream('front', 'live')
})

test('what speaks against it is asked about, and a change by another client appears by itself', async (t) => {
  const daemon = await shared
  const { page } = await openPage(t, daemon.url, { path: '/device/usb' })
  const card = page.locator('.card', { has: page.getByRole('heading', { name: /of the controller usb3/ }) })

  await card.getByRole('button', { name: 'Switch off' }).click()
  await page.getByText('The network interface eth1 (10.12.34.11) hangs on it.').waitFor()
  await page.getByRole('button', { name: 'Do it all the same' }).click()
  await card.getByText('switched off', { exact: true }).waitFor()

  await daemon.send('POST', '/v1/device/usb-power', { switch_id: 'usb3', action: 'on' })
  await card.getByText('has power').waitFor()
})

test('a restart of the device waits, and can be cancelled; firmware is staged for the next start', async (t) => {
  const daemon = await shared
  const camera_uid = await cameraAt(daemon, '/dev/video2')
  await daemon.addStream({ id: 'rear', source: { backend: 'v4l2', camera_uid, ...mode } })
  await daemon.send('POST', '/v1/streams/rear/recording/start', {})
  const { page } = await openPage(t, daemon.url, { path: '/device' })
  const card = page.locator('.card', { has: page.getByRole('heading', { name: 'Restart', exact: true }) })

  await card.getByRole('button', { name: 'Restart the device' }).click()
  await page.getByRole('button', { name: 'When nothing is interrupted' }).click()
  await card.getByText('it waits: rear is being recorded').waitFor()
  await card.getByRole('button', { name: 'Cancel', exact: true }).click()
  await card.getByText('The restart was cancelled.').waitFor()

  await page.getByRole('button', { name: 'Put it in at the next start' }).click()
  await page.getByText('The next start of the device puts it in.').waitFor()
})

for (const { name, viewport, colorScheme } of LOOKS)
  test(`the page of USB can be used by everybody, ${colorScheme} on a ${name}`, async (t) => {
    const daemon = await shared
    const { page } = await openPage(t, daemon.url, { viewport, colorScheme, path: '/device/usb' })
    await page.getByRole('heading', { name: /of the controller usb1/ }).waitFor()
    await page.getByRole('row', { name: /USB 10\/100\/1000 LAN/ }).waitFor()

    assert.deepEqual(await inaccessible(page), [])
  })
