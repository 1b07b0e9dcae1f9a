// Takes the picture of the demo page for the README: starts the service, looks at it with headless Chromium, writes
// docs/demo.jpg (or the path given).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { WebSocket } from 'ws'

// the robot has driven into the view of some tags, and the page has all its figures
const LOOKED_AT_LONG_ENOUGH_MS = 8_000

const target = process.argv[2] ?? 'docs/demo.jpg'
const format = target.endsWith('.png') ? 'png' : 'jpeg'
const folder = mkdtempSync(join(tmpdir(), 'vedette-picture-'))

/** The first line of a program's output that matches. */
const heard = async (output: Readable, pattern: RegExp): Promise<string> => {
  for await (const line of createInterface(output)) {
    const found = pattern.exec(line)?.[1]
    if (found) return found
  }
  throw new Error(`the program ended without saying ${pattern}`)
}

const service = spawn(
  process.execPath,
  [
    'supervisors/main.ts',
    '--http',
    '127.0.0.1:0',
    '--nt4',
    'serve:127.0.0.1:0',
    '--data-dir',
    join(folder, 'data'),
    '--log',
    'json',
  ],
  { stdio: ['ignore', 'pipe', 'inherit'] },
)
const browser = spawn(
  'chromium',
  [
    ...[
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-sync',
    ],
    ...[
      `--user-data-dir=${join(folder, 'browser')}`,
      '--remote-debugging-port=0',
      '--window-size=1200,800',
      'about:blank',
    ],
  ],
  { stdio: ['ignore', 'ignore', 'pipe'] },
)

try {
  const url = await heard(service.stdout, /"url":"([^"]+)"/)
  const debuggerUrl = await heard(browser.stderr, /DevTools listening on (ws:\S+)/)
  const page = (await (
    await fetch(`http://${new URL(debuggerUrl).host}/json/new?${encodeURIComponent(`${url}/`)}`, { method: 'PUT' })
  ).json()) as {
    webSocketDebuggerUrl: string
  }
  const socket = new WebSocket(page.webSocketDebuggerUrl)
  await once(socket, 'open')
  await new Promise((resolve) => setTimeout(resolve, LOOKED_AT_LONG_ENOUGH_MS))
  socket.send(
    JSON.stringify({
      id: 1,
      method: 'Page.captureScreenshot',
      params: { format, ...(format === 'jpeg' && { quality: 82 }) },
    }),
  )
  const [message] = (await once(socket, 'message')) as [Buffer]
  const { result } = JSON.parse(message.toString()) as { result: { data: string } }
  writeFileSync(target, Buffer.from(result.data, 'base64'))
  socket.close()
  console.log(`wrote ${target}`)
} finally {
  browser.kill()
  service.kill()
  await Promise.all([once(browser, 'close'), once(service, 'close')])
  rmSync(folder, { recursive: true, force: true })
}
