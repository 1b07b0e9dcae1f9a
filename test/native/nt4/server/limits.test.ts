// Robots take messages of 2 MiB: nothing larger is kept or sent, whoever sent it and however it is put together.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { unpack } from 'msgpackr'
import { WIRE } from '../../../../native/nt4/codec.ts'
import { crudeClient, eventually, message, nt4Lab } from '../../../support/nt4/nt4.ts'

const MIB = 1024 * 1024

/** A client that takes what a robot takes. */
const robot = (t: TestContext, port: number) => crudeClient(t, port, { path: '/nt/robot', maxPayload: 2 * MIB })

type Client = Awaited<ReturnType<typeof robot>>

const publish = (name: string, pubuid: number, properties = {}, type = 'raw'): [string, object] => [
  'publish',
  { name, pubuid, type, properties },
]

const watchAll = (client: Client, ...patterns: string[]) =>
  client.say(['subscribe', { topics: patterns, subuid: 1, options: { prefix: true, all: true, periodic: 0.01 } }])

const closeCode = async ({ socket }: Client): Promise<number | undefined> => {
  let closed: number | undefined
  socket.once('close', (code) => {
    closed = code
  })
  await eventually(() => closed !== undefined)
  return closed
}

/** The server has dealt with all that the client has said: it answers the clock last. */
const answered = async (client: Client) => {
  const before = client.values.filter(({ id }) => id === -1).length
  client.socket.send(message(-1, 0, WIRE.int, 1))
  await eventually(() => client.values.filter(({ id }) => id === -1).length > before)
}

const bytes = (length: number) => new Uint8Array(length)

test('a value of 2.6 MB ends its publisher with 1009 and reaches nobody', async (t) => {
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  const present = await robot(t, port)
  watchAll(present, '/')
  const publisher = await crudeClient(t, port)
  publisher.say(publish('/picture', 1))

  publisher.socket.send(message(1, 5, WIRE.bytes, bytes(2_600_000)))

  assert.equal(await closeCode(publisher), 1009)
  const late = await robot(t, port)
  watchAll(late, '/')
  await answered(late)
  await answered(present)
  assert.equal(late.socket.readyState, late.socket.OPEN)
  assert.equal(present.values.filter(({ id }) => id >= 0).length, 0)
  assert.deepEqual([...new Set(lab.faults.map(({ code }) => code))], ['nt4.too_large'])
})

test('a value that is too large only in the form in which it is passed on is refused too', async (t) => {
  const { port } = await nt4Lab(t).serve()
  const publisher = await crudeClient(t, port)
  publisher.say(publish('/numbers', 1, {}, 'double[]'))
  const short = Buffer.alloc(400_000, 1) // each double as a whole number of one byte; nine are passed on
  const head = Buffer.from([0x94, 1, 5, WIRE.doubles, 0xdd, 0, 0, 0, 0])
  head.writeUInt32BE(short.length, 5)

  publisher.socket.send(Buffer.concat([head, short]))

  assert.equal(await closeCode(publisher), 1009)
})

test('the largest value that fits reaches those who are there and those who come later', async (t) => {
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  const publisher = await crudeClient(t, port)
  const present = await robot(t, port)
  watchAll(present, '/')
  publisher.say(publish('/picture', 1))

  publisher.socket.send(message(1, 5, WIRE.bytes, bytes(2 * MIB - 32)))

  await eventually(() => present.values.length > 0)
  const late = await robot(t, port)
  watchAll(late, '/')
  await eventually(() => late.values.length > 0)
  assert.deepEqual(late.values[0]?.value, Buffer.alloc(2 * MIB - 32))
  assert.deepEqual(lab.faults, [])
})

