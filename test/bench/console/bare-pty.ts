// What a console session is compared with: node-pty as it comes, and each of its chunks sent by `ws`. Prints its port.
import type { AddressInfo } from 'node:net'
import { spawn } from '@lydell/node-pty'
import { WebSocketServer } from 'ws'

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
server.on('connection', (socket) => {
  const pty = spawn('/bin/bash', ['--norc', '--noprofile'], { encoding: null, cols: 80, rows: 24, name: 'xterm' })
  pty.onData((data) => socket.send(data as unknown as Uint8Array, { binary: true }))
  socket.on('message', (data) => pty.write(data.toString()))
  socket.on('close', () => pty.kill('SIGKILL'))
})
server.on('listening', () => console.log((server.address() as AddressInfo).port))
