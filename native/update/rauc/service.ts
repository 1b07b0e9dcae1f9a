// What RAUC is asked over the bus. Its errors have one name for everything, so what happened is told by their text and
// by what it says of itself afterwards. RAUC 1.8 has no InspectBundle, newer ones may lose Info.
import * as Effect from 'effect/Effect'
import type { Mark, RaucSlot } from '../../../machines/update/rauc-slots.ts'
import type { DbusConnection, DbusFailure } from '../../dbus/port.ts'
import { readProperty } from '../../dbus/properties.ts'
import { plainValue } from '../../dbus/variant.ts'

/** Its name on the bus, and that of its interface. */
export const RAUC = 'de.pengutronix.rauc'
export const INSTALLER = `${RAUC}.Installer`

const OBJECT = { service: RAUC, path: '/', interface: INSTALLER } as const
const INSPECT_LIMIT_MS = 60_000 // it reads all of a bundle of the format `plain`
const UNKNOWN_METHOD = 'org.freedesktop.DBus.Error.UnknownMethod'

/** A slot as RAUC knows it. */
export interface RaucStatus extends RaucSlot {
  /** How often something was installed there; null: it keeps no count. */
  readonly installs: number | null
  /** For the boot loader. */
  readonly bootname: string
}

/** What RAUC says of a bundle. */
export interface RaucBundle {
  readonly compatible: string
  readonly version: string
}

/** The slots that can be started, of the class of the one that runs; all, when none of them does. */
export const readSlots = (connection: DbusConnection): Effect.Effect<readonly RaucStatus[], DbusFailure> =>
  Effect.map(connection.call({ ...OBJECT, member: 'GetSlotStatus' }), ([slots]) => {
    const known = (plainValue(slots) as readonly (readonly [string, Readonly<Record<string, unknown>>])[])
      .filter(([, { bootname }]) => typeof bootname === 'string' && bootname !== '')
      .map(([name, values]) => ({ name, values }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
    const booted = known.find(({ values }) => values.state === 'booted')
    return known.filter(({ values }) => !booted || values.class === booted.values.class).map(statusOf)
  })

const statusOf = ({ name, values }: { readonly name: string; readonly values: Readonly<Record<string, unknown>> }) => {
  const { state, 'boot-status': bootStatus, 'bundle.version': version, 'installed.count': installs } = values
  return {
    name,
    isBooted: state === 'booted',
    bootStatus: bootStatus === 'good' || bootStatus === 'bad' ? bootStatus : null,
    version: typeof version === 'string' && version !== '' ? version : null,
    installs: typeof installs === 'number' ? installs : null,
    bootname: String(values.bootname),
  } satisfies RaucStatus
}

/** The slot that the boot loader prefers; null: it cannot say. */
export const readPrimary = (connection: DbusConnection): Effect.Effect<string | null, DbusFailure> =>
  Effect.catch(
    Effect.map(connection.call({ ...OBJECT, member: 'GetPrimary' }), ([name]) =>
      typeof name === 'string' && name !== '' ? name : null,
    ),
    (failure) => (failure.kind === 'error' ? Effect.succeed(null) : Effect.fail(failure)),
  )

/** A property of RAUC. */
export const readOfRauc = (
  connection: DbusConnection,
  name: 'Operation' | 'LastError' | 'Compatible',
): Effect.Effect<string, DbusFailure> => Effect.map(readProperty(connection, OBJECT, name), String)

/** Tells RAUC of a slot. */
export const mark = (connection: DbusConnection, { state, slot }: Mark): Effect.Effect<void, DbusFailure> =>
  Effect.asVoid(connection.call({ ...OBJECT, member: 'Mark', signature: 'ss', body: [state, slot] }))

/** What RAUC says of a bundle whose signature holds; an error is why it does not. */
export const inspect = (connection: DbusConnection, path: string): Effect.Effect<RaucBundle, DbusFailure> => {
  const call = (member: string, signature: string, ...body: readonly unknown[]) =>
    Effect.map(connection.call({ ...OBJECT, member, signature, body, limitMs: INSPECT_LIMIT_MS }), plainValue)
  const byInfo = Effect.map(call('Info', 's', path), (answer) => {
    const [compatible, version] = answer as readonly unknown[]
    return { compatible: String(compatible), version: String(version) }
  })
  return Effect.catch(
    Effect.map(call('InspectBundle', 'sa{sv}', path, {}), (answer) => {
      const [{ update }] = answer as readonly [{ readonly update?: Partial<RaucBundle> }]
      return { compatible: String(update?.compatible), version: String(update?.version) }
    }),
    (failure) => (failure.name === UNKNOWN_METHOD ? byInfo : Effect.fail(failure)),
  )
}

/** Has RAUC install a bundle; it only begins with it. */
export const beginInstall = (connection: DbusConnection, path: string): Effect.Effect<void, DbusFailure> =>
  Effect.asVoid(connection.call({ ...OBJECT, member: 'InstallBundle', signature: 'sa{sv}', body: [path, {}] }))
