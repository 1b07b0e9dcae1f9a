// Two streams side by side on the page of the real service, in a real browser.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { inaccessible, LOOKS, openPage } from '../support/api/browser.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'

const source = { backend: 'synthetic', width_px: 480, height_px: 300, fps: 8, motion: 'orbit' } as const
const lifetime = fileLifetime()
let daemon: Daemon

before(async () => {
  daemon = await site(lifetime).start()
  await daemon.addStream({ id: 'front', alias: 'Front', source })
  await daemon.addStream({ id: 'back', alias: 'Back', source: { ...source, fps: 4 } })
})

test('two streams stand side by side with their figures, and what tells them apart', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/streams/compare?left=front&right=back' })
  const [left, right] = [page.getByLabel('Left stream'), page.getByLabel('Right stream')]

  await left.getByRole('img', { name: 'Front', exact: true }).waitFor()
  await right.getByRole('img', { name: 'Back', exact: true }).waitFor()
  await page.getByText(/\d+ ms apart/).waitFor()
  await left
    .getByText(/^\d\.\d\dm$/)
    .first()
    .waitFor()
})

test('the same stream stands on both sides, of the same frame or so many apart', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/streams/compare?left=front&right=back' })

  await page.getByRole('combobox', { name: 'Right' }).selectOption({ label: 'Front' })
  await page.getByText(/the same frame|\d+ frames? apart/).waitFor()

  assert.equal(new URL(page.url()).searchParams.get('right'), 'front')
})

test('the page can be used by everybody, in each look', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/streams/compare' })
  await page.getByRole('heading', { name: 'Left less right' }).waitFor()

  for (const { name, viewport, colorScheme } of LOOKS) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    assert.deepEqual(await inaccessible(page), [], `${colorScheme} on a ${name}`)
  }
})
