// A real browser with the page of a real service in it: Debian's Chromium, which the set-up of the tests installs.
import type { TestContext } from 'node:test'
import { chromium, type Page } from 'playwright-core'

const EXECUTABLE = '/usr/bin/chromium'

// As root there is no sandbox to be had, and nothing but the page shall be asked for.
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A page in a browser. complaints: all that went wrong in it so far, as the browser tells it. */
export interface BrowserPage {
  readonly page: Page
  readonly complaints: readonly string[]
  /** How often the page has asked the service for something, and how many of those have no whole answer yet. */
  readonly requests: () => { readonly asked: number; readonly open: number }
}

/** Opens an address in a browser, which ends with the test. prepare: what is done with the page before. */
export const openPage = async (
  t: TestContext,
  url: string,
  prepare: (page: Page) => Promise<void> = async () => {},
): Promise<BrowserPage> => {
  const browser = await chromium.launch({ executablePath: EXECUTABLE, args: ARGS })
  t.after(() => browser.close())
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  const complaints: string[] = []
  let [asked, ended] = [0, 0]
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return
    complaints.push(`${message.type()} in the console: ${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => complaints.push(`error in the page: ${error.stack ?? error.message}`))
  page.on('requestfinished', () => {
    ended += 1
  })
  page.on('requestfailed', (request) => {
    ended += 1
    // A live picture that is given up was asked for all the same.
    if (request.resourceType() === 'image' && request.failure()?.errorText === 'net::ERR_ABORTED') return
    complaints.push(`failed: ${request.method()} ${request.url()} (${request.failure()?.errorText})`)
  })
  page.on('request', () => {
    asked += 1
  })
  await prepare(page)
  await page.goto(url)
  return { page, complaints, requests: () => ({ asked, open: asked - ended }) }
}

/**
 * What an image on the page shows just now, as its brightness in a raster of 16 x 10; undefined while it shows nothing.
 */
export const rasterOf = (page: Page, selector: string): Promise<readonly number[] | undefined> =>
  page.evaluate(`(${RASTER})(${JSON.stringify(selector)})`)

// Runs in the page, so as a text: its types are those of a browser.
const RASTER = `(selector) => {
  const image = document.querySelector(selector)
  if (!image || image.hidden || image.naturalWidth === 0) return undefined
  const canvas = Object.assign(document.createElement('canvas'), { width: 16, height: 10 })
  const context = canvas.getContext('2d')
  context.drawImage(image, 0, 0, 16, 10)
  return [...context.getImageData(0, 0, 16, 10).data].filter((_, n) => n % 4 === 0)
}`
