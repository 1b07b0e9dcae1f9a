// What is asked of NetworkManager where its answers come in an unlucky order: played by a connection that says what it
// is told to say. How a real one does is in network-manager.test.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import type { DbusCall, DbusConnection, DbusFailure } from '../../../native/dbus/port.ts'
import { applyChange, keepChange } from '../../../native/network/nm-change.ts'
import type { OrderedRecord } from '../../../native/network/port.ts'

const run = Effect.runPromise
const record: OrderedRecord = {
  change: { interface: 'e0', method: 'static', address: '10.2.54.11', prefix: 24 },
  prepared: { profile_uuid: 'new', previous_uuid: 'old', previous_addresses: [] },
  checkpoint: { path: '/checkpoint/1', owner: ':1.7' },
}

const failure = (name: string): DbusFailure => ({ kind: 'error', name, text: `it says ${name}` })

/** Of an object: `Settings.Connection` of `org.freedesktop.NetworkManager.Settings.Connection`. */
const propertiesOf = ({ body = [] }: DbusCall): string => String(body[0]).split('NetworkManager.')[1] ?? ''

/** A bus on which methods, and `GetAll` of an interface, answer what is given; calls: all, by method. */
const scripted = (answers: Readonly<Record<string, readonly unknown[] | DbusFailure>>) => {
  const calls: string[] = []
  const connection: DbusConnection = {
    call: (call) =>
      Effect.suspend(() => {
        const name = call.member === 'GetAll' ? propertiesOf(call) : call.member
        if (call.member !== 'GetAll') calls.push(name)
        const answer = answers[name] ?? []
        return Array.isArray(answer) ? Effect.succeed(answer) : Effect.fail(answer as DbusFailure)
      }),
    follow: () => Effect.succeed(null),
    lost: Effect.never,
  }
  return { connection, calls }
}

const WITHOUT_CABLE = { ActiveConnection: '/' }

test('a change that was kept before the power was cut stays, also where nothing is plugged in any more', async () => {
  const { connection, calls } = scripted({
    GetConnectionByUuid: ['/profile/new'],
    GetDeviceByIpIface: ['/device/1'],
    Device: [WITHOUT_CABLE],
    'Settings.Connection': [{ Unsaved: false }],
    ListConnections: [['/profile/new']],
  })

  await run(keepChange(connection, record))

  assert.ok(!calls.includes('Delete'))
})

test('a change that is in memory alone, and not in force, is not kept', async () => {
  const { connection, calls } = scripted({
    GetConnectionByUuid: ['/profile/new'],
    GetDeviceByIpIface: ['/device/1'],
    Device: [WITHOUT_CABLE],
    'Settings.Connection': [{ Unsaved: true }],
  })

  assert.match((await run(Effect.flip(keepChange(connection, record)))).text, /undone already/)

  assert.ok(!calls.includes('Update2'))
})

test('a change that is refused leaves no checkpoint, which would refuse the next one', async () => {
  const { connection, calls } = scripted({
    GetDeviceByIpIface: ['/device/1'],
    GetNameOwner: [':1.7'],
    '': [{ Version: '1.42.4' }],
    CheckpointCreate: ['/checkpoint/1'],
    AddConnection2: failure('org.freedesktop.NetworkManager.Settings.PermissionDenied'),
  })

  const why = await run(Effect.flip(applyChange(connection, record.change, record.prepared, 60)))

  assert.match(why.text, /PermissionDenied/)
  assert.deepEqual(calls.slice(-2), ['AddConnection2', 'CheckpointDestroy'])
})
