// The page about a first match, as a new team goes through it: a real service, a camera that is plugged in, a real
// browser. With PICTURES=1 it takes the pictures of the page.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { projectPath } from '../../native/files/project-root.ts'
import { openPage } from '../support/api/browser.ts'
import { emulatedUsb } from '../support/cameras/v4l2/cameras.ts'
import { cameraModels } from '../support/cameras/v4l2/models.ts'
import { site } from '../support/processes/daemon.ts'

const GUIDE = readFileSync(projectPath('docs/how-to/first-match.md'), 'utf8')

/** A name that the guide says, in bold; so the guide and the page cannot part. */
const said = (name: string): string => {
  assert.ok(GUIDE.includes(`**${name}**`), `the guide does not speak of ${name}`)
  return name
}

const take = async (page: Page, name: string): Promise<void> => {
  assert.ok(GUIDE.includes(`pictures/${name}.png`), name)
  if (process.env.PICTURES) await page.screenshot({ path: projectPath(`docs/pictures/${name}.png`) })
}

const go = (page: Page, room: string) =>
  page
    .getByRole('navigation', { name: 'Rooms', exact: true })
    .getByRole('link', { name: said(room) })
    .click()

test('a new team gets from plugging a camera in to a pose on the field', async (t) => {
  const usb = emulatedUsb(t)
  const daemon = await site(t, undefined, usb.environment).start({ nt4: 'serve:127.0.0.1:0' })
  const { page } = await openPage(t, daemon.url)
  await page.getByText('No camera is plugged in').waitFor()

  usb.plug(cameraModels.webCamera)
  await page.getByRole('heading', { name: said('Plugged in, not in use') }).waitFor()
  await page.getByRole('button', { name: new RegExp(`^${said('Start')} `) }).click()
  await page.getByText(said('live'), { exact: true }).first().waitFor()
  await page.getByText('robot linked').first().waitFor()
  await take(page, 'first-match-started')

  await page.getByRole('main').getByRole('heading', { level: 2 }).first().getByRole('link').click()
  await page.getByRole('tab', { name: said('Controls') }).click()
  await page.getByRole('slider', { name: said('Exposure time') }).waitFor()

  const made = await daemon.send('POST', '/v1/streams', {
    id: 'computed',
    alias: 'Computed',
    source: { backend: 'synthetic', width_px: 640, height_px: 400, fps: 10 },
  })
  assert.equal(made.status, 200)
  await go(page, 'Rig')
  await page.getByRole('radio', { name: /Computed/ }).check()
  for (const [name, value] of [
    ['Forward', '25'],
    ['Up', '60'],
    ['Pitch', '-10'],
  ] as const)
    await page.getByLabel(new RegExp(`^${name}`)).fill(value)
  await page.getByRole('button', { name: said('Save'), exact: true }).click()
  await page.getByText(/^applied/).waitFor()
  await take(page, 'first-match-rig')

  await go(page, 'Field')
  await page.getByRole('checkbox', { name: /Computed/ }).check()
  await page
    .locator('dd', { hasText: /\d\.\d\d\s?m/ })
    .first()
    .waitFor()
  await take(page, 'first-match-field')

  await go(page, 'NT4')
  await page.getByRole('heading', { name: 'NT4', level: 1 }).waitFor()
  for (const name of ['Media', 'Errors', 'Settings'] as const) {
    await go(page, name)
    await page.getByRole('heading', { level: 1 }).waitFor()
  }
})
