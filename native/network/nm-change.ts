// A change through NetworkManager's checkpoint: it makes a profile of ours, and whatever becomes of this process, it is
// undone after the limit unless the checkpoint is destroyed. Until then the profile is in memory alone, so that a power
// cut undoes it too.
import { randomUUID } from 'node:crypto'
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { NetworkChange } from '../../machines/network/change.ts'
import type { Checkpoint, PreparedChange } from '../../machines/network/record.ts'
import { busCall } from '../dbus/bus-names.ts'
import type { DbusConnection, DbusFailure } from '../dbus/port.ts'
import { DbusVariant } from '../dbus/variant.ts'
import {
  isUnknownObject,
  NM,
  NM_PATH,
  NOTHING,
  nmCall,
  nmProperties,
  nmPropertiesLeft,
  SETTINGS_PATH,
} from './nm-names.ts'
import { profileSettings } from './nm-reading.ts'
import { isOurs, type OrderedRecord, profileName } from './port.ts'

const DELETE_NEW = 2 // of a checkpoint: what was made since goes when it is rolled back
const IN_MEMORY = 0x2
const BLOCK_AUTOCONNECT = 0x20
const TO_DISK = 0x1
const PRIORITY = 100 // over what the image brought; its profiles have 0 and less
const LINK_LOCAL_ENABLED = 3
const EUI64 = 0 // the address of the cable stays the same with each profile
const ACTIVATED = 2
const DEACTIVATED = 4
const DEVICE_IP_CONFIG = 70
const DEVICE_ACTIVATED = 100
const LOOK_EVERY_MS = 100
const BACK_LIMIT_MS = 5_000
const ACTIVATION_LIMIT_MS = 20_000
const LINK_LOCAL_SINCE = [1, 40] as const
const PROBE_MS = 1_000 // three questions by ARP whether somebody has the address, which kernels answer in some ms
const MAX_PROBE_MS = 3_000 // from when all else is done on; the address is there by then, also on a busy device

const failure = (text: string): DbusFailure => ({ kind: 'error', name: null, text })

const GONE = failure('it was undone already, since its time was over')

const variantsOf = (section: Readonly<Record<string, readonly [signature: string, value: unknown]>>) =>
  Object.fromEntries(
    Object.entries(section).map(([key, [signature, value]]) => [key, new DbusVariant(signature, value)]),
  )

interface ProfileUse {
  /** It is only tried: its address is not taken when another device has it, which is found out by asking. */
  readonly isTrial: boolean
  /** Of NetworkManager. */
  readonly version: unknown
}

/**
 * The profile of a change. One that is kept has its address whoever else has it: a device that starts while another one
 * has that by mistake must not stay without any.
 */
const settingsOf = (
  change: NetworkChange,
  { profile_uuid }: PreparedChange,
  { isTrial, version }: ProfileUse,
): Readonly<Record<string, Readonly<Record<string, DbusVariant>>>> => ({
  connection: variantsOf({
    id: ['s', profileName(change)],
    uuid: ['s', profile_uuid],
    type: ['s', '802-3-ethernet'],
    'interface-name': ['s', change.interface],
    autoconnect: ['b', true],
    'autoconnect-priority': ['i', PRIORITY],
  }),
  ipv4: variantsOf({
    ...(change.method === 'dhcp' ? { method: ['s', 'auto'] } : staticSettings(change)),
    'may-fail': ['b', true],
    ...(isTrial && { 'dad-timeout': ['i', PROBE_MS] }),
    // an address of 169.254.x.x beside
    ...(isSince(versionOf(version), LINK_LOCAL_SINCE) && { 'link-local': ['i', LINK_LOCAL_ENABLED] }),
  }),
  ipv6: variantsOf({ method: ['s', 'link-local'], 'may-fail': ['b', true], 'addr-gen-mode': ['i', EUI64] }),
})

const staticSettings = ({ address = '', prefix = 0, gateway, dns = [] }: NetworkChange) =>
  ({
    method: ['s', 'manual'],
    'address-data': ['aa{sv}', [{ address: new DbusVariant('s', address), prefix: new DbusVariant('u', prefix) }]],
    ...(gateway !== undefined && { gateway: ['s', gateway] as const }),
    dns: ['au', dns.map(inNetworkOrder)],
  }) as const

