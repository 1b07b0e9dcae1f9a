// A device with one stream whose pictures are watched through two others: it sends the same JPEG-sized pictures to
// whoever asks, at a steady rate. Who asks with `?other` gets his half a period apart from the rest, and the two take
// turns at being first: they share the machine as it is at the time, and neither is in the other's way.
//
//   tunnel-source.ts BYTES FPS
//
// It is a device of this kind to whoever registers it. Prints its origin. Each part says when it was begun (X-Sent-Us,
// CLOCK_MONOTONIC) and what its bytes are (X-Hash, SHA-256).
import { createHash, randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { FIRST, NEXT, PREVIEW_HEAD } from '../../support/peers/picture-source.ts'
import { simulatedPeer } from './simulated-peer.ts'

const [BYTES = 120_000, FPS = 30] = process.argv.slice(2).map(Number)

const pictures = Array.from({ length: 30 }, () => {
  const bytes = randomBytes(BYTES)
  return { bytes, hash: createHash('sha256').update(bytes).digest('hex') }
})

const [some, others] = [new Set<Socket>(), new Set<Socket>()]

const watched = (socket: Socket, url: string): void => {
  const watching = url.endsWith('?other') ? others : some
  socket.on('error', () => {}).on('close', () => watching.delete(socket))
  socket.write(PREVIEW_HEAD + FIRST)
  watching.add(socket)
}
console.log(await simulatedPeer({ n: 0, watched }))

const send = (seq: number, watching: ReadonlySet<Socket>): void => {
  const { bytes, hash } = pictures[seq % pictures.length] as (typeof pictures)[number]
  const sentUs = Number(process.hrtime.bigint() / 1000n)
  const own = `X-Sequence: ${seq}\r\nX-Sent-Us: ${sentUs}\r\nX-Hash: ${hash}`
  const head = `Content-Type: image/jpeg\r\nContent-Length: ${BYTES}\r\n${own}\r\n\r\n`
  const part = Buffer.concat([Buffer.from(head), bytes, Buffer.from(NEXT)])
  for (const socket of watching) if (socket.writableLength === 0) socket.write(part)
}

const PERIOD_MS = 1000 / FPS
let seq = 0
setInterval(() => {
  seq += 1
  const [first, second] = seq % 2 === 0 ? [some, others] : [others, some]
  send(seq, first)
  setTimeout(send, PERIOD_MS / 2, seq, second)
}, PERIOD_MS)
process.once('SIGTERM', () => process.exit())
