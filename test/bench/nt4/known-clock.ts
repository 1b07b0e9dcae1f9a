// An NT4 server whose clock is known: CLOCK_MONOTONIC of this machine and a number. It keeps time and does nothing
// else.
//
// Prints its port. A number on its standard input, µs, is added to the clock from then on; all connections are ended,
// and it prints a line when the next client has asked for the time as often as one does that has just connected.

import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { type WebSocket, WebSocketServer } from 'ws'
import { decodeFrame, TIME_SYNC_ID, WIRE } from '../../../native/nt4/codec.ts'
import { MessageEncoder } from '../../../native/nt4/encoder.ts'
import { PROTOCOL_41 } from '../../../native/nt4/protocol.ts'

const ASKED = 6

const monotonicUs = (): number => Number(process.hrtime.bigint() / 1000n) // not the service's own: it is under test too

let offsetUs = 0
let isAwaited = true
const encoder = new MessageEncoder()

const answer = (socket: WebSocket, asked: number): void => {
  encoder.begin(true)
  encoder.put(TIME_SYNC_ID, monotonicUs() + offsetUs, WIRE.int, asked)
  socket.send(Buffer.from(encoder.take()))
}

const server = new WebSocketServer({
  host: '127.0.0.1',
  port: 0,
  handleProtocols: (offered) => offered.has(PROTOCOL_41) && PROTOCOL_41,
})
server.on('listening', () => console.log((server.address() as AddressInfo).port))
server.on('connection', (socket) => {
  let times = 0
  socket.on('error', () => {})
  socket.on('message', (data, isBinary) => {
    if (!isBinary) return
    for (const { id, value } of decodeFrame(data as Buffer).messages) {
      if (id !== TIME_SYNC_ID) continue
      answer(socket, value as number)
      times += 1
      if (times !== ASKED || !isAwaited) continue
      isAwaited = false
      console.log('asked')
    }
  })
})
createInterface({ input: process.stdin }).on('line', (line) => {
  offsetUs = Number(line)
  isAwaited = true
  for (const socket of server.clients) socket.terminate()
})
process.once('SIGTERM', () => process.exit())
