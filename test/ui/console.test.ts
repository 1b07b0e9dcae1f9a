// A shell on the device, as people have it: in a real browser, from a real service, with real programs.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Locator, Page, WebSocketRoute } from 'playwright-core'
import { inaccessible, LOOKS, openPage, SIZES } from '../support/api/browser.ts'
import { fileLifetime } from '../support/lifetime.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'
import { until } from '../support/until.ts'

const { dataDir, start } = site(fileLifetime())
const shared = start()

/** What the terminal shows now, line by line. */
const screen = async (page: Page): Promise<string> =>
  (await page.locator('.xterm-rows > div').allTextContents())
    .map((line) => line.replaceAll('\u00a0', ' ').trimEnd())
    .join('\n')
    .trimEnd()

const shows = (page: Page, text: string | RegExp) =>
  until(
    `the terminal to show ${text}`,
    () => screen(page),
    (shown) => (typeof text === 'string' ? shown.includes(text) : text.test(shown)),
  )

const type = (page: Page, text: string) => page.keyboard.type(text)

const sessionsOf = async (daemon: Daemon) =>
  (
    await daemon.get<{ items: readonly { session_id: string; columns: number; rows: number }[] }>(
      '/v1/console/sessions',
    )
  ).items

/** A page with a shell whose prompt is `$ `. */
const openShell = async (t: Parameters<typeof openPage>[0]): Promise<{ page: Page; daemon: Daemon }> => {
  const daemon = await shared
  const { page } = await openPage(t, daemon.url, { path: '/console' })
  await page.getByRole('button', { name: 'Open a shell' }).click()
  await page.locator('.xterm-helper-textarea').waitFor()
  await until('the session', async () => (await sessionsOf(daemon)).length)
  await type(page, 'exec env -i TERM=$TERM PATH=$PATH LANG=C.UTF-8 bash --norc --noprofile\n')
  await type(page, "PS1='ready> '\n")
  await shows(page, 'ready>')
  return { page, daemon }
}

const endAll = async (page: Page) => {
  const ends = page.getByRole('button', { name: /^End / })
  await ends.first().waitFor()
  for (const name of await ends.allTextContents()) await page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('list', { name: 'Sessions' }).waitFor({ state: 'detached' })
}

test('a shell is opened, shows what is typed in any script, and is ended with a button', async (t) => {
  const { page } = await openShell(t)

  await type(page, "printf '%s\\n' zur\\ Höhe 日本語 🤖 | cat -n\n")

  await shows(page, 'zur Höhe')
  await shows(page, '日本語')
  await shows(page, '🤖')
  await endAll(page)
  await page.getByText('The session has ended: somebody ended it.').waitFor()
})

test('a file is written with vi, and the terminal follows the size of the window', async (t) => {
  const { page, daemon } = await openShell(t)
  const path = join(dataDir, 'by-vi')

  await type(page, `vi -u NONE ${path}\n`)
  await shows(page, /^~$/m) // an empty line of vi, and not the place in a prompt
  await type(page, 'iThe robot drives.')
  await page.keyboard.press('Escape')
  await type(page, ':wq\n')
  await until('the file', async () => (await readFile(path, 'utf8').catch(() => '')) === 'The robot drives.\n')

  const [before] = await sessionsOf(daemon)
  await page.setViewportSize(SIZES.large)
  const after = await until('another size', async () => {
    const [now] = await sessionsOf(daemon)
    return now && now.columns !== before?.columns ? now : undefined
  })
  await type(page, 'clear; stty size\n')
  await shows(page, `${after?.rows} ${after?.columns}`)
  await endAll(page)
})

test('the last line is seen whole, however high the window is', async (t) => {
  const { page } = await openShell(t)
  const bottomOf = async (place: Locator): Promise<number> => {
    const box = await place.boundingBox()
    return box ? box.y + box.height : Number.NaN
  }
  const cutOff = async () =>
    (await bottomOf(page.locator('.xterm-rows > div').last())) - (await bottomOf(page.locator('.console-screen')))

  for (let more = 0; more < 20; more += 4) {
    await page.setViewportSize({ width: 1000, height: 700 + more })
    await until('a terminal that fits', cutOff, (px) => px <= 0)
  }
  await endAll(page)
})

