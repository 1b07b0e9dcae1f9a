// Panels of plugins in a real browser: what they show, what they may ask, and what they cannot do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPage } from '../support/api/browser.ts'
import { add, device, frameOf, ownPanel, PANEL_PAGE, upload } from '../support/plugins/on-the-page.ts'
import { tokenOf } from '../support/processes/told-token.ts'

test('a panel that was granted nothing is told so, and what it may do is changed on its page', async (t) => {
  const { url } = await device(t)
  const { page } = await openPage(t, url, { path: '/plugins' })
  const script = `
    import { panel } from './vedette-panel.js'
    const said = document.getElementById('said')
    panel.read('/v1/streams').then(({ items }) => { said.textContent = 'read ' + items.length }, (error) => {
      said.textContent = error.code
    })`
  const html =
    '<!doctype html><html lang="en"><title>Own</title><p id="said"></p><script type="module" src="a.js"></script>'
  await add(page, await ownPanel(t, { 'index.html': html, 'a.js': script }))
  await page.getByRole('button', { name: 'Install' }).click()

  await frameOf(page, 'Own').getByText('panel.not_granted').waitFor()
  await page.getByRole('button', { name: 'Change what it may do' }).click()
  await page.getByRole('checkbox', { name: 'See what the device sees' }).check()
  await page.getByRole('button', { name: 'Start it again with this' }).click()

  await frameOf(page, 'Own').getByText('read 1').waitFor()
})

/** Tries all that a panel must not be able to do, and says what came of each. */
const BURGLAR = `
  import { panel } from './vedette-panel.js'
  const tries = {
    api: () => fetch('/v1/streams'),
    change: () => fetch('/v1/plugins/own-panel/disable', { method: 'POST', credentials: 'include' }),
    elsewhere: () => fetch('http://127.0.0.1:1/'),
    cookie: () => document.cookie,
    storage: () => localStorage.length,
    page: () => parent.document.title,
    top: () => { top.location.href = '/settings' },
    secret: () => panel.read('/v1/peers/trust'),
    around: () => panel.read('/v1/streams/../session'),
    listed: () => panel.read('/v1/plugins'),
  }
  const done = []
  for (const [name, act] of Object.entries(tries)) {
    try {
      await act()
      done.push(name)
    } catch {}
  }
  parent.postMessage({ vedette: 'ready' }, '*') // once is enough
  const allowed = await panel.read('/v1/streams')
  document.getElementById('said').textContent = 'could: ' + done.join(',') + '; streams: ' + allowed.items.length
`

/** What a browser says of that itself. */
const OF_THE_BURGLAR = [/Content Security Policy/, /Unsafe attempt to initiate navigation/, /net::ERR_BLOCKED_BY_CSP/]
test('in locked a panel shows what is granted, and can do nothing in the name of who looks at it', async (t) => {
  const daemon = await device(t, { profile: 'locked' })
  const { page } = await openPage(t, daemon.url, {
    path: '/plugins',
    expected: [/401/, /403/, /WebSocket/, ...OF_THE_BURGLAR],
  })
  const form = page.getByRole('dialog', { name: 'Sign in' })
  await form.getByLabel('Token').fill(tokenOf(daemon))
  await form.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('No plugin is installed').waitFor()

  await add(page, await ownPanel(t, { 'index.html': PANEL_PAGE, 'a.js': BURGLAR }))
  await page.getByRole('checkbox', { name: 'See what the device sees' }).check()
  await page.getByRole('button', { name: 'Install' }).click()

  await frameOf(page, 'Own').getByText('could: ; streams: 1').waitFor()
  await page.getByRole('button', { name: 'Disable' }).waitFor() // it is enabled still
})

test("a panel that is opened by itself has an origin that is nobody's", async (t) => {
  const daemon = await device(t)
  const own = await ownPanel(t, {
    'index.html': PANEL_PAGE,
    'a.js': `document.getElementById('said').textContent = 'origin ' + self.origin`,
  })
  await upload(daemon, own)
  await daemon.send('POST', '/v1/plugins/install', { upload: 'own-panel-1.0.0' })
  const { url } = await daemon.get<{ readonly url: string }>('/v1/plugins/own-panel/panel')

  const { page } = await openPage(t, daemon.url, { path: url })

  await page.getByText('origin null').waitFor()
})

test('the program of a plugin and its panel speak with each other, and the page shows what it prints', async (t) => {
  const { url } = await device(t)
  const { page } = await openPage(t, url, { path: '/plugins' })
  const panel = `
    import { panel } from './vedette-panel.js'
    panel.onMessage(({ heard }) => { document.getElementById('said').textContent = 'program heard ' + heard })
    const again = setInterval(() => panel.send({ text: 'hello' }).then(() => clearInterval(again), () => {}), 100)`
  const program = `
    import { plugin } from 'vedette-plugin'
    plugin.start({
      onPanel: ({ text }) => {
        plugin.log('info', 'a panel says ' + text)
        plugin.panel({ heard: text })
      },
    })`
  const files = { 'index.html': PANEL_PAGE, 'a.js': panel }
  await add(page, await ownPanel(t, files, program))
  await page.getByRole('button', { name: 'Install' }).click()

  await frameOf(page, 'Own').getByText('program heard hello').waitFor()
  await page.getByRole('log', { name: 'What it says' }).getByText('info: a panel says hello').waitFor()
  const held = page.getByRole('list', { name: 'How it is confined' })
  await held.getByText('network').waitFor()
  assert.ok((await held.getByRole('listitem').count()) >= 5)
})

test('a panel that says too much is closed, and can be opened again', async (t) => {
  const { url } = await device(t)
  const { page } = await openPage(t, url, { path: '/plugins' })
  const script = `
    import { panel } from './vedette-panel.js'
    for (let n = 0; n < 1000; n += 1) panel.setHeight(100 + n % 2)
    document.getElementById('said').textContent = 'flooding'`
  await add(page, await ownPanel(t, { 'index.html': PANEL_PAGE, 'a.js': script }))
  await page.getByRole('button', { name: 'Install' }).click()

  await page.getByText('This panel was closed: it sends more messages than anybody needs').waitFor()
  assert.equal(await page.locator('iframe').count(), 0)
})
