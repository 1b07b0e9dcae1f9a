// What NetworkManager says of the interfaces that it looks after.
import * as Effect from 'effect/Effect'
import type { NetworkInterface } from '../../machines/network/interface.ts'
import type { DbusConnection, DbusFailure } from '../dbus/port.ts'
import { plainValue } from '../dbus/variant.ts'
import { NM_PATH, NOTHING, nmCall, nmProperties } from './nm-names.ts'
import type { ManagedBy } from './other-managers.ts'
import { isOurs } from './port.ts'

/** What it says of one; refusal: why we do not change it. */
export type ManagedByNm = ManagedBy & Pick<NetworkInterface, 'refusal'>

const STATE_UNMANAGED = 10
const ETHERNET = 1
const VETH = 20
const CHANGEABLE: readonly unknown[] = [ETHERNET, VETH]

const METHODS: Readonly<Record<string, NetworkInterface['method']>> = {
  auto: 'dhcp',
  manual: 'static',
  'link-local': 'link-local',
  shared: 'shared',
  disabled: 'off',
}

/** Of those that it manages, by name. */
export const readDevices = (connection: DbusConnection): Effect.Effect<ReadonlyMap<string, ManagedByNm>, DbusFailure> =>
  Effect.gen(function* () {
    const [paths] = yield* nmCall(connection, NM_PATH, '', 'GetDevices')
    const found = yield* Effect.forEach(
      paths as readonly string[],
      // one that goes away meanwhile is not there
      (path) => Effect.orElseSucceed(readDevice(connection, path), () => undefined),
      { concurrency: 'unbounded' },
    )
    return new Map(found.flatMap((each) => (each ? [each] : [])))
  })

const readDevice = (
  connection: DbusConnection,
  path: string,
): Effect.Effect<readonly [string, ManagedByNm] | undefined, DbusFailure> =>
  Effect.gen(function* () {
    const device = yield* nmProperties(connection, path, 'Device')
    if (device.State === STATE_UNMANAGED) return undefined
    const active = typeof device.ActiveConnection === 'string' ? device.ActiveConnection : NOTHING
    const profile =
      active === NOTHING
        ? yield* firstAvailable(connection, device.AvailableConnections)
        : yield* activeProfile(connection, active)
    const ip4 = typeof device.Ip4Config === 'string' ? device.Ip4Config : NOTHING
    const config = ip4 === NOTHING ? {} : yield* nmProperties(connection, ip4, 'IP4Config')
    const name = String(device.Interface)
    const by: ManagedByNm = {
      manager: 'NetworkManager',
      method: METHODS[profile?.method ?? ''] ?? null,
      profile: profile
        ? { name: profile.name, is_ours: isOurs(profile.name, name), is_active: active !== NOTHING }
        : null,
      dns: serversIn(config.NameserverData),
      refusal: CHANGEABLE.includes(device.DeviceType)
        ? null
        : 'only interfaces for cables are changed here; use nmcli for this one',
    }
    return [name, by] as const
  })

interface Profile {
  readonly name: string
  readonly method: string
}

const activeProfile = (connection: DbusConnection, active: string): Effect.Effect<Profile | undefined, DbusFailure> =>
  Effect.flatMap(nmProperties(connection, active, 'Connection.Active'), ({ Connection }) =>
    readProfile(connection, String(Connection)),
  )

/** What would be in force if something were at the other end. Those that do not come up by themselves do not count. */
const firstAvailable = (connection: DbusConnection, paths: unknown): Effect.Effect<Profile | undefined, DbusFailure> =>
  Effect.map(
    Effect.forEach(Array.isArray(paths) ? paths : [], (path) => readProfile(connection, String(path))),
    (profiles) => profiles.find((each) => each !== undefined),
  )

const readProfile = (connection: DbusConnection, path: string): Effect.Effect<Profile | undefined, DbusFailure> =>
  Effect.map(profileSettings(connection, path), ({ connection: about, ipv4 }) =>
    about?.autoconnect === false
      ? undefined
      : { name: String(about?.id ?? ''), method: typeof ipv4?.method === 'string' ? ipv4.method : '' },
  )

/** The settings of a profile, by section, without signatures. */
export const profileSettings = (
  connection: DbusConnection,
  path: string,
): Effect.Effect<Readonly<Record<string, Readonly<Record<string, unknown>>>>, DbusFailure> =>
  Effect.map(nmCall(connection, path, 'Settings.Connection', 'GetSettings'), ([settings]) => plain(settings))

const plain = (settings: unknown): Readonly<Record<string, Readonly<Record<string, unknown>>>> =>
  plainValue(settings) as Readonly<Record<string, Readonly<Record<string, unknown>>>>

const serversIn = (data: unknown): string[] =>
  (Array.isArray(data) ? data : []).flatMap(({ address }: { readonly address?: unknown }) =>
    typeof address === 'string' ? [address] : [],
  )
