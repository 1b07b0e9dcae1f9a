// RTSP servers for tests: a real one, and ones that do what no camera should.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { oneLine } from '../../../machines/schema/one-line.ts'
import { arrival } from '../until.ts'

const PYTHON = '/usr/bin/python3' // that of the system, which has the system's packages
const SERVER = fileURLToPath(new URL('rtsp-server.py', import.meta.url))
const LOADED =
  "import gi; gi.require_version('GstRtspServer', '1.0'); from gi.repository import GstRtspServer, Gst; Gst.init(None)"
const FOUND = oneLine`
  import sys; sys.exit(not all(Gst.ElementFactory.find(name) for name in ('x264enc', 'x265enc', 'jpegenc',
  'rtph265pay')))
`

/** Why a test that needs a real RTSP server is skipped; false: there is one. */
export const noRtspServer: string | false =
  spawnSync(PYTHON, ['-c', `${LOADED}; ${FOUND}`]).status === 0
    ? false
    : "there is no RTSP server for tests (sh native/setup.sh test installs GStreamer's)"

/** A real server. kill: ends it at once, as a camera that loses its power. */
export interface RtspServer {
  readonly url: (path: string) => string
  readonly kill: () => void
}

/** Starts one that ends with the test. */
export const rtspServer = async (t: TestContext, flags: readonly string[] = []): Promise<RtspServer> => {
  const child = spawn(PYTHON, [SERVER, ...flags], { stdio: ['pipe', 'pipe', 'inherit'] })
  const gone = once(child, 'close')
  t.after(async () => {
    child.kill('SIGKILL')
    await gone
  })
  const [port] = (await arrival('the port of the RTSP server', once(createInterface(child.stdout), 'line'))) as [string]
  return { url: (path) => `rtsp://127.0.0.1:${port}${path}`, kill: () => void child.kill('SIGKILL') }
}

/** A server that takes connections and does with each what it is told. */
export interface OddServer {
  readonly url: (path?: string) => string
  readonly port: number
  /** Everything that was said to it. */
  readonly asked: () => string
  /** How many there were. */
  readonly connections: () => number
}

/** Starts one that ends with the test. answer: called with each piece that comes. */
export const oddServer = async (
  t: TestContext,
  answer: (socket: Socket, piece: string) => void,
): Promise<OddServer> => {
  const sockets = new Set<Socket>()
  const said: string[] = []
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.setEncoding('latin1').on('data', (piece: string) => {
      said.push(piece)
      answer(socket, piece)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
    return once(server, 'close')
  })
  const { port } = server.address() as { port: number }
  return {
    port,
    asked: () => said.join(''),
    connections: () => connections,
    url: (path = '/video') => `rtsp://127.0.0.1:${port}${path}`,
  }
}

/** An answer to a request, with the number that belongs to it. */
export const rtspAnswer = (request: string, status: string, headers: readonly string[] = [], body = ''): string => {
  const number = /CSeq: (\d+)/i.exec(request)?.[1] ?? '1'
  const length = body ? [`Content-Length: ${body.length}`] : []
  return `${[`RTSP/1.0 ${status}`, `CSeq: ${number}`, ...headers, ...length].join('\r\n')}\r\n\r\n${body}`
}
