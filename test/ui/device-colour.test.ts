// Colour as people see it: in a real browser, from a real service on a made-up device.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inaccessible, LOOKS, openPage } from '../support/api/browser.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { grayPng } from '../support/media/png.ts'
import { site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const lifetime = fileLifetime()
const shared = site(lifetime, undefined, { VEDETTE_ENGINE: 'fake' }).start({ device: 'fake' })

const PICTURE = { name: 'chart.png', mimeType: 'image/png', buffer: grayPng(320, 240) }

test('a picture of a chart becomes a matrix, is written with the restart said, and is taken back', async (t) => {
  const daemon = await shared
  const { page } = await openPage(t, daemon.url, { path: '/device/colour' })
  await page.getByText('libcamera reads /usr/share/libcamera/ipa/rpi/vc4/imx219.json.').waitFor()

  await page.getByLabel('Picture', { exact: true }).selectOption('a picture file')
  await page.getByText('Choose a picture first.').waitFor()
  await page.getByLabel('File', { exact: true }).setInputFiles(PICTURE)
  await page.getByRole('button', { name: 'Find the chart' }).click()
  await page.getByText('Say the colour temperature of the light').waitFor()
  await page.getByText('shown only').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Write the matrix' }).count(), 0)

  await page.getByLabel('Temperature of the light').fill('4000')
  await page.getByRole('button', { name: 'Find the chart' }).click()
  await page.getByText('can be written').waitFor()
  assert.match(
    (await page.getByRole('listitem').filter({ hasText: 'yellow green' }).textContent()) ?? '',
    /\d\.\d → \d\.\d/,
  )
  await page.getByRole('button', { name: 'Write the matrix' }).click()

  await page.getByText('No stream was restarted: none has a camera that is not on USB').waitFor()
  await page.getByText('3 matrices: 2850 K, 4000 K, 5600 K').waitFor()
  await page.getByText('our matrix').waitFor()
  await page.getByRole('button', { name: 'Remove the copy' }).click()
  await page.getByText('2 matrices: 2850 K, 5600 K').waitFor()
})

test('the corners of a chart are clicked, or typed; a change by another client appears by itself', async (t) => {
  const daemon = await shared
  const { page } = await openPage(t, daemon.url, { path: '/device/colour' })
  await page.getByLabel('Picture', { exact: true }).selectOption('a picture file')
  await page.getByLabel('File', { exact: true }).setInputFiles(PICTURE)
  const picture = page.getByRole('img', { name: 'The chosen one' })
  const corners = page.getByLabel('Corners of the patches')
  await until('the picture to be there, which then takes a click', async () => {
    await picture.click()
    return (await corners.inputValue()) !== ''
  })
  await corners.fill('')
  const { width = 0, height = 0 } = (await picture.boundingBox()) ?? {}
  for (const [x, y] of [
    [0.25, 0.25],
    [0.75, 0.25],
    [0.75, 0.75],
    [0.25, 0.75],
  ] as const)
    await picture.click({ position: { x: x * width, y: y * height } })
  assert.match(await corners.inputValue(), /^(80|79|81),\d+; \d+,\d+; \d+,\d+; \d+,\d+$/)

  await corners.fill('1,2')
  assert.equal(await page.getByRole('button', { name: 'Find the chart' }).getAttribute('aria-disabled'), 'true')
  await corners.fill('80,60; 240,60; 240,180; 80,180')
  await page.getByRole('button', { name: 'Find the chart' }).click()
  await page.getByText('What it comes to').waitFor()

  const ccm = [1.5, -0.4, -0.1, -0.3, 1.4, -0.1, 0, -0.5, 1.5]
  await daemon.send('POST', '/v1/device/ipa/ccm', { ct: 7000, ccm })
  await page.getByText('3 matrices: 2850 K, 5600 K, 7000 K').waitFor()
  await daemon.send('POST', '/v1/device/ipa/ccm', { remove: true })
  await page.getByText('2 matrices: 2850 K, 5600 K').waitFor()
})

for (const { name, viewport, colorScheme } of LOOKS)
  test(`the page of colours can be used by everybody, ${colorScheme} on a ${name}`, async (t) => {
    const daemon = await shared
    const { page } = await openPage(t, daemon.url, { viewport, colorScheme, path: '/device/colour' })
    await page.getByText('libcamera reads').waitFor()
    assert.deepEqual(await inaccessible(page), [])

    await page.getByLabel('Picture', { exact: true }).selectOption('a picture file')
    await page.getByLabel('File', { exact: true }).setInputFiles(PICTURE)
    await page.getByRole('button', { name: 'Find the chart' }).click()
    await page.getByText('What it comes to').waitFor()
    await page.getByText(/^2 matrices/).click()
    await page.getByText('The matrix', { exact: true }).click()

    assert.deepEqual(await inaccessible(page), [])
  })
