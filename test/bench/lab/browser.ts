// A browser, for what is measured of the page.
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { BROWSER, BROWSER_ARGS } from '../../support/api/browser-program.ts'
import type { Lab } from './lab.ts'

/** Starts a browser, which ends with the lab. more: arguments beside the usual. */
export const startBrowser = async (lab: Lab, more: readonly string[] = []): Promise<Browser> => {
  const browser = await chromium.launch({ executablePath: BROWSER, args: [...BROWSER_ARGS, ...more] })
  lab.defer(() => browser.close())
  return browser
}

/** What the browser counts of a page: `JSHeapUsedSize` and others, by name. */
export const countsOf = async (cdp: CDPSession): Promise<ReadonlyMap<string, number>> => {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return new Map(metrics.map(({ name, value }) => [name, value]))
}

/** Opens a blank page of its own, nothing of which other pages have kept, and what asks the browser about it. */
export const blankPage = async (browser: Browser): Promise<{ readonly page: Page; readonly cdp: CDPSession }> => {
  const context = await browser.newContext({ viewport: { width: 1366, height: 768 } })
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Performance.enable')
  return { page, cdp }
}
