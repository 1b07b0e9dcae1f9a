// Programs that speak an older NetworkTables knock at the port of the embedded server.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { ErrorEntry } from '../../machines/errors/history.ts'
import { crudeClient } from '../support/nt4/nt4.ts'
import { site } from '../support/processes/daemon.ts'
import { arrival, until } from '../support/until.ts'

/** What a server answers to bytes, until it hangs up. */
const answerTo = async (t: TestContext, port: number, bytes: Uint8Array | string): Promise<string> => {
  const socket = connect(port, '127.0.0.1')
  t.after(() => socket.destroy())
  await once(socket, 'connect')
  let answer = ''
  socket.setEncoding('latin1').on('data', (text) => (answer += text))
  socket.on('error', () => {}) // who hangs up before all was read resets the connection, after the answer
  const closed = once(socket, 'close')
  socket.write(bytes)
  await arrival('the end', closed, () => answer)
  return answer
}

/** The greeting of a client of NetworkTables 3: its version, and the name that it gives itself. */
const hello = (version: number, name: string) =>
  Buffer.concat([
    Buffer.from([1, version, 0]),
    version === 3 ? Buffer.from([name.length]) : Buffer.alloc(0),
    Buffer.from(version === 3 ? name : ''),
  ])

test('who greets in NetworkTables 3 or 2 is ended, and told of in a sentence', async (t) => {
  const daemon = await site(t).start({ nt4: 'serve:127.0.0.1:0' })
  const refusals = async () => {
    const { items } = await daemon.get<{ items: ErrorEntry[] }>('/v1/errors')
    return items.filter(({ code }) => code === 'nt4.client_refused')
  }

  assert.equal(await answerTo(t, daemon.nt4Port, hello(3, 'SmartDashboard')), '')
  const [refusal] = await until('the sentence', refusals, ({ length }) => length > 0)
  assert.equal(await answerTo(t, daemon.nt4Port, hello(2, '')), '')

  assert.match(refusal?.detail ?? '', /127\.0\.0\.1 speaks NetworkTables 3, and this server NT4 alone/)
  const { announced, say } = await crudeClient(t, daemon.nt4Port)
  say(['publish', { name: '/x', pubuid: 1, type: 'int', properties: {} }])
  await until('an answer to others', () => announced('/x').length)
})

test('what is nothing that anybody knows is answered as before, and nobody is told', async (t) => {
  const daemon = await site(t).start({ nt4: 'serve:127.0.0.1:0' })

  const answers = [
    await answerTo(t, daemon.nt4Port, 'nonsense\r\n\r\n'),
    await answerTo(t, daemon.nt4Port, Buffer.from([1, 9, 9])),
    await answerTo(t, daemon.nt4Port, `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`),
  ]

  const lines = answers.map((answer) => answer.split('\r\n')[0])
  assert.deepEqual(lines, [
    'HTTP/1.1 400 Bad Request',
    'HTTP/1.1 400 Bad Request',
    'HTTP/1.1 431 Request Header Fields Too Large',
  ])
  const { items } = await daemon.get<{ items: ErrorEntry[] }>('/v1/errors')
  assert.deepEqual(
    items.filter(({ code }) => code === 'nt4.client_refused'),
    [],
  )
})
