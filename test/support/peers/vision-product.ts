// The other vision product for tests: its page, what its page is told over a WebSocket, and its pictures, as
// documented. Ends with the test.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { pack } from 'msgpackr'
import { WebSocketServer } from 'ws'
import { type BaseUrl, baseUrlOf } from '../../../machines/discovery/base-url.ts'
import { arrival } from '../until.ts'

/** messages: what its page is told at once, each a map, or bytes as they are. none: its WebSocket does not work. */
export interface VisionProduct {
  readonly messages?: readonly (object | Uint8Array | string)[]
  readonly hasWebSocket?: boolean
}

/** Where its page is. */
export const visionProduct = async (
  t: TestContext,
  { messages = [], hasWebSocket = true }: VisionProduct = {},
): Promise<BaseUrl> => {
  const server = createServer(({ url }, response) => {
    if (url === '/api/status') response.end('not dead yet')
    else response.writeHead(404).end()
  })
  if (hasWebSocket) {
    const sockets = new WebSocketServer({ server, path: '/websocket_data' })
    sockets.on('connection', (socket) => {
      for (const message of messages)
        socket.send(typeof message === 'string' || message instanceof Uint8Array ? message : pack(message))
    })
    t.after(() => {
      for (const socket of sockets.clients) socket.terminate()
    })
  }
  server.listen(0, '127.0.0.1')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  await arrival('a port', once(server, 'listening'))
  return baseUrlOf('127.0.0.1', (server.address() as AddressInfo).port)
}

/** A server of pictures, as each of its cameras has two. */
export const pictureServer = async (t: TestContext, port: number): Promise<void> => {
  const server = createServer((_, response) => {
    response.writeHead(200, { server: 'CameraServer/1.0', 'content-type': 'application/json' })
    response.end('{"controls":[],"modes":[]}')
  })
  server.listen(port, '127.0.0.1')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  await arrival('a port', once(server, 'listening'))
}

/** What it tells at first, of a camera with these differences. */
export const visionState = (...cameras: readonly object[]): object => ({
  settings: { general: { version: 'v2026.3.4' }, networkSettings: { hostname: 'photon-left' } },
  cameraSettings: cameras.map((camera) => ({ ...visionCamera, ...camera })),
})

const visionCamera = {
  nickname: 'Front',
  uniqueName: 'b6d1',
  inputStreamPort: 1181,
  outputStreamPort: 1182,
  isConnected: true,
  fpsLimit: -1,
  currentPipelineIndex: 0,
  currentPipelineSettings: { cameraVideoModeIndex: 1, streamingFrameDivisor: 1, inputImageRotationMode: 0 },
  videoFormatList: {
    0: { width: 320, height: 240, fps: 90, pixelFormat: 'MJPEG' },
    1: { width: 1280, height: 720, fps: 30, pixelFormat: 'MJPEG' },
  },
}
