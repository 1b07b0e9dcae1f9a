// Whether who would undo a change is still there, over connections to the bus that come and go.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import type { DbusConnection, DbusFailure, DbusListener, DbusPort } from '../../../native/dbus/port.ts'
import { linuxNetwork } from '../../../native/network/linux.ts'
import type { OrderedRecord } from '../../../native/network/port.ts'
import { arrival, until } from '../../support/until.ts'

const LOST: DbusFailure = { kind: 'lost', name: null, text: 'the connection to the system bus ended' }

/** A bus on which one has the name of NetworkManager, and of which a test ends the connections. */
const bus = () => {
  const connections: { readonly lose: () => void; readonly listener: () => DbusListener | undefined }[] = []
  const state: { owner: string | null } = { owner: ':1.5' }
  const connect = Effect.sync((): DbusConnection => {
    const lost = Promise.withResolvers<void>()
    let listener: DbusListener | undefined
    connections.push({ lose: lost.resolve, listener: () => listener })
    return {
      call: () => Effect.fail(LOST),
      follow: (_service, heard) =>
        Effect.sync(() => {
          listener = heard
          return state.owner
        }),
      lost: Effect.andThen(
        Effect.promise(() => lost.promise),
        Effect.fail(LOST),
      ),
    }
  })
  return { dbus: { connect } satisfies DbusPort, connections, state }
}

const record = { checkpoint: { path: '/checkpoint', owner: ':1.5' } } as OrderedRecord

const watching = (dbus: DbusPort) => {
  const seen = { isOver: false }
  const over = Effect.runPromise(linuxNetwork({ dbus } as Parameters<typeof linuxNetwork>[0]).whenGone(record))
  void over.then(() => {
    seen.isOver = true
  })
  return { over, seen }
}

test('a connection to the bus that is lost is made again, and who would undo it is still there', async () => {
  const { dbus, connections } = bus()
  const { over, seen } = watching(dbus)
  await until('it listens', () => connections[0]?.listener())

  connections[0]?.lose()
  const listener = await until('it listens again', () => connections[1]?.listener() ?? seen.isOver)
  assert.equal(seen.isOver, false, 'nothing is known to have ended')
  ;(listener as DbusListener).owner?.(':1.9')

  assert.match(await arrival('the end', over), /NetworkManager, which would have undone it, ended/)
})

test('one that ended while there was no connection is found gone with the next one', async () => {
  const { dbus, connections, state } = bus()
  const { over } = watching(dbus)
  await until('it listens', () => connections[0]?.listener())

  state.owner = null
  connections[0]?.lose()

  assert.match(await arrival('the end', over), /NetworkManager, which would have undone it, ended/)
  assert.equal(connections.length, 2)
})
