// D-Bus as the service speaks it, over a bus and services of the test.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Message, sessionBus, Variant } from '@jellybrick/dbus-next'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import { type LinuxDbusParts, linuxDbus } from '../../../native/dbus/linux.ts'
import type { DbusCall, DbusConnection, DbusFailure, DbusSignal } from '../../../native/dbus/port.ts'
import { DbusVariant, plainValue } from '../../../native/dbus/variant.ts'
import { pauseBeforeMs, whileConnected } from '../../../native/dbus/while-connected.ts'
import { type Bus, noBus, startBus } from '../../support/dbus/bus.ts'
import { dbusError, FakeService, type Method } from '../../support/dbus/fake-service.ts'
import { folderOf } from '../../support/processes/folder.ts'
import { arrival, until } from '../../support/until.ts'

const NAME = 'org.example.Lamp'
const options = { skip: noBus }

const lampCall = (member: string, more: Partial<DbusCall> = {}): DbusCall => ({
  service: NAME,
  path: '/',
  interface: NAME,
  member,
  ...more,
})

/** A connection that is there until the test ends, or `close` is called. */
const connected = async (t: TestContext, { address }: Bus) => {
  const scope = Scope.makeUnsafe()
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  t.after(close)
  const run = <Value>(effect: Effect.Effect<Value, DbusFailure, Scope.Scope>) =>
    Effect.runPromise(Scope.provide(effect, scope))
  const connection: DbusConnection = await run(linuxDbus({ address }).connect)
  const failure = (effect: Effect.Effect<unknown, DbusFailure, Scope.Scope>) => run(Effect.flip(effect) as never)
  return { connection, run, close, failure: failure as (effect: unknown) => Promise<DbusFailure> }
}

const withLamp = async (t: TestContext, methods: readonly (readonly [string, Method])[] = []) => {
  const bus = await startBus(t)
  const lamp = await FakeService.start(t, bus.address, NAME, methods)
  return { bus, lamp, ...(await connected(t, bus)) }
}

test('a method answers its values, whatever their types', options, async (t) => {
  const { connection, run } = await withLamp(t, [
    ['Echo', (value) => ['v', value]],
    ['State', () => ['a(sa{sv})tay', [['lamp.0', { size: new Variant('t', 5_000_000_000n) }]], 7n, Buffer.from([1])]],
  ])
  const settings = new DbusVariant('a{sa{sv}}', {
    ipv4: { method: new DbusVariant('s', 'manual'), dns: new DbusVariant('au', [1, 2]) },
  })

  const [echo] = await run(connection.call(lampCall('Echo', { signature: 'v', body: [settings] })))
  const state = await run(connection.call(lampCall('State')))

  assert.deepEqual(echo, settings)
  assert.deepEqual(plainValue(state), [[['lamp.0', { size: 5_000_000_000n }]], 7n, Buffer.from([1])])
})

test('an error of a service has its name and its text', options, async (t) => {
  const { connection, failure } = await withLamp(t, [
    [
      'Switch',
      () => {
        throw dbusError('org.example.Lamp.Broken', 'the bulb is broken')
      },
    ],
  ])

  const why = await failure(connection.call(lampCall('Switch')))

  assert.deepEqual(why, { kind: 'error', name: 'org.example.Lamp.Broken', text: 'the bulb is broken' })
})

test('nobody has the name: an error, at once', options, async (t) => {
  const { connection, failure } = await withLamp(t)

  const why = await failure(connection.call({ ...lampCall('Switch'), service: 'org.example.Nobody' }))

  assert.equal(why.kind, 'error')
  assert.equal(why.name, 'org.freedesktop.DBus.Error.ServiceUnknown')
})

test('a service that does not answer is waited for as long as the limit says', options, async (t) => {
  const { connection, failure } = await withLamp(t, [['Switch', () => null]])

  const why = await failure(connection.call(lampCall('Switch', { limitMs: 50 })))

  assert.deepEqual(why, { kind: 'no-answer', name: null, text: `${NAME} did not answer within 0.05 s` })
})

