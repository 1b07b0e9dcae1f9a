// NetworkManager on the bus: its objects, and the few questions that everything here is made of.
import * as Effect from 'effect/Effect'
import type { DbusCall, DbusConnection, DbusFailure } from '../dbus/port.ts'
import { PROPERTIES } from '../dbus/properties.ts'
import { plainValue } from '../dbus/variant.ts'

/** The name of the service, which its interfaces begin with. */
export const NM = 'org.freedesktop.NetworkManager'
/** The object that stands for all of it. */
export const NM_PATH = '/org/freedesktop/NetworkManager'
/** The object that has the profiles. */
export const SETTINGS_PATH = `${NM_PATH}/Settings`
/** How it says that there is nothing. */
export const NOTHING = '/'

const LIMIT_MS = 10_000 // it answers within 5 ms

/** A call of one of its methods. of: the interface, after its name; empty: the main one. */
export const nmCall = (
  connection: DbusConnection,
  path: string,
  of: string,
  member: string,
  signature = '',
  ...body: readonly unknown[]
): Effect.Effect<readonly unknown[], DbusFailure> => {
  const call: DbusCall = { service: NM, path, interface: nmInterface(of), member, signature, body, limitMs: LIMIT_MS }
  return connection.call(call)
}

/** The full name of one of its interfaces. */
export const nmInterface = (of: string): string => (of === '' ? NM : `${NM}.${of}`)

/** All properties of an object, without signatures. */
export const nmProperties = (
  connection: DbusConnection,
  path: string,
  of: string,
): Effect.Effect<Readonly<Record<string, unknown>>, DbusFailure> =>
  Effect.map(
    connection.call({
      service: NM,
      path,
      interface: PROPERTIES,
      member: 'GetAll',
      signature: 's',
      body: [nmInterface(of)],
      limitMs: LIMIT_MS,
    }),
    ([found]) => plainValue(found) as Readonly<Record<string, unknown>>,
  )

/** The same of an object that may be gone by now; then there are none. */
export const nmPropertiesLeft = (
  connection: DbusConnection,
  path: string,
  of: string,
): Effect.Effect<Readonly<Record<string, unknown>>, DbusFailure> =>
  Effect.catch(nmProperties(connection, path, of), (why) =>
    isUnknownObject(why) ? Effect.succeed({}) : Effect.fail(why),
  )

/** Whether it says that the object is not there. */
export const isUnknownObject = ({ name }: DbusFailure): boolean =>
  name === 'org.freedesktop.DBus.Error.UnknownMethod' || // no object is at the path, so no method is
  name === 'org.freedesktop.DBus.Error.UnknownInterface' || // a moment before
  name === 'org.freedesktop.DBus.Error.UnknownObject' ||
  name === `${NM}.Settings.InvalidConnection` ||
  name === `${NM}.InvalidArguments` ||
  name === `${NM}.UnknownConnection`

/** Whether it does not run at all. */
export const isAway = ({ kind, name }: DbusFailure): boolean =>
  kind === 'no-bus' ||
  name === 'org.freedesktop.DBus.Error.ServiceUnknown' ||
  name === 'org.freedesktop.DBus.Error.NameHasNoOwner' ||
  name?.startsWith('org.freedesktop.DBus.Error.Spawn.') === true