/** NetworkManager takes the bytes of an address as they lie in memory. */
const inNetworkOrder = (address: string): number => Buffer.from(address.split('.').map(Number)).readUInt32LE()

const versionOf = (text: unknown): readonly number[] => String(text).split('.').map(Number)

const isSince = ([major = 0, minor = 0]: readonly number[], [wanted, least]: readonly [number, number]): boolean =>
  major > wanted || (major === wanted && minor >= least)

const devicePath = (connection: DbusConnection, name: string): Effect.Effect<string, DbusFailure> =>
  Effect.map(nmCall(connection, NM_PATH, '', 'GetDeviceByIpIface', 's', name), ([path]) => String(path))

/** The profile in force on a device, by its uuid; null: none. */
const activeUuid = (connection: DbusConnection, device: string): Effect.Effect<string | null, DbusFailure> =>
  Effect.gen(function* () {
    const { ActiveConnection } = yield* nmProperties(connection, device, 'Device')
    if (typeof ActiveConnection !== 'string' || ActiveConnection === NOTHING) return null
    const { Uuid } = yield* nmPropertiesLeft(connection, ActiveConnection, 'Connection.Active')
    return typeof Uuid === 'string' ? Uuid : null
  })

/** What is found before a change. */
export const findBefore = (
  connection: DbusConnection,
  change: NetworkChange,
): Effect.Effect<Omit<PreparedChange, 'previous_addresses'>, DbusFailure> =>
  Effect.gen(function* () {
    const device = yield* devicePath(connection, change.interface)
    return { profile_uuid: randomUUID(), previous_uuid: yield* activeUuid(connection, device) }
  })

/** Who has the name of NetworkManager now, on the bus. */
const ownerOf = (connection: DbusConnection): Effect.Effect<string, DbusFailure> =>
  Effect.map(connection.call(busCall('GetNameOwner', NM)), ([owner]) => String(owner))

/** Has a change in force. */
export const applyChange = (
  connection: DbusConnection,
  change: NetworkChange,
  prepared: PreparedChange,
  limitS: number,
): Effect.Effect<Checkpoint, DbusFailure> =>
  Effect.gen(function* () {
    const device = yield* devicePath(connection, change.interface)
    const owner = yield* ownerOf(connection)
    const { Version } = yield* nmProperties(connection, NM_PATH, '')
    const [path] = yield* nmCall(connection, NM_PATH, '', 'CheckpointCreate', 'aouu', [device], limitS, DELETE_NEW)
    const settings = settingsOf(change, prepared, { isTrial: true, version: Version })
    const flags = IN_MEMORY | BLOCK_AUTOCONNECT
    const [profile] = yield* Effect.onError(
      nmCall(connection, SETTINGS_PATH, 'Settings', 'AddConnection2', 'a{sa{sv}}ua{sv}', settings, flags, {}),
      // without a profile of ours nobody knows it for ours, and a second one on a device is refused
      () => Effect.ignore(nmCall(connection, NM_PATH, '', 'CheckpointDestroy', 'o', path)),
    )
    yield* activate(connection, String(profile), device, change)
    return { path: String(path), owner }
  })

/** Has a profile in force on a device, and waits until it is. */
const activate = (
  connection: DbusConnection,
  profile: string,
  device: string,
  change: NetworkChange,
): Effect.Effect<void, DbusFailure> =>
  Effect.gen(function* () {
    const [active] = yield* nmCall(connection, NM_PATH, '', 'ActivateConnection', 'ooo', profile, device, NOTHING)
    const look = howFar(connection, String(active), device, change)
    const looking: Effect.Effect<void, DbusFailure> = Effect.gen(function* () {
      for (let looksWithout = 0; looksWithout < MAX_PROBE_MS / LOOK_EVERY_MS; ) {
        const found = yield* look
        if (found === 'in-force') return
        if (found === 'without-address') looksWithout += 1
        yield* Effect.sleep(LOOK_EVERY_MS)
      }
      return yield* Effect.fail(failure(`another device in this network has ${change.address}`))
    })
    yield* Effect.timeoutOrElse(looking, {
      duration: ACTIVATION_LIMIT_MS,
      orElse: () => Effect.fail(failure(`it was not in force within ${ACTIVATION_LIMIT_MS / 1000} s`)),
    })
  })

