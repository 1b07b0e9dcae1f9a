// Inlets over real sockets: who is given pictures, and when that ends.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import type { Fault } from '../../../machines/errors/fault.ts'
import { loopbackInlets } from '../../../native/inlets/loopback.ts'
import type { TakenPictures } from '../../../native/inlets/port.ts'
import { arrival } from '../../support/until.ts'

/** An inlet; `found` is what it finds. joined: who was given pictures. */
const inletWith = async (t: TestContext, found: Partial<TakenPictures> | Fault = {}) => {
  const scope = Scope.makeUnsafe()
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  t.after(close)
  const joined: Socket[] = []
  const pictures = {
    mediaType: 'multipart/x-mixed-replace; boundary=a',
    join: (socket: Socket) => void joined.push(socket),
    ...found,
  }
  const take = async () => ('code' in found ? (found as Fault) : pictures)
  const url = new URL(await Effect.runPromise(Scope.provide(loopbackInlets.open(take), scope)))
  /** Connects, says something, and collects what comes. */
  const asking = async (head: string) => {
    const socket = connect(Number(url.port), url.hostname)
    t.after(() => socket.destroy())
    let said = ''
    socket.setEncoding('latin1').on('data', (text: string) => {
      said += text
    })
    await once(socket, 'connect')
    socket.write(head)
    return { socket, said: () => said, ended: () => arrival('the end', once(socket, 'close')) }
  }
  return { url, asking, close, joined }
}

const question = ({ pathname, search }: URL) => `GET ${pathname}${search} HTTP/1.1\r\nHost: x\r\n\r\n`

test('who knows the address is given the head of the answer, and then the pictures', async (t) => {
  const { url, asking, joined } = await inletWith(t)

  const { said, socket } = await asking(question(url))
  await arrival('the head', once(socket, 'data'))

  assert.match(said(), /^HTTP\/1\.1 200 OK\r\nContent-Type: multipart\/x-mixed-replace; boundary=a\r\n/)
  assert.equal(joined.length, 1)
  assert.equal(url.hostname, '127.0.0.1')
  assert.ok((url.searchParams.get('key') ?? '').length > 40)
})

test('who does not is told that there is nothing, in as many words for a wrong key as for none', async (t) => {
  const { url, asking, joined } = await inletWith(t)
  const wrong = new URL(url)
  wrong.searchParams.set('key', 'x'.repeat((url.searchParams.get('key') ?? '').length))

  const answers = []
  for (const head of [question(wrong), 'GET / HTTP/1.1\r\n\r\n', question(url).replace('GET', 'POST')]) {
    const { said, ended } = await asking(head)
    await ended()
    answers.push(said())
  }

  for (const each of answers) assert.equal(each, answers[0])
  assert.match(answers[0] ?? '', /^HTTP\/1\.1 404 /)
  assert.equal(joined.length, 0)
})

test('when there are no pictures the engine hears so, and comes again', async (t) => {
  const { url, asking } = await inletWith(t, { code: 'peer.unreachable', detail: 'gone' })

  const { said, ended } = await asking(question(url))
  await ended()

  assert.match(said(), /^HTTP\/1\.1 502 /)
})

test('a head without an end is not waited for', async (t) => {
  const { asking, joined } = await inletWith(t)

  const long = await asking(`GET /${'x'.repeat(5_000)}`)
  await long.ended()

  assert.equal(joined.length, 0)
})

test('all that is open ends with the inlet, and nobody listens there any more', async (t) => {
  const { url, asking, close } = await inletWith(t)
  const inside = await asking(question(url))
  await arrival('the head', once(inside.socket, 'data'))

  await close()
  await inside.ended()
  const late = connect(Number(url.port), url.hostname)
  const [error] = (await arrival('the refusal', once(late, 'error'))) as [NodeJS.ErrnoException]

  assert.equal(error.code, 'ECONNREFUSED')
})
