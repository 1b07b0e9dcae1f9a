// How the device does, as people see it: in a real browser, from a real service on a made-up device.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inaccessible, LOOKS, openPage } from '../support/api/browser.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { site } from '../support/processes/daemon.ts'

const { start } = site(fileLifetime())
const shared = start({ device: 'fake:under-voltage,full-disk,hot', engine: 'fake' })

test('what is wrong is said first, in words, and the figures are those of the interface', async (t) => {
  const daemon = await shared
  const { page } = await openPage(t, daemon.url, { path: '/device/health' })

  await page.getByRole('heading', { name: 'Health of the device' }).waitFor()
  await page.getByText(/of the disk are left: recordings end/).waitFor()
  await page
    .getByText(/The processor is so warm|The supply of the device is too weak/)
    .first()
    .waitFor()

  const { model } = await daemon.get<{ model: string }>('/v1/device/os')
  await page.getByText(model, { exact: true }).waitFor()
  const { rails } = await daemon.get<{ rails: readonly { readonly name: string }[] }>('/v1/device/power')
  await page.getByRole('rowheader', { name: rails[0]?.name as string }).waitFor()
  await page.getByRole('rowheader', { name: 'The service itself' }).waitFor()
  await page.getByRole('heading', { name: 'pwmfan' }).waitFor()
  for (const name of ['Processor', 'Temperature', 'Memory', 'Programs wait', 'Network'])
    await page.getByRole('img', { name: new RegExp(`^${name} over the last ten minutes`) }).waitFor()
})

test('the figures go on by themselves', async (t) => {
  const daemon = await shared
  const { page, requests } = await openPage(t, daemon.url, { path: '/device/health' })
  const asked = () => requests().asked.filter((each) => each === 'GET /v1/device/metrics').length
  await page.getByRole('rowheader', { name: 'The service itself' }).waitFor()
  const before = asked()

  for (let more = 0; more < 2; more += 1)
    await page.waitForResponse((response) => response.url().includes('/v1/device/metrics'))

  assert.ok(asked() >= before + 1)
})

for (const { name, viewport, colorScheme } of LOOKS)
  test(`the health of the device can be seen by everybody, ${colorScheme} on a ${name}`, async (t) => {
    const daemon = await shared
    const { page } = await openPage(t, daemon.url, { viewport, colorScheme, path: '/device/health' })
    await page.getByRole('rowheader', { name: 'The service itself' }).waitFor()
    await page.getByRole('heading', { name: 'pwmfan' }).waitFor()
    await page.getByText('Made-up Linux 1 (nowhere)').waitFor()

    assert.deepEqual(await inaccessible(page), [])
  })
