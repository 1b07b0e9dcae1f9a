// A robot's own client at the embedded NT4 server, as it is on the wire: robot code and dashboards (Glass,
// Shuffleboard, OutlineViewer, pyntcore) all speak through ntcore, which opens its WebSocket with these bytes.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { rawRequest } from '../support/api/raw-http.ts'
import { site } from '../support/processes/daemon.ts'
import { freePort } from '../support/processes/free-port.ts'
import { arrival, until } from '../support/until.ts'

const KEY = 'dGhlIHNhbXBsZSBub25jZQ=='
const ACCEPT = createHash('sha1').update(`${KEY}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')

/** What ntcore writes: always an empty Host, each header spelt so, in this order. */
const handshake = (protocols: string) =>
  'GET /nt/robot HTTP/1.1\r\n' +
  'Host: \r\n' +
  'Upgrade: websocket\r\n' +
  'Connection: Upgrade\r\n' +
  `Sec-WebSocket-Key: ${KEY}\r\n` +
  'Sec-WebSocket-Version: 13\r\n' +
  `Sec-WebSocket-Protocol: ${protocols}\r\n` +
  '\r\n'

const CLIENTS = {
  2023: 'networktables.first.wpi.edu',
  2026: 'v4.1.networktables.first.wpi.edu, networktables.first.wpi.edu',
}

/** A short text as a client sends it: masked, here with zeros. */
const textFrame = (text: string): Buffer => {
  assert.ok(text.length < 126)
  return Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)])
}

/** All that has come on a socket so far. */
const hearing = (socket: Socket): (() => string) => {
  let heard = ''
  socket.setEncoding('latin1')
  socket.on('data', (chunk) => {
    heard += chunk
  })
  return () => heard
}

test("ntcore's handshake is answered as ntcore wants it, and what it subscribes to comes", async (t) => {
  const daemon = await site(t).start({ nt4: 'serve:127.0.0.1:0' })
  const source = { backend: 'synthetic', width_px: 640, height_px: 480, fps: 15 } as const
  await daemon.addStream({ id: 'front', source })

  for (const [year, protocols] of Object.entries(CLIENTS)) {
    const socket = connect(daemon.nt4Port, '127.0.0.1')
    t.after(() => socket.destroy())
    const heard = hearing(socket)
    await arrival('a connection', once(socket, 'connect'))

    socket.write(handshake(protocols))
    await until(`the answer to ${year}`, heard, (text) => text.includes('\r\n\r\n'))
    const [first = '', ...lines] = (heard().split('\r\n\r\n')[0] as string).split('\r\n')
    const headers = Object.fromEntries(lines.map((line) => [line.split(': ')[0]?.toLowerCase(), line.split(': ')[1]]))
    assert.match(first, /^HTTP\/1\.1 101 /, year)
    assert.deepEqual(headers, {
      upgrade: 'websocket', // ntcore compares whole values and takes no extension
      connection: 'Upgrade',
      'sec-websocket-accept': ACCEPT,
      'sec-websocket-protocol': protocols.split(', ')[0],
    })

    socket.write(textFrame('[{"method":"subscribe","params":{"topics":["/limelight/tv"],"subuid":1,"options":{}}}]'))
    await until('the announce', heard, (text) => text.includes('"announce"') && text.includes('/limelight/tv'))
  }
})

test('robot code reads results where the robot forwards the ports of the camera', async (t) => {
  const daemon = await site(t).start()
  const results_port = await freePort()
  const source = { backend: 'synthetic', width_px: 640, height_px: 480, fps: 15 } as const
  await daemon.addStream({ id: 'front', source, extcam: { results_port } })
  const statusOf = async (port: number, path: string, host: string) =>
    (await rawRequest(port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).status
  const open = () => statusOf(results_port, '/results', '127.0.0.1').catch(() => 0)
  await until('the results', open, (status) => status === 200)

  const names = ['roborio-1234-frc.local:5807', 'roborio-1234-FRC:5807', 'robot.local', '10.12.34.2:5807', '']
  for (const name of names) {
    assert.equal(await statusOf(results_port, '/results', name), 200, name)
    assert.equal(await statusOf(Number(new URL(daemon.url).port), '/v1/health', name), 200, name)
  }
  for (const name of ['evil.example', 'roborio-1234-frc.example', 'limelight.example:5807'])
    assert.equal(await statusOf(results_port, '/results', name), 421, name)
})