test('a bus that dies fails whoever waits for an answer, and whoever asks later', options, async (t) => {
  const asked = Promise.withResolvers<void>()
  const { bus, connection, failure } = await withLamp(t, [
    [
      'Switch',
      () => {
        asked.resolve()
        return null
      },
    ],
  ])

  const waiting = failure(connection.call(lampCall('Switch')))
  const lost = failure(connection.lost)
  await asked.promise
  await bus.kill()

  assert.equal((await arrival('the end of the call', waiting)).kind, 'lost')
  assert.equal((await lost).kind, 'lost')
  assert.equal((await failure(connection.call(lampCall('Switch')))).kind, 'lost')
})

test('where there is no bus, or one that says nothing, that is the answer', async (t) => {
  const socket = join(folderOf(t), 'silent')
  const silent = createServer()
  silent.listen(socket)
  await once(silent, 'listening')
  t.after(() => silent.close())
  const connect = (parts: LinuxDbusParts) => Effect.runPromise(Effect.flip(Effect.scoped(linuxDbus(parts).connect)))

  const none = await connect({ address: 'unix:path=/nowhere' })
  const mute = await connect({ address: `unix:path=${socket}`, connectLimitMs: 100 })

  assert.equal(none.kind, 'no-bus')
  assert.match(none.text, /cannot be reached at unix:path=\/nowhere: connect ENOENT/)
  assert.deepEqual(mute, { kind: 'no-answer', name: null, text: 'the system bus did not answer within 0.1 s' })
})

test('what cannot be sent fails by itself, and the connection goes on', options, async (t) => {
  const { connection, failure, run } = await withLamp(t, [['Ping', () => ['s', 'pong']]])
  const wrong: readonly [string, unknown][] = [
    ['s', 5],
    ['y', 256],
    ['u', -1],
    ['s', 'a\0b'],
    ['as', 'no list'],
    ['a{sv}', { on: true }],
  ]

  for (const [signature, value] of wrong) {
    const why = await failure(connection.call(lampCall('Ping', { signature, body: [value] })))
    assert.equal(why.kind, 'unsendable', `${signature} ${String(value)}`)
  }

  assert.deepEqual(await run(connection.call(lampCall('Ping'))), ['pong'])
})

/** Follows the lamp; what was heard. */
const followed = async ({ connection, run }: Awaited<ReturnType<typeof connected>>) => {
  const signals: DbusSignal[] = []
  const owners: (string | null)[] = []
  const owner = await run(
    connection.follow(NAME, { signal: (each) => signals.push(each), owner: (each) => owners.push(each) }),
  )
  return { signals, owners, owner }
}

test('a service that is followed is heard, and so is another process that takes its name', options, async (t) => {
  const { bus, lamp, ...own } = await withLamp(t)
  const { signals, owners, owner } = await followed(own)

  lamp.signal('/', NAME, 'Switched', 'b', true)
  await until('the signal', () => signals.length === 1)
  lamp.stop()
  await until('the end of the service', () => owners.length === 1)
  const next = await FakeService.start(t, bus.address, NAME)
  await until('the next service', () => owners.length === 2)
  next.signal('/', NAME, 'Switched', 'b', false)
  await until('its signal', () => signals.length === 2)

  assert.equal(owner, lamp.bus.name)
  assert.deepEqual(owners, [null, next.bus.name])
  assert.deepEqual(
    signals.map(({ member, body }) => [member, ...body]),
    [
      ['Switched', true],
      ['Switched', false],
    ],
  )
})