test('10 MB of output are shown to their end, and Ctrl-C stops what would never end', async (t) => {
  const { page } = await openShell(t)

  await type(page, "yes 0123456789abcdef | head -c 10000000 | tr '\\n' '.'; echo; echo that was a''ll\n")
  await shows(page, 'that was all')
  await type(page, 'yes for ever\n')
  await shows(page, /(for ever\n){9}/)
  await page.keyboard.press('Control+c')
  await type(page, "echo sto''pped\n")

  await shows(page, 'stopped')
  await endAll(page)
})

test('what is pasted arrives as one, colours are shown, and the keyboard gets out again', async (t) => {
  const { page } = await openShell(t)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const path = join(dataDir, 'pasted')
  const text = Array.from({ length: 4000 }, (_, n) => `line ${n} ünïcode`).join('\n')
  await type(page, `bind 'set enable-bracketed-paste off'; echo now it wri''tes; cat >${path}\n`)
  await shows(page, 'now it writes')
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)

  await page.keyboard.press('Control+Shift+V')
  await shows(page, 'line 3999')
  await type(page, '\n')
  await page.keyboard.press('Control+d')
  await until('the file', async () => (await readFile(path, 'utf8').catch(() => '')) === `${text}\n`)
  await type(page, "clear; printf '\\e[38;2;12;200;34mgreen\\e[0m\\n'\n")
  const colours = () =>
    page
      .locator('.xterm-rows span')
      .getByText('green', { exact: true })
      .evaluateAll((spans) => spans.map((span) => getComputedStyle(span).color))
  await until('green letters', colours, (found) => found.includes('rgb(12, 200, 34)'))

  await page.keyboard.press('Shift+Escape')
  await page
    .getByRole('button', { name: /^End Shell/ })
    .and(page.locator(':focus'))
    .waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('The session has ended: somebody ended it.').waitFor()
})

test('whoever loads the page again attaches again, and a second page takes the session over', async (t) => {
  const { page, daemon } = await openShell(t)
  await type(page, "echo what was said be''fore\n")
  await shows(page, 'what was said before')

  await page.reload()
  await shows(page, 'what was said before')
  const { page: second } = await openPage(t, daemon.url, { path: `/console${new URL(page.url()).search}` })
  await shows(second, 'what was said before')
  await page.getByText('Somebody at 127.0.0.1 has taken the session over.').waitFor()
  await page.getByRole('button', { name: 'Attach again' }).click()

  await second.getByText('Somebody at 127.0.0.1 has taken the session over.').waitFor()
  await endAll(page)
})

test('what is typed before it is attached, or while the connection is broken, arrives', async (t) => {
  const daemon = await shared
  let attach = Promise.withResolvers<void>()
  let last: WebSocketRoute | undefined
  const { page } = await openPage(t, daemon.url, {
    path: '/console',
    prepare: (opened) =>
      opened.routeWebSocket(/\/v1\/console\/sessions\//, async (socket) => {
        await attach.promise
        last = socket
        socket.connectToServer()
      }),
  })
  await page.getByRole('button', { name: 'Open a shell' }).click()
  await page.locator('.xterm-helper-textarea:focus').waitFor({ state: 'attached' })

  await type(page, "echo typed ear''ly\n")
  attach.resolve()
  await shows(page, 'typed early')
  attach = Promise.withResolvers()
  await last?.close()
  await page.getByText('The connection broke.').waitFor()
  await type(page, "echo typed la''te\n")
  attach.resolve()

  await shows(page, 'typed late')
  await endAll(page)
})

test('where the console is off the page says so, and how it is turned on', async (t) => {
  const daemon = await site(t).start({ profile: 'field' })
  const { page } = await openPage(t, daemon.url, { path: '/console' })

  await page.getByText('The console is off').waitFor()
  await page.getByText('--console on').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Open a shell' }).count(), 0)
})

test('the console is usable on every screen and by everybody', async (t) => {
  const daemon = await shared
  for (const { name, viewport, colorScheme } of LOOKS) {
    const { page } = await openPage(t, daemon.url, { path: '/console', viewport, colorScheme })
    await page.getByRole('button', { name: 'Open a shell' }).click()
    await page.locator('.xterm-helper-textarea').waitFor()
    assert.deepEqual(await inaccessible(page), [], `${name}, ${colorScheme}`)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    assert.ok(width <= viewport.width, `${name} scrolls sideways: ${width}`)
    await endAll(page)
  }
})
