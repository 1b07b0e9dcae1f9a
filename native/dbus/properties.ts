// Properties of the objects of a service.
import * as Effect from 'effect/Effect'
import type { DbusCall, DbusConnection, DbusFailure, DbusSignal } from './port.ts'
import { plainValue } from './variant.ts'

/** Of every object. */
export const PROPERTIES = 'org.freedesktop.DBus.Properties'

/** The value of a property, without signatures. object: whose; its member is not looked at. */
export const readProperty = (
  connection: DbusConnection,
  object: Pick<DbusCall, 'service' | 'path' | 'interface' | 'limitMs'>,
  name: string,
): Effect.Effect<unknown, DbusFailure> =>
  Effect.map(
    connection.call({
      ...object,
      interface: PROPERTIES,
      member: 'Get',
      signature: 'ss',
      body: [object.interface, name],
    }),
    ([value]) => plainValue(value),
  )

/** The properties that changed by this signal, without signatures; undefined: it is about something else. */
export const changedProperties = (
  { interface: interfaceName, member, body }: DbusSignal,
  of: string,
): Readonly<Record<string, unknown>> | undefined =>
  interfaceName === PROPERTIES && member === 'PropertiesChanged' && body[0] === of
    ? (plainValue(body[1]) as Readonly<Record<string, unknown>>)
    : undefined
