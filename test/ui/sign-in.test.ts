// Signing in on a device that answers only those who have its token, in a real browser.
import { test } from 'node:test'
import { openPage } from '../support/api/browser.ts'
import { site } from '../support/processes/daemon.ts'
import { tokenOf } from '../support/processes/told-token.ts'

const small = { backend: 'synthetic', width_px: 320, height_px: 240, fps: 5 } as const
/** Browsers complain of each refusal themselves. */
const REFUSED = [/401/, /403/, /WebSocket/]

test('a locked device asks for its token, and is seen with the right one', async (t) => {
  const place = site(t, undefined, { VEDETTE_ENGINE: 'fake' })
  const open = await place.start({ profile: 'bench' })
  await open.addStream({ id: 'front', alias: 'Front', source: small })
  await open.end('SIGTERM')
  const daemon = await place.start({ profile: 'locked' })
  const { page } = await openPage(t, daemon.url, { expected: REFUSED })
  const form = page.getByRole('dialog', { name: 'Sign in' })

  await form.getByText('This device is locked').waitFor()
  await page.keyboard.press('Escape')
  await form.getByLabel('Token').fill('another')
  await form.getByRole('button', { name: 'Sign in' }).click()
  await form.getByText('That is not the token of this device').waitFor()
  await form.getByLabel('Token').fill(tokenOf(daemon))
  await form.getByRole('button', { name: 'Sign in' }).click()

  await page.getByRole('heading', { name: 'Front' }).waitFor()
  await form.waitFor({ state: 'detached' })
  await page.reload({ waitUntil: 'domcontentloaded' })
  await page.getByRole('heading', { name: 'Front' }).waitFor()
})