/**
 * How far it is. A fixed address is in force as soon as the device has it, also while an address of IPv6 is still tried
 * out. NetworkManager may be done without it: then it is still asking whether somebody has it, or somebody has. DHCP is
 * in force as soon as the network is asked, which may answer later or never.
 */
const howFar = (
  connection: DbusConnection,
  active: string,
  device: string,
  { method, address }: NetworkChange,
): Effect.Effect<'in-force' | 'without-address' | 'under-way', DbusFailure> =>
  Effect.gen(function* () {
    const { State } = yield* Effect.mapError(nmProperties(connection, active, 'Connection.Active'), (why) =>
      isUnknownObject(why) ? GONE : why,
    )
    if (State === DEACTIVATED) return yield* Effect.fail(failure('it could not be brought into force'))
    const isDone = State === ACTIVATED
    const now = yield* nmProperties(connection, device, 'Device')
    if (now.ActiveConnection !== active) return 'under-way'
    if (method === 'dhcp') return isDone || Number(now.State) >= DEVICE_IP_CONFIG ? 'in-force' : 'under-way'
    const path = typeof now.Ip4Config === 'string' ? now.Ip4Config : NOTHING
    const { AddressData = [] } = path === NOTHING ? {} : yield* nmPropertiesLeft(connection, path, 'IP4Config')
    const addresses = AddressData as readonly { readonly address?: unknown }[]
    if (addresses.some((each) => each.address === address)) return 'in-force'
    return isDone ? 'without-address' : 'under-way'
  })

/** How long until a checkpoint is rolled back; null: it is gone. */
export const remainingOf = (
  connection: DbusConnection,
  checkpoint: Checkpoint | null,
  nowMs: () => number,
): Effect.Effect<number | null, DbusFailure> =>
  Effect.gen(function* () {
    if (!checkpoint || (yield* ownerOf(connection)) !== checkpoint.owner) return null
    const { Checkpoints } = yield* nmProperties(connection, NM_PATH, '')
    if (!(Checkpoints as readonly unknown[]).includes(checkpoint.path)) return null
    const { Created, RollbackTimeout } = yield* nmPropertiesLeft(connection, checkpoint.path, 'Checkpoint')
    if (Created === undefined) return null
    return Math.max(0, Number(Created) + Number(RollbackTimeout) * 1_000 - nowMs())
  })

/** Ends when the process that has a checkpoint is another one. */
export const whenOwnerChanges = (
  connection: DbusConnection,
  { owner }: Checkpoint,
): Effect.Effect<void, DbusFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const gone = Promise.withResolvers<void>()
    const now = yield* connection.follow(NM, {
      owner: (next) => {
        if (next !== owner) gone.resolve()
      },
    })
    if (now !== owner) return
    yield* Effect.promise(() => gone.promise)
  })

const profileOf = (connection: DbusConnection, uuid: string): Effect.Effect<string | null, DbusFailure> =>
  Effect.catch(
    Effect.map(nmCall(connection, SETTINGS_PATH, 'Settings', 'GetConnectionByUuid', 's', uuid), ([path]) =>
      String(path),
    ),
    (why) => (isUnknownObject(why) ? Effect.succeed(null) : Effect.fail(why)),
  )

