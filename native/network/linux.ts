// The networks of a Linux device: read from the kernel and whoever looks after them, changed through NetworkManager.
import { uptime } from 'node:os'
import * as Effect from 'effect/Effect'
import type * as Scope from 'effect/Scope'
import type { Fault } from '../../machines/errors/fault.ts'
import type { NetworkInterface } from '../../machines/network/interface.ts'
import type { Checkpoint } from '../../machines/network/record.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import type { DbusConnection, DbusFailure, DbusPort } from '../dbus/port.ts'
import type { ProgramsPort } from '../programs/port.ts'
import { syncFileSystem } from '../programs/sync.ts'
import type { SystemFiles } from '../system-files/port.ts'
import { type KernelInterface, readKernel } from './kernel.ts'
import { applyChange, findBefore, keepChange, remainingOf, undoChange, whenOwnerChanges } from './nm-change.ts'
import { isAway } from './nm-names.ts'
import { type ManagedByNm, readDevices } from './nm-reading.ts'
import { byNobody, type ManagedBy, readOtherManagers } from './other-managers.ts'
import type { NetworkPort } from './port.ts'

/** What it works with. */
export interface LinuxNetworkParts {
  readonly dbus: DbusPort
  readonly programs: ProgramsPort
  readonly files: SystemFiles
  /** How often it is looked where nobody tells of changes. */
  readonly lookEveryMs?: number
}

const LOOK_EVERY_MS = 15_000
const LISTEN_AGAIN_MS = 5_000
const PROBE_LIMIT_MS = 5_000
const CONNECT_AGAIN_MS = 500
const MS = 1_000
const PROFILES = '/etc/NetworkManager' // NetworkManager writes a new one without syncing it

const AWAY = oneLine`
  NetworkManager does not run on this device, so that nobody here can change its network; what is shown is read from the
  system (Debian: apt install network-manager)
`

/** The networks of this device. */
export const linuxNetwork = (parts: LinuxNetworkParts): NetworkPort => {
  const { dbus, programs, files, lookEveryMs = LOOK_EVERY_MS } = parts
  const asked = <Value>(
    what: string,
    use: (connection: DbusConnection) => Effect.Effect<Value, DbusFailure, Scope.Scope>,
  ): Effect.Effect<Value, Fault> => Effect.mapError(Effect.scoped(Effect.flatMap(dbus.connect, use)), faultOfNm(what))

  const read = Effect.gen(function* () {
    const [links, managed] = yield* Effect.all([readKernel(parts), managedByNm(dbus)], { concurrency: 'unbounded' })
    if (links.length === 0) return yield* Effect.fail(UNREADABLE)
    const others = yield* Effect.promise(() =>
      readOtherManagers(
        files,
        links.map(({ name }) => name),
      ),
    )
    return {
      refusal: managed.refusal,
      interfaces: links.map((link) => interfaceOf(link, managed, others.get(link.name) ?? byNobody)),
    }
  })

  return {
    read,
    watch: (stirred) => watch({ programs, lookEveryMs }, stirred),
    askWhoHas: (name, address) => askWhoHas(programs, name, address),
    reach: (addresses) => Effect.forEach(addresses, (address) => ping(programs, address), { concurrency: 'unbounded' }),
    prepare: (change) =>
      Effect.gen(function* () {
        const before = yield* asked(`${change.interface} cannot be changed`, (bus) => findBefore(bus, change))
        const { interfaces } = yield* read
        const own = interfaces.find(({ name }) => name === change.interface)
        return { ...before, previous_addresses: own?.addresses.map(({ address }) => address) ?? [] }
      }),
    apply: (change, prepared, limitS) =>
      asked(`${change.interface} cannot be changed`, (bus) => applyChange(bus, change, prepared, limitS)),
    remainingMs: ({ change, checkpoint }) =>
      Effect.catch(
        Effect.scoped(Effect.flatMap(dbus.connect, (bus) => remainingOf(bus, checkpoint, () => uptime() * MS))),
        (why) =>
          isAway(why) ? Effect.succeed(null) : Effect.fail(faultOfNm(`${change.interface} cannot be asked`)(why)),
      ),
    whenGone: ({ checkpoint }) =>
      Effect.as(
        checkpoint ? whenKeeperEnds(dbus, checkpoint) : Effect.void,
        'NetworkManager, which would have undone it, ended or was restarted meanwhile',
      ),
    keep: (record) =>
      Effect.andThen(
        asked(`the change of ${record.change.interface} was not kept`, (bus) => keepChange(bus, record)),
        syncFileSystem(programs, PROFILES),
      ),
    undo: (record) => asked(`${record.change.interface} is not as it was before`, (bus) => undoChange(bus, record)),
  }
}