test('who has not the name is not heard, whatever it sends', options, async (t) => {
  const { bus, lamp, ...own } = await withLamp(t)
  const { signals } = await followed(own)
  const other = await FakeService.start(t, bus.address, 'org.example.Other')
  const [asked] = await own.run(
    own.connection.call({
      service: 'org.freedesktop.DBus',
      path: '/org/freedesktop/DBus',
      interface: 'org.freedesktop.DBus',
      member: 'ListNames',
    }),
  )

  for (const destination of asked as string[]) {
    const forged = Message.newSignal('/', NAME, 'Switched', 'b', [false])
    forged.destination = destination
    other.bus.send(forged)
  }
  await other.bus.requestName('org.example.Done') // answered when all of that has been passed on
  lamp.signal('/', NAME, 'Switched', 'b', true)
  await until('the signal of the service', () => signals.length > 0)

  assert.deepEqual(
    signals.map(({ body }) => body),
    [[true]],
  )
})

test('nothing is heard any more when the scope is closed, and the connection is gone', options, async (t) => {
  const { bus, lamp, ...own } = await withLamp(t)
  const { signals } = await followed(own)

  await own.close()
  lamp.signal('/', NAME, 'Switched', 'b', true)
  const why = await Effect.runPromise(Effect.flip(own.connection.call(lampCall('Switch'))))

  assert.deepEqual(signals, [])
  assert.equal(why.kind, 'lost')
})

test('a message of which nobody makes sense ends that connection, and not the service', options, async (t) => {
  const bus = await startBus(t)
  const { connection, failure } = await connected(t, bus)
  const sender = sessionBus({ busAddress: bus.address })
  t.after(() => sender.disconnect())
  await once(sender, 'connect')
  const lost = failure(connection.lost)
  const [names] = (await Effect.runPromise(
    connection.call({
      service: 'org.freedesktop.DBus',
      path: '/org/freedesktop/DBus',
      interface: 'org.freedesktop.DBus',
      member: 'ListNames',
    }),
  )) as [string[]]

  // The number of a file descriptor that does not come with it: the library would not send such a thing itself.
  const { stream } = (sender as unknown as { _connection: { stream: NodeJS.WritableStream } })._connection
  const write = stream.write.bind(stream) as (bytes: Buffer) => boolean
  stream.write = ((bytes: Buffer) => {
    const at = bytes.indexOf(Buffer.from([1, 'i'.charCodeAt(0), 0]))
    if (at !== -1) bytes.writeUInt8('h'.charCodeAt(0), at + 1)
    return write(bytes)
  }) as typeof stream.write
  for (const destination of names.filter((name) => name.startsWith(':') && name !== sender.name)) {
    const bad = Message.newSignal('/', NAME, 'Switched', 'i', [0])
    bad.destination = destination
    sender.send(bad)
  }

  const why = await arrival('the end of the connection', lost)
  assert.match(why.text, /ended: No FDs available/)
})

test('what follows a service goes on over the end of a bus, and begins again with what is', options, async (t) => {
  const bus = await startBus(t)
  const owners: (string | null)[] = []
  const found = Promise.withResolvers<void>()
  const use = (connection: DbusConnection) =>
    Effect.gen(function* () {
      owners.push(yield* connection.follow(NAME, { owner: () => found.resolve() }))
      yield* Effect.promise(() => found.promise)
      return owners.length
    })

  const used = Effect.runPromise(whileConnected(linuxDbus({ address: bus.address }), use))
  await until('the first connection', () => owners.length === 1)
  await bus.kill()
  await bus.start()
  await until('the second connection', () => owners.length === 2)
  await FakeService.start(t, bus.address, NAME)

  assert.equal(await arrival('the service', used), 2)
})

test('what a service refuses is not tried again', options, async (t) => {
  const bus = await startBus(t)
  let uses = 0

  const why = await Effect.runPromise(
    Effect.flip(
      whileConnected(linuxDbus({ address: bus.address }), (connection) => {
        uses += 1
        return connection.call(lampCall('Switch'))
      }),
    ),
  )

  assert.equal(why.kind, 'error')
  assert.equal(uses, 1)
})

test('attempts become rarer, and never cease', () => {
  assert.deepEqual([1, 2, 3, 7, 1000].map(pauseBeforeMs), [500, 1_000, 2_000, 30_000, 30_000])
})