/** Keeps a change: its profile on the disk, without a checkpoint, and without an earlier profile of ours. */
export const keepChange = (
  connection: DbusConnection,
  { change, prepared, checkpoint }: OrderedRecord,
): Effect.Effect<void, DbusFailure> =>
  Effect.gen(function* () {
    const profile = yield* profileOf(connection, prepared.profile_uuid)
    if (!profile) return yield* Effect.fail(GONE)
    const { Unsaved } = yield* nmProperties(connection, profile, 'Settings.Connection')
    // kept already, and the power was cut before that was written down: it may wait for its cable now
    if (Unsaved === false) return yield* dropOurs(connection, change.interface, profile)
    if (checkpoint)
      yield* Effect.catch(nmCall(connection, NM_PATH, '', 'CheckpointDestroy', 'o', checkpoint.path), ignoreUnknown)
    // it may have been rolled back a moment ago, and be on its way out
    const device = yield* devicePath(connection, change.interface)
    if ((yield* activeUuid(connection, device)) !== prepared.profile_uuid) return yield* Effect.fail(GONE)
    const { Version } = yield* nmProperties(connection, NM_PATH, '')
    const settings = settingsOf(change, prepared, { isTrial: false, version: Version })
    yield* nmCall(connection, profile, 'Settings.Connection', 'Update2', 'a{sa{sv}}ua{sv}', settings, TO_DISK, {})
    yield* dropOurs(connection, change.interface, profile)
  })

/** Forgets all profiles of ours for an interface but one. */
const dropOurs = (connection: DbusConnection, name: string, kept: string): Effect.Effect<void, DbusFailure> =>
  Effect.gen(function* () {
    const [paths] = yield* nmCall(connection, SETTINGS_PATH, 'Settings', 'ListConnections')
    for (const path of (paths as readonly string[]).filter((each) => each !== kept)) {
      const settings = yield* Effect.orElseSucceed(profileSettings(connection, path), () => undefined)
      const id = settings?.connection?.id
      if (typeof id === 'string' && isOurs(id, name) && settings?.connection?.['interface-name'] === name)
        yield* nmCall(connection, path, 'Settings.Connection', 'Delete')
    }
  })

/** Everything as before: by the checkpoint if it is there, and by hand where it is not. */
export const undoChange = (
  connection: DbusConnection,
  { change, prepared, checkpoint }: OrderedRecord,
): Effect.Effect<void, DbusFailure> =>
  Effect.gen(function* () {
    const device = yield* devicePath(connection, change.interface)
    const rollBack = (path: string) =>
      Effect.catch(nmCall(connection, NM_PATH, '', 'CheckpointRollback', 'o', path), ignoreUnknown)
    const made = yield* profileOf(connection, prepared.profile_uuid)
    const begun = made ? yield* checkpointsOn(connection, device) : []
    for (const path of checkpoint ? [checkpoint.path] : begun) yield* rollBack(path)
    const before = prepared.previous_uuid === null ? null : yield* profileOf(connection, prepared.previous_uuid)
    if (before && (yield* activeUuid(connection, device)) !== prepared.previous_uuid)
      yield* nmCall(connection, NM_PATH, '', 'ActivateConnection', 'ooo', before, device, NOTHING)
    const left = made && (yield* profileOf(connection, prepared.profile_uuid))
    if (left) yield* Effect.catch(nmCall(connection, left, 'Settings.Connection', 'Delete'), ignoreUnknown)
    // without a cable it never is, and that is as before too
    if (before) yield* Effect.ignore(Effect.timeout(untilInForce(connection, device), BACK_LIMIT_MS))
  })

const ignoreUnknown = (why: DbusFailure): Effect.Effect<readonly unknown[], DbusFailure> =>
  isUnknownObject(why) ? Effect.succeed([]) : Effect.fail(why)

const untilInForce = (connection: DbusConnection, device: string): Effect.Effect<void, DbusFailure> =>
  Effect.flatMap(nmProperties(connection, device, 'Device'), ({ State }) =>
    State === DEVICE_ACTIVATED
      ? Effect.void
      : Effect.andThen(Effect.sleep(LOOK_EVERY_MS), untilInForce(connection, device)),
  )

/** The checkpoints of a device: of a change that was begun, and of which no more is known. */
const checkpointsOn = (connection: DbusConnection, device: string): Effect.Effect<readonly string[], DbusFailure> =>
  Effect.gen(function* () {
    const { Checkpoints } = yield* nmProperties(connection, NM_PATH, '')
    const all = Array.isArray(Checkpoints) ? (Checkpoints as readonly string[]) : []
    const devices = yield* Effect.forEach(all, (path) => nmPropertiesLeft(connection, path, 'Checkpoint'))
    return all.filter((_, n) => (devices[n]?.Devices as readonly unknown[] | undefined)?.includes(device))
  })
