// The maps of the field as people have them: on the page of the real service, in a real browser.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { inaccessible, LOOKS, openPage } from '../support/api/browser.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'

const REFUSED = [/Failed to load resource/, /answer: 4\d\d/] // browsers complain of each refusal themselves
const lifetime = fileLifetime()
let daemon: Daemon
before(async () => {
  daemon = await site(lifetime, undefined, { VEDETTE_ENGINE: 'fake' }).start()
})

const layout = (height_m: number) => ({
  tags: [
    {
      ID: 3,
      pose: {
        translation: { x: 0, y: 2.75, z: height_m },
        rotation: { quaternion: { W: 1, X: 0, Y: 0, Z: 0 } },
      },
    },
  ],
  field: { length: 9, width: 5.5 },
})

const fmap = {
  type: 'frc',
  fiducials: [
    {
      family: 'apriltag3_36h11_classic',
      id: 3,
      size: 165.1,
      unique: 1,
      transform: [1, 0, 0, -4.5, 0, 1, 0, 0, 0, 0, 1, 1.2, 0, 0, 0, 1],
    },
  ],
}

const choose = (page: Page, name: string, json: unknown) =>
  page
    .getByLabel('Choose a map file')
    .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(json)) })

const mapOf = (id: string) =>
  daemon.get<{ readonly name: string; readonly length_m: number }>(`/v1/localization/maps/${id}`)

test('the map of a gym is uploaded by its file, is drawn, and replaces another one only when told to', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/field/maps', expected: REFUSED })
  await page.getByRole('radio', { name: /Demo field/ }).waitFor()

  await choose(page, 'Our gym.json', layout(1.2))
  await page.getByText(/1 tag, read as WPILib’s AprilTag layout; 9\.000 × 5\.500 m, as the file says\./).waitFor()
  await page.getByRole('heading', { name: 'Our gym', level: 2 }).waitFor()
  await page.getByRole('img', { name: /^Our gym from above/ }).waitFor()
  const { name } = await mapOf('our-gym')
  await choose(page, 'Our gym.json', layout(1.3))
  await page.getByRole('button', { name: 'Replace the map that is there' }).click()
  await page.getByText('stored', { exact: true }).waitFor()

  assert.equal(name, 'Our gym')
  assert.equal(new URL(page.url()).searchParams.get('map'), 'our-gym')
  const { tags } = await daemon.get<{ readonly tags: readonly { readonly pose: object }[] }>(
    '/v1/localization/maps/our-gym',
  )
  assert.deepEqual(
    tags.map(({ pose }) => (pose as { readonly z_m: number }).z_m),
    [1.3],
  )
})

test('what is wrong with a file stands beside its place in it', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/field/maps', expected: REFUSED })
  await page.getByLabel('Choose a map file').waitFor({ state: 'attached' })
  const [tag] = layout(1).tags

  await choose(page, 'twice.json', { ...layout(1), tags: [tag, tag] })
  const flaw = page.locator('.field-flaws').getByRole('listitem')
  await flaw.first().waitFor()

  assert.match(String(await flaw.first().textContent()), /^\/tags\/1\/ID /)
})

test('a form that does not say how large its field is, is asked for that', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/field/maps', expected: REFUSED })
  await page.getByLabel('Choose a map file').waitFor({ state: 'attached' })

  await choose(page, 'hall.fmap', fmap)
  await page.getByText('how large is it?', { exact: true }).waitFor()
  await page.getByRole('spinbutton', { name: 'Length' }).fill('9')
  await page.getByRole('spinbutton', { name: 'Width' }).fill('5.5')
  await page.keyboard.press('Enter')
  await page.getByText(/read as the vendor’s \.fmap; 9\.000 × 5\.500 m, as you have said/).waitFor()

  assert.equal((await mapOf('hall')).length_m, 9)
})

test('a map is used for everything with one press, and can be had in each form', async (t) => {
  await daemon.addStream({ id: 'front', alias: 'Front', source: { backend: 'synthetic' } })
  const { page } = await openPage(t, daemon.url, { path: '/field/maps?map=2026-welded' })

  await page.getByRole('button', { name: /^Use 2026 .* for everything$/ }).click()
  await page.getByText(/Used by .*Front/).waitFor()
  const forms = await page.locator('a[download]').evaluateAll((links) => links.map((link) => link.getAttribute('href')))

  assert.equal((await daemon.stream('front', 'live')).spec.map_id, '2026-welded')
  assert.equal(forms.length, 4)
  for (const path of forms) await daemon.get(String(path))
})

test('a map that somebody else uploads is there without loading again', async (t) => {
  const { page } = await openPage(t, daemon.url, { path: '/field/maps' })
  await page.getByRole('radio', { name: /Demo field/ }).waitFor()

  await fetch(`${daemon.url}/v1/localization/maps/upload?name=Shop`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(layout(1.1)),
  })

  await page.getByRole('radio', { name: /Shop/ }).waitFor()
})

for (const { name, viewport, colorScheme } of LOOKS)
  test(`the maps can be used by everybody, ${colorScheme} on a ${name}`, async (t) => {
    const { page } = await openPage(t, daemon.url, { path: '/field/maps', viewport, colorScheme })
    await page.getByRole('img', { name: /from above/ }).waitFor()

    assert.deepEqual(await inaccessible(page), [])
  })

for (const { name, viewport, colorScheme } of LOOKS)
  test(`the sources can be used by everybody, ${colorScheme} on a ${name}`, async (t) => {
    const body = {
      kind: 'relative',
      origin: 'own',
      time_base: 'age_us',
      outputs: [{ output_key: 'pose', data_type: 'pose' }],
    }
    await daemon.send('PUT', '/v1/localization/external/sources/headset', body)
    const { page } = await openPage(t, daemon.url, { path: '/field/sources', viewport, colorScheme })
    await page.getByText('It says how the robot moves').waitFor()
    await page.getByText('It is declared to be shown, not to count.').waitFor()

    assert.deepEqual(await inaccessible(page), [])
  })
