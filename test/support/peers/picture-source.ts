// A peer as far as pictures go: it takes connections and answers what a test says, byte by byte if need be; and viewers
// here, whose end a test holds as well.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import { DIAL_LIMIT_MS, diallerOf } from '../../../native/peers/dial.ts'
import type { PeerTarget } from '../../../native/peers/port.ts'
import type { Lifetime } from '../lifetime.ts'
import { arrival, until } from '../until.ts'

export const BOUNDARY = 'vedette-picture'
export const FIRST = `--${BOUNDARY}\r\n`
export const NEXT = `\r\n--${BOUNDARY}\r\n`

/** The head of an answer with live pictures, as this service gives it. */
export const PREVIEW_HEAD = [
  'HTTP/1.1 200 OK',
  `content-type: multipart/x-mixed-replace; boundary=${BOUNDARY}`,
  'connection: close',
  '\r\n',
].join('\r\n')

/** A part with the boundary behind it. */
export const partOf = (seq: number, content: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from(`Content-Type: image/jpeg\r\nContent-Length: ${content.length}\r\nX-Sequence: ${seq}\r\n\r\n`),
    content,
    Buffer.from(NEXT),
  ])

/** A peer with pictures. */
export interface PictureSource {
  readonly target: PeerTarget
  /** The heads of all that was asked, each as one text. */
  readonly requests: readonly string[]
  /** All that there were. */
  readonly connections: readonly Socket[]
}

/** A peer that answers every request with a call. It ends with the test. */
export const pictureSource = async (
  t: Lifetime,
  answer: (connection: Socket, request: string) => void,
): Promise<PictureSource> => {
  const requests: string[] = []
  const connections: Socket[] = []
  const server = createServer((connection) => {
    connections.push(connection)
    connection.on('error', () => {}).setNoDelay(true)
    let asked = ''
    const read = (bytes: Buffer) => {
      asked += bytes.toString('latin1')
      if (!asked.includes('\r\n\r\n')) return
      connection.off('data', read).resume()
      requests.push(asked)
      answer(connection, asked)
    }
    connection.on('data', read)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const connection of connections) connection.destroy()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { target: { origin, fingerprint: null, token: null }, requests, connections }
}

/** A connection to a peer, dialled as for pictures. */
export const dialled = async (t: TestContext, { target }: Pick<PictureSource, 'target'>): Promise<Socket> => {
  const scope = Scope.makeUnsafe()
  t.after(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const dialling = diallerOf(() => null)(target, DIAL_LIMIT_MS, { bringsMuch: true })
  return arrival('a connection to the peer', Effect.runPromise(Scope.provide(dialling, scope)))
}

/** A viewer: `here` is what this service writes to, `there` his own end. */
export interface HeldViewer {
  readonly here: Socket
  readonly there: Socket
  /** All that has arrived there. */
  readonly received: () => Buffer
}

/** A viewer who takes all, unless his end is paused. */
export const heldViewer = async (t: TestContext): Promise<HeldViewer> => {
  const server = createServer({ noDelay: true }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const there = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [here] = (await arrival('a viewer', once(server, 'connection'))) as [Socket]
  server.close()
  const chunks: Buffer[] = []
  for (const end of [here, there]) end.on('error', () => {})
  there.on('data', (chunk: Buffer) => chunks.push(chunk))
  t.after(() => {
    here.destroy()
    there.destroy()
  })
  return { here, there, received: () => Buffer.concat(chunks) }
}

/** Waits until exactly these bytes have arrived. */
export const arrives = async ({ received }: Pick<HeldViewer, 'received'>, expected: Uint8Array): Promise<void> => {
  await until(
    `${expected.length} bytes`,
    () => received().length,
    (length) => length >= expected.length,
  )
  assert.ok(received().equals(expected), 'other bytes than those of the source')
}
