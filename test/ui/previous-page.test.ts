// A page that stays open while the service behind it becomes another one: it says so, and nothing of it goes blank.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { openPage } from '../support/api/browser.ts'
import { type Daemon, site } from '../support/processes/daemon.ts'

const FAKE = { VEDETTE_ENGINE: 'fake' } as const
const AWAY = /WebSocket connection|ERR_CONNECTION|ERR_EMPTY_RESPONSE|failed: GET|dynamically imported module/
const GONE = /404 |status of 404|dynamically imported module/
const PREVIOUS = '/assets/app-PREVIOUS.js'

const scriptOf = (html: string): string => /<script type="module" src="([^"]+)"/.exec(html)?.[1] ?? ''

/** Gives the browser the page once as a build of another version has it: with a script of another name. */
const givePreviousPage = async (page: Page, { url }: Daemon): Promise<void> => {
  const answer = await fetch(url)
  const html = await answer.text()
  const script = scriptOf(html)
  const headers = { 'content-security-policy': answer.headers.get('content-security-policy') ?? '' }
  const body = html.replace(script, PREVIOUS)
  await page.route(`${url}/`, (route) => route.fulfill({ headers, contentType: 'text/html', body }), { times: 1 })
  const code = await (await fetch(url + script)).text()
  await page.route(`${url}${PREVIOUS}`, (route) => route.fulfill({ contentType: 'text/javascript', body: code }))
}

/** What is loaded next of the rooms is asked for by a name that the service does not have. */
const loseNext = (page: Page, { url }: Daemon, pattern: string, times: number): Promise<unknown> =>
  page.route(`${url}/assets/${pattern}`, (route) => route.continue({ url: `${url}/assets/page-PREVIOUS.js` }), {
    times,
  })

const ownScript = async (page: Page): Promise<string> =>
  (await page.locator('script[type=module]').getAttribute('src')) ?? ''

const opened = async (t: TestContext, expected: readonly RegExp[]) => {
  const place = site(t, undefined, FAKE)
  const first = await place.start()
  const { page } = await openPage(t, first.url, { expected, prepare: (page) => givePreviousPage(page, first) })
  await page.getByText('No camera is plugged in').waitFor()
  assert.equal(await ownScript(page), PREVIOUS)
  const startAgain = async () => {
    await first.end('SIGKILL')
    return await place.start({ http: new URL(first.url).host })
  }
  return { page, startAgain }
}

const settings = (page: Page) => page.getByRole('link', { name: 'Settings' }).first()

test('a service of another version behind an open page: the page says so, and a press loads the new one', async (t) => {
  const { page, startAgain } = await opened(t, [AWAY])

  await startAgain()
  await page.getByText('This device runs another version now').waitFor()
  assert.equal(await ownScript(page), PREVIOUS)
  await page.getByRole('button', { name: 'Load the new page' }).click()

  await page.getByText('No camera is plugged in').waitFor()
  assert.notEqual(await ownScript(page), PREVIOUS)
  assert.equal(await page.getByText('This device runs another version now').count(), 0)
})

test('an older service that refuses what the page asks for is not taken for one that is gone', async (t) => {
  const daemon = await site(t, undefined, FAKE).start()
  const asLater = async (route: Route) => {
    const response = await route.fetch()
    const code = await response.text()
    await route.fulfill({ response, body: code.replace('?beats=true', '?beats=true&of_a_later_version=true') })
  }

  const { page } = await openPage(t, daemon.url, {
    expected: [/WebSocket connection/],
    prepare: async (page) => {
      await page.route(`${daemon.url}/assets/*.js`, asLater)
      await givePreviousPage(page, daemon)
    },
  })

  await page.getByText('This device runs another version now').waitFor()
  assert.equal(await page.getByText('This device does not answer').count(), 0)
})

test('a room that the new service has under another name is there all the same', async (t) => {
  const { page, startAgain } = await opened(t, [AWAY, GONE])
  const again = await startAgain()
  await page.getByText('This device runs another version now').waitFor()
  await loseNext(page, again, 'page-*.js', 1)

  await settings(page).click()

  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  assert.notEqual(await ownScript(page), PREVIOUS)
})

test('a room that cannot be loaded says so in its place, and comes when the device is there again', async (t) => {
  const place = site(t, undefined, FAKE)
  const first = await place.start()
  const { page } = await openPage(t, first.url, { expected: [AWAY] })
  await page.getByText('No camera is plugged in').waitFor()
  await first.end('SIGKILL')
  await page.getByText('This device does not answer').waitFor()

  await settings(page).click()
  await page.getByText('The page Settings could not be loaded.').waitFor()
  await page.getByRole('link', { name: 'Overview' }).first().click()
  await page.getByText('No camera is plugged in').waitFor()
  await settings(page).click()
  await page.getByText('It is tried again as soon as the device answers.').waitFor()
  await place.start({ http: new URL(first.url).host })

  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  assert.equal(await page.getByText('This device runs another version now').count(), 0)
})

test('a drawing that cannot be loaded leaves its room as it is', async (t) => {
  const daemon = await site(t, undefined, FAKE).start()
  const { page } = await openPage(t, daemon.url, {
    path: '/rig',
    expected: [GONE],
    prepare: async (page) => void (await loseNext(page, daemon, 'robot-scene-*.js', 1)),
  })

  await page.getByText('The view could not be loaded.').waitFor()

  await page.getByRole('heading', { name: 'Rig', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Load the page again' }).click()
  await page.getByRole('img', { name: /^The robot with/ }).waitFor()
})