/** A connection that ends says nothing of NetworkManager: it is looked again over another one. */
const whenKeeperEnds = (dbus: DbusPort, checkpoint: Checkpoint): Effect.Effect<void> =>
  Effect.catch(
    Effect.scoped(Effect.flatMap(dbus.connect, (bus) => Effect.raceFirst(whenOwnerChanges(bus, checkpoint), bus.lost))),
    () => Effect.andThen(Effect.sleep(CONNECT_AGAIN_MS), whenKeeperEnds(dbus, checkpoint)),
  )

const UNREADABLE: Fault = {
  code: 'device.failed',
  detail: 'the networks of this device cannot be read: /sys/class/net is empty, and ip prints nothing',
}

const REMEDY = oneLine`
  The user of this service needs the rights org.freedesktop.NetworkManager.network-control, settings.modify.system and
  checkpoint-rollback, which a rule of polkit gives
`

const faultOfNm =
  (what: string) =>
  (why: DbusFailure): Fault => {
    const remedy = why.name?.endsWith('PermissionDenied') ? `. ${REMEDY}` : ''
    return { code: 'device.failed', detail: `${what}: ${isAway(why) ? AWAY : why.text}${remedy}` }
  }

interface Managed {
  readonly refusal: string | null
  readonly devices: ReadonlyMap<string, ManagedByNm>
}

const managedByNm = (dbus: DbusPort): Effect.Effect<Managed> =>
  Effect.match(Effect.scoped(Effect.flatMap(dbus.connect, readDevices)), {
    onSuccess: (devices): Managed => ({ refusal: null, devices }),
    onFailure: (why): Managed => ({
      refusal: isAway(why) ? AWAY : `NetworkManager cannot be asked: ${why.text}`,
      devices: new Map(),
    }),
  })

const interfaceOf = (link: KernelInterface, { refusal, devices }: Managed, other: ManagedBy): NetworkInterface => {
  const by = devices.get(link.name)
  if (by) return { ...link, ...by }
  const isOfNobody = other.manager === 'nobody' // else NetworkManager would leave it alone, too
  return { ...link, ...other, refusal: (isOfNobody ? refusal : null) ?? REFUSALS[other.manager] }
}

const REFUSALS: Readonly<Record<NetworkInterface['manager'], string>> = {
  NetworkManager: 'NetworkManager does not tell of it',
  networkd: 'networkd looks after it, whose files are not changed here',
  ifupdown: 'it stands in /etc/network/interfaces, which is not changed here',
  nobody: 'NetworkManager does not look after it',
}

/** `ip monitor` says a line for each change; where it cannot be had, one looks now and then. */
const watch = (
  { programs, lookEveryMs }: Required<Pick<LinuxNetworkParts, 'programs' | 'lookEveryMs'>>,
  stirred: () => void,
): Effect.Effect<void, never, Scope.Scope> => {
  const args = ['--pdeathsig', 'KILL', 'ip', 'monitor', 'link', 'address', 'route'] // it ends with us, however we do
  const told = programs.listen({ program: 'setpriv', args }, stirred)
  const again: Effect.Effect<never> = Effect.flatMap(
    Effect.match(told, { onSuccess: () => LISTEN_AGAIN_MS, onFailure: () => lookEveryMs }),
    (pauseMs) => Effect.andThen(Effect.andThen(Effect.sleep(pauseMs), Effect.sync(stirred)), again),
  )
  return Effect.asVoid(Effect.forkScoped(again))
}

/** Two versions of arping are about; only that of iputils probes with -D, and says that it asks from nowhere. */
const askWhoHas = (programs: ProgramsPort, name: string, address: string): Effect.Effect<string | null> =>
  programs
    .run({ program: 'arping', args: ['-D', '-c', '2', '-w', '2', '-I', name, address], limitMs: PROBE_LIMIT_MS })
    .pipe(
      Effect.map(({ exitCode, stdout }) => {
        if (exitCode !== 1 || !/from 0\.0\.0\.0/.test(stdout)) return null
        return /\[([0-9A-F:]{17})\]/i.exec(stdout)?.[1]?.toLowerCase() ?? null
      }),
      Effect.orElseSucceed(() => null),
    )

const ping = (programs: ProgramsPort, address: string): Effect.Effect<boolean | null> =>
  programs.run({ program: 'ping', args: ['-n', '-c', '1', '-W', '1', address], limitMs: PROBE_LIMIT_MS }).pipe(
    Effect.map(({ exitCode }) => (exitCode === 0 ? true : exitCode === 1 ? false : null)),
    Effect.orElseSucceed(() => null),
  )
