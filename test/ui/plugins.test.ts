// The way of somebody who has a plugin and nothing but the page: added, looked at, granted, installed, watched,
// disabled, removed: on the real service, in a real browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inaccessible, LOOKS, openPage } from '../support/api/browser.ts'
import { add, device, frameOf, ownPanel, PANEL_PAGE, plot, upload } from '../support/plugins/on-the-page.ts'

test('a plugin is added, granted, installed, watched, disabled, enabled and removed on the page alone', async (t) => {
  const { url } = await device(t)
  const { page } = await openPage(t, url, { path: '/plugins' })
  await page.getByText('No plugin is installed').waitFor()

  await add(page, await plot())
  const card = page.locator('section', { has: page.getByRole('heading', { name: 'Plot of an output 1.0.0' }) })
  await card.getByText('a panel on this page: Plot').waitFor()
  const grant = card.getByRole('checkbox', { name: 'See what the device sees' })
  assert.equal(await grant.isChecked(), false)
  await grant.check()
  await card.getByRole('button', { name: 'Install' }).click()

  await page.getByRole('heading', { name: 'Plot of an output', level: 1 }).waitFor()
  await frameOf(page, 'Plot')
    .getByText(/^tags: rows is \d+$/)
    .waitFor()
  await page.getByRole('button', { name: 'Disable' }).click()
  await page.getByRole('button', { name: 'Enable' }).waitFor()
  assert.equal(await page.locator('iframe').count(), 0)
  await page.getByRole('button', { name: 'Enable' }).click()
  await frameOf(page, 'Plot')
    .getByText(/^tags: rows is \d+$/)
    .waitFor()

  await page.getByRole('button', { name: 'Remove' }).click()
  await page
    .getByRole('dialog', { name: 'Remove Plot of an output?' })
    .getByRole('button', { name: 'Remove it' })
    .click()
  await page.getByText('No plugin is installed').waitFor()
  await card.getByRole('button', { name: 'Install' }).waitFor() // the package is there, and can be installed again
})

test('what is changed by others shows by itself, without a question of the page', async (t) => {
  const daemon = await device(t)
  let news = 0
  const { page, requests } = await openPage(t, daemon.url, {
    path: '/plugins',
    prepare: async (opened) => {
      opened.on('websocket', (socket) =>
        socket.on('framereceived', ({ payload }) => {
          if (/"kind":"(plugin|health)_changed"/.test(String(payload))) news += 1
        }),
      )
    },
  })
  await page.getByText('No plugin is installed').waitFor()
  await upload(daemon, await plot())

  await daemon.send('POST', '/v1/plugins/install', { upload: 'output-plot-1.0.0', grant: ['read'] })

  await page.getByRole('link', { name: 'Plot of an output' }).waitFor()
  await page.getByText('1 of 1 granted').waitFor()
  const before = { asked: requests().asked.length, news }
  await daemon.send('POST', '/v1/plugins/output-plot/disable', {})
  await page.getByText('disabled', { exact: true }).waitFor()
  const asked = requests().asked.slice(before.asked)
  const told = 1 + news - before.news // one may have been told just before
  assert.ok(asked.length <= told, `${asked}, after ${told} pieces of news`)
})

test('a package that is none is refused with the sentence of the device', async (t) => {
  const { url } = await device(t)
  const { page } = await openPage(t, url, { path: '/plugins', expected: [/400/] })
  await page.getByText('No plugin is installed').waitFor()

  await add(page, { name: 'letter.zip', mimeType: 'application/zip', buffer: Buffer.from('Dear device') })

  await page.getByText('letter.zip was not taken.').waitFor()
})

test('somebody begins a plugin of their own, and takes it along', async (t) => {
  const { url } = await device(t)
  const { page } = await openPage(t, url, { path: '/plugins' })
  await page.getByLabel('Name').fill('my-plugin')
  await page.getByLabel('What it is').selectOption({ label: 'A panel on this page' })
  await page.getByRole('button', { name: 'Make the project' }).click()

  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download the project' }).click()

  assert.equal((await download).suggestedFilename(), 'my-plugin.zip')
  await page.getByText('node --test').waitFor()
})

test('the room can be used by everybody, in both colours and on a phone', async (t) => {
  const daemon = await device(t)
  const both = [await plot(), await ownPanel(t, { 'index.html': PANEL_PAGE, 'a.js': '' })]
  for (const each of both) await upload(daemon, each)
  await daemon.send('POST', '/v1/plugins/install', { upload: 'output-plot-1.0.0', grant: ['read'] })
  for (const { name, viewport, colorScheme } of LOOKS) {
    const { page } = await openPage(t, daemon.url, { path: '/plugins', viewport, colorScheme })
    await page.getByRole('checkbox').waitFor()
    assert.deepEqual(await inaccessible(page), [], `list, ${name}, ${colorScheme}`)
    await page.getByRole('link', { name: 'Plot of an output' }).click()
    await frameOf(page, 'Plot')
      .getByText(/^tags: rows is \d+$/)
      .waitFor()
    assert.deepEqual(await inaccessible(page), [], `plugin, ${name}, ${colorScheme}`)
  }
  const { url } = await daemon.get<{ readonly url: string }>('/v1/plugins/output-plot/panel')
  const { page } = await openPage(t, daemon.url, { path: url })
  assert.deepEqual(await inaccessible(page), [], 'the panel')
})
