// A real browser with the page of a real service in it. Whatever the browser complains of fails the test that saw it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, type TestContext } from 'node:test'
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core'
import { projectPath } from '../../../native/files/project-root.ts'
import { IS_LONG } from '../long.ts'
import { PATIENCE_MS } from '../until.ts'
import { BROWSER, BROWSER_ARGS } from './browser-program.ts'

/** What the browser says of itself where it draws three dimensions without a graphics card. */
const OF_NO_GRAPHICS_CARD = /GL Driver Message .* GPU stall due to ReadPixels/

const UNDO_MS = 6000 // as the page has it

/** The sizes of a phone, of a laptop in the pit, and of a large screen. */
export const SIZES = {
  phone: { width: 390, height: 844 },
  laptop: { width: 1366, height: 768 },
  large: { width: 1920, height: 1080 },
} as const

/** The sizes and colours in which each room is looked at: all six when everything is played. */
export const LOOKS = Object.entries(SIZES)
  .flatMap(([name, viewport]) => (['light', 'dark'] as const).map((colorScheme) => ({ name, viewport, colorScheme })))
  .filter(
    ({ name, colorScheme }) =>
      IS_LONG || (name === 'phone' && colorScheme === 'dark') || (name === 'laptop' && colorScheme === 'light'),
  )

/** How a page is opened. */
export interface PageOptions extends BrowserContextOptions {
  /** Where; default `/`. */
  readonly path?: string
  /** Complaints that the test provokes itself. */
  readonly expected?: readonly RegExp[]
  /** What is done with the page before it is opened. */
  readonly prepare?: (page: Page) => Promise<void>
}

/** Said by the browser of a dial that was not answered in time, by the clock of the page, and is given up. */
export const UNANSWERED = /WebSocket is closed before the connection is established/

/**
 * For `prepare`: what can be undone for some seconds (ui/state/undo.ts) can be for as long as a busy machine may take
 * to come to the button.
 */
export const withTimeToUndo = async (page: Page): Promise<void> => {
  await page.addInitScript(`{
    const { setTimeout } = window
    window.setTimeout = (run, ms, ...rest) => setTimeout(run, ms === ${UNDO_MS} ? ${PATIENCE_MS} : ms, ...rest)
  }`)
}

/** A page in a browser. */
export interface BrowserPage {
  readonly page: Page
  /** All that went wrong in it so far and was not expected. At the end of the test there must be nothing. */
  readonly complaints: readonly string[]
  /** What it has asked of the interface (`/v1`), and how many of those have no whole answer yet. */
  readonly requests: () => { readonly asked: readonly string[]; readonly open: number }
}

let browser: Promise<Browser> | undefined // one for a file of tests
after(async () => (await browser)?.close())

/** What closes the pages of a test. That comes before its services end, of which a page would complain. */
const open = new WeakMap<object, readonly (() => Promise<void>)[]>()
afterEach(async (test) => {
  for (const close of open.get(test) ?? []) await close()
})

/** Opens the page of a service in a browser; it is closed with the test. base: `http://127.0.0.1:5800`. */
export const openPage = async (
  t: TestContext,
  base: string,
  { path = '/', expected = [], prepare = async () => {}, ...options }: PageOptions = {},
): Promise<BrowserPage> => {
  browser ??= chromium.launch({ executablePath: BROWSER, args: [...BROWSER_ARGS] })
  const context = await (await browser).newContext({
    baseURL: base,
    reducedMotion: 'reduce',
    viewport: SIZES.laptop,
    ...options,
  })
  context.setDefaultTimeout(PATIENCE_MS)
  const complaints: string[] = []
  const note = (text: string) => {
    if (![...expected, OF_NO_GRAPHICS_CARD].some((pattern) => pattern.test(text))) complaints.push(text)
  }
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) note(`console: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (failed) => note(`page: ${failed.error().stack ?? failed.error().message}`))
  context.on('requestfailed', (request) => {
    if (request.failure()?.errorText === 'net::ERR_ABORTED') return // a page that was left
    note(`failed: ${request.method()} ${request.url()} (${request.failure()?.errorText})`)
  })
  context.on('response', (response) => {
    if (response.status() >= 400)
      note(`answer: ${response.status()} to ${response.request().method()} ${response.url()}`)
  })
  const isOfInterface = (url: string) => new URL(url).pathname.startsWith('/v1/')
  const asked: string[] = []
  let ended = 0
  const countEnd = (request: Request) => {
    if (isOfInterface(request.url())) ended += 1
  }
  context.on('request', (request) => {
    if (isOfInterface(request.url())) asked.push(`${request.method()} ${new URL(request.url()).pathname}`)
  })
  context.on('requestfinished', countEnd)
  context.on('requestfailed', countEnd)
  const close = async () => {
    await context.close()
    assert.deepEqual(complaints, [], 'the page complained')
  }
  open.set(t, [...(open.get(t) ?? []), close])
  const page = await context.newPage()
  await prepare(page)
  await page.goto(path, { waitUntil: 'domcontentloaded' }) // a live picture never ends
  return { page, complaints, requests: () => ({ asked: [...asked], open: asked.length - ended }) }
}

const axe = readFileSync(projectPath('node_modules/axe-core/axe.min.js'), 'utf8')

/** What is wrong with a page for those who do not see it, or use no mouse: the rules broken, and where. */
export const inaccessible = async (page: Page): Promise<readonly string[]> => {
  await page.locator('h1').first().waitFor({ state: 'attached' }) // each page has one, once it is there
  // The policy of the page refuses scripts of others; what a debugger sends is none of the page's.
  const cdp = await page.context().newCDPSession(page)
  // half a megabyte: once for each document
  const { result: known } = await cdp.send('Runtime.evaluate', { expression: 'typeof axe' })
  if (known.value === 'undefined') await cdp.send('Runtime.evaluate', { expression: axe })
  const { result } = await cdp.send('Runtime.evaluate', {
    // frames are of others, who are asked by themselves
    expression: `axe.run({ resultTypes: ['violations'], iframes: false }).then(({ violations }) =>
      JSON.stringify(violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 200) + ' ' + failureSummary))))`,
    awaitPromise: true,
  })
  await cdp.detach()
  return JSON.parse(String(result.value)) as string[]
}
