// How long somebody waits for the first page: its script, and the time until the first tile stands there, against the
// same page as plain HTML of the same size.
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Request } from 'playwright-core'
import { blankPage, startBrowser } from '../lab/browser.ts'
import { startDaemon } from '../lab/daemon.ts'
import { type Lab, type Measurement, ROOT } from '../lab/lab.ts'
import { type Row, spread } from '../lab/row.ts'

const ROUNDS = 9
const SLOWED = 4
const SOURCE = { backend: 'synthetic', width_px: 640, height_px: 400, fps: 5, motion: 'still' } as const
const BUILT = join(ROOT, 'ui/build')

/** Notes when the heading of the first tile has been painted. */
const NOTE_FIRST_TILE = `new MutationObserver((_, observer) => {
  if (!document.querySelector('main h2')) return
  observer.disconnect()
  requestAnimationFrame(() => requestAnimationFrame(() => window.noteFirstTile(performance.now())))
}).observe(document, { childList: true, subtree: true })`

/** The scripts that are loaded at once: the one that the page names and those that it preloads. */
const firstScripts = (): readonly string[] =>
  [...readFileSync(join(BUILT, 'index.html'), 'utf8').matchAll(/"\/(assets\/[^"]+\.js)"/g)].map(([, path]) =>
    String(path),
  )

const firstTileMs = async (browser: Browser, url: string): Promise<number> => {
  const { page, cdp } = await blankPage(browser)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWED })
  const { promise: noted, resolve } = Promise.withResolvers<number>()
  await page.exposeFunction('noteFirstTile', resolve)
  await page.addInitScript(NOTE_FIRST_TILE)
  await page.goto(url, { waitUntil: 'commit' })
  const ms = await noted
  await page.context().close()
  return ms
}

/** 0: it was still on its way when the page was closed. */
const sizeOf = (request: Request): Promise<number> =>
  request.sizes().then(
    ({ responseBodySize }) => responseBodySize,
    () => 0,
  )

/** The page as it stands, as plain HTML that weighs as much as everything the page loads. */
const asPlainHtml = async (browser: Browser, url: string): Promise<string> => {
  const { page } = await blankPage(browser)
  const sizes: Promise<number>[] = []
  page.on('response', (response) => sizes.push(sizeOf(response.request())))
  await page.goto(url, { waitUntil: 'domcontentloaded' })
  await page.locator('main h2').first().waitFor()
  const body = await page.evaluate<string>('document.querySelector("#page").outerHTML')
  const styles = await page.evaluate<string>(
    '[...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).map((rule) => rule.cssText).join("\\n")',
  )
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  await page.context().close()
  const head = `<head><title>as it stands</title><style>${styles}</style></head>`
  const html = `<!doctype html><html lang="en">${head}<body>${body}`
  return `${html}<!--${'x'.repeat(Math.max(0, bytes - gzipSync(html).length))}-->`
}

const serve = async (lab: Lab, html: string): Promise<string> => {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  lab.defer(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

export const firstPaint: Measurement = async (lab) => {
  const daemon = await startDaemon(lab, { dataDir: join(lab.folder, 'data'), nt4: 'off' })
  const made = await fetch(`${daemon.url}/v1/streams`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'front', alias: 'Front', source: SOURCE }),
  })
  if (!made.ok) throw new Error(await made.text())
  const browser = await startBrowser(lab)
  const plain = await serve(lab, await asPlainHtml(browser, `${daemon.url}/`))
  const rounds: (readonly [page: number, plain: number])[] = []
  while (rounds.length < ROUNDS) {
    rounds.push([await firstTileMs(browser, `${daemon.url}/`), await firstTileMs(browser, plain)])
    lab.say(`${rounds.at(-1)?.map(Math.round).join(' against ')} ms`)
  }
  const kilobytes = firstScripts().reduce((sum, path) => sum + readFileSync(join(BUILT, `${path}.gz`)).length, 0) / 1000
  const sizes = { measured: kilobytes, low: kilobytes, high: kilobytes }
  const from = `${ROUNDS} rounds, turn about`
  const rooms = readdirSync(join(BUILT, 'assets')).filter((name) => name.endsWith('.js')).length
  const rows: readonly Row[] = [
    {
      what: 'script of the first page, gzip',
      unit: 'kB',
      figure: { atMost: 110 },
      ...sizes,
      from: `of ${rooms} files`,
    },
    {
      what: `time to the first tile, CPU slowed ${SLOWED} times, against plain HTML of the same size`,
      unit: '',
      figure: { atMost: 2 },
      ...spread(rounds.map(([page, html]) => page / html)),
      from,
    },
    { what: '  the page', unit: 'ms', ...spread(rounds.map(([page]) => page)), from },
    { what: '  plain HTML', unit: 'ms', ...spread(rounds.map(([, html]) => html)), from },
  ]
  return rows
}