test('values that together are too large are sent in several frames', async (t) => {
  const { port } = await nt4Lab(t).serve()
  const publisher = await crudeClient(t, port)
  publisher.say(...Array.from({ length: 5 }, (_, n) => publish(`/${n}`, n)))
  for (let n = 0; n < 5; n++) publisher.socket.send(message(n, 5, WIRE.bytes, bytes(n === 2 ? 2 * MIB - 32 : 60_000)))
  await answered(publisher)

  const late = await robot(t, port)
  watchAll(late, '/')

  await eventually(() => late.values.length === 5)
  assert.equal(late.socket.readyState, late.socket.OPEN)
})

test('announces that together are too large are sent in several frames', async (t) => {
  const { port } = await nt4Lab(t).serve()
  const publisher = await crudeClient(t, port)
  for (let n = 0; n < 5; n++) publisher.say(publish(`/${n}`, n, { note: 'x'.repeat(900_000) }))
  await answered(publisher)

  const late = await robot(t, port)
  watchAll(late, '/')

  await eventually(() => late.heard.length === 5)
  assert.equal(late.socket.readyState, late.socket.OPEN)
})

test('a topic whose announce is too large is refused, in one message or by and by', async (t) => {
  const lab = nt4Lab(t)
  const { port } = await lab.serve()
  const watcher = await robot(t, port)
  watchAll(watcher, '/', '$')
  const huge = 'x'.repeat(2 * MIB)
  const large = 'x'.repeat(1.2 * MIB)
  const grower = (client: Client) => {
    client.say(publish('/grows', 1, { a: large }))
    client.say(['setproperties', { name: '/grows', update: { b: large } }])
  }

  for (const speak of [
    (client: Client) => client.say(publish(`/${huge}`, 1)),
    (client: Client) => client.say(publish('/x', 1, { note: huge })),
    // 2.4 MB as 1e20, 12 MB in full
    (client: Client) => client.say(publish('/x', 1, { numbers: Array(600_000).fill(1e20) })),
    grower,
  ]) {
    const client = await crudeClient(t, port)
    const code = closeCode(client)
    speak(client)
    assert.equal(await code, 1009)
  }

  await answered(watcher)
  assert.equal(watcher.socket.readyState, watcher.socket.OPEN)
  assert.deepEqual([...new Set(lab.faults.map(({ code }) => code))], ['nt4.too_large'])
})

test('what the server tells of its clients is cut where it would be too large', async (t) => {
  const { port } = await nt4Lab(t).serve()
  const watcher = await robot(t, port)
  watchAll(watcher, '$clientpub$crude')
  const publisher = await crudeClient(t, port)
  const names = ['/a', '/b', '/c'].map((name) => name + 'x'.repeat(900_000))

  names.forEach((name, n) => {
    publisher.say(publish(name, n))
  })
  await answered(publisher)

  await answered(watcher)
  const told = watcher.values.filter(({ id }) => id >= 0).map(({ value }) => (unpack(value as Uint8Array) as []).length)
  assert.deepEqual(told, [0, 1, 2, 2])
  assert.equal(watcher.socket.readyState, watcher.socket.OPEN)
})

test('a saved topic that is too large is left out when the server starts, and reported', async (t) => {
  const lab = nt4Lab(t)
  const folder = await mkdtemp(join(tmpdir(), 'nt4-'))
  t.after(() => rm(folder, { recursive: true }))
  const persistentFile = join(folder, 'persistent.json')
  const saved = (name: string, value: string, note = '') => ({
    name,
    type: 'string',
    value,
    properties: { persistent: true, note },
  })
  const huge = 'x'.repeat(2_600_000)
  await writeFile(
    persistentFile,
    JSON.stringify([saved('/value', huge), saved('/good', 'x'), saved('/note', 'x', huge)]),
  )

  const { port } = await lab.serve({ persistentFile })

  const client = await robot(t, port)
  watchAll(client, '/')
  await eventually(() => client.values.length > 0)
  assert.deepEqual(
    client.heard.map(({ params }) => params.name),
    ['/good'],
  )
  assert.deepEqual(
    lab.faults.map(({ code, detail }) => [code, /\/value.*\/note/.test(detail)]),
    [['nt4.too_large', true]],
  )
})
