// A device with two interfaces: a cable at which people change things, and a wireless one that stays as it is. Its
// counters run with the time.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { NetworkChange } from '../../machines/network/change.ts'
import type { NetworkInterface } from '../../machines/network/interface.ts'
import type { ChangeRecord, PreparedChange } from '../../machines/network/record.ts'
import type { Trouble } from '../../machines/system/device-choice.ts'
import { type NetworkPort, type NetworkRecords, profileName } from './port.ts'

/** How an interface of it is set. */
interface Setting {
  readonly uuid: string
  readonly profile: NetworkInterface['profile']
  readonly method: NetworkInterface['method']
  readonly address: string | null
  readonly prefix: number
  readonly gateway: string | null
  readonly dns: readonly string[]
}

const AT_FIRST: Setting = {
  uuid: 'first',
  profile: { name: 'Wired connection 1', is_ours: false, is_active: true },
  method: 'dhcp',
  address: '10.2.54.37',
  prefix: 24,
  gateway: '10.2.54.4',
  dns: ['10.2.54.4'],
}

const LINK_LOCAL = 'fe80::da3a:ddff:fe12:3456'
const RX_PER_MS = 12
const TX_PER_MS = 410
const BYTES_PER_PACKET = 900
const FIRST_BYTES = 3_000_000
const NO_ERRORS = { rx_errors: 0, tx_errors: 0, rx_dropped: 0, tx_dropped: 0 } as const

const AWAY = 'NetworkManager does not run on this made-up device, so that nobody can change its network'
const REFUSED: Fault = { code: 'device.failed', detail: 'eth0 cannot be changed: this made-up device refuses it' }

/** nowMs: any clock that goes on. */
export class FakeNetwork implements NetworkPort {
  readonly #troubles: readonly Trouble[]
  readonly #nowMs: () => number
  #setting: Setting = AT_FIRST
  #open: { readonly path: string; readonly before: Setting; readonly untilMs: number } | null = null
  #count = 0
  readonly #listeners = new Set<() => void>()
  readonly #goneListeners = new Set<() => void>()
  /** Addresses that somebody else has, with who. */
  readonly taken = new Map<string, string>()
  /** What of the cable is plugged in. */
  hasCable = true
  /** As long as it is set, everything that changes something fails with it. */
  fault: Fault | null = null
  /** What was done, in order. */
  readonly done: string[] = []

  constructor(troubles: readonly Trouble[] = [], nowMs: () => number = () => performance.now()) {
    this.#troubles = troubles
    this.#nowMs = nowMs
  }

  readonly read = Effect.sync(() => {
    const refusal = this.#troubles.includes('no-network-manager') ? AWAY : null
    return { refusal, interfaces: [this.#cable(refusal), this.#wireless(refusal), LOOPBACK] }
  })

  readonly watch = (stirred: () => void) =>
    Effect.asVoid(
      Effect.acquireRelease(
        Effect.sync(() => this.#listeners.add(stirred)),
        () => Effect.sync(() => this.#listeners.delete(stirred)),
      ),
    )

  /** Tells that something is different. */
  stir(): void {
    for (const listener of this.#listeners) listener()
  }

  readonly askWhoHas = (_name: string, address: string) => Effect.sync(() => this.taken.get(address) ?? null)

  readonly reach = (addresses: readonly string[]) =>
    Effect.sync(() => addresses.map((address) => this.hasCable && !address.endsWith('.2')))

  readonly prepare = (change: NetworkChange) =>
    this.#try(`prepare ${change.method}`, () => {
      this.#count += 1
      return {
        profile_uuid: `made-${this.#count}`,
        previous_uuid: this.#setting.uuid,
        previous_addresses: this.#setting.address === null ? [LINK_LOCAL] : [this.#setting.address, LINK_LOCAL],
      }
    })

  readonly apply = (change: NetworkChange, { profile_uuid }: PreparedChange, limitS: number) =>
    this.#try('apply', () => {
      const path = `/checkpoint/${profile_uuid}`
      this.#open = { path, before: this.#setting, untilMs: this.#nowMs() + limitS * 1_000 }
      this.#set({
        uuid: profile_uuid,
        profile: { name: profileName(change), is_ours: true, is_active: true },
        method: change.method,
        ...(change.method === 'static'
          ? {
              address: change.address ?? null,
              prefix: change.prefix ?? 0,
              gateway: change.gateway ?? null,
              dns: change.dns ?? [],
            }
          : { address: '10.2.54.37', prefix: 24, gateway: '10.2.54.4', dns: ['10.2.54.4'] }),
      })
      return { path, owner: ':1.7' }
    })

  readonly remainingMs = ({ checkpoint }: Pick<ChangeRecord, 'checkpoint'>) =>
    Effect.sync(() => {
      const open = checkpoint && this.#open?.path === checkpoint.path ? this.#open : null
      return open && Math.max(0, open.untilMs - this.#nowMs())
    })

  readonly whenGone = () =>
    Effect.callback<string>((resume) => {
      const gone = () => resume(Effect.succeed('NetworkManager was restarted meanwhile'))
      this.#goneListeners.add(gone)
      return Effect.sync(() => this.#goneListeners.delete(gone))
    })

  /** What would undo a change is gone, as when NetworkManager is restarted. */
  loseCheckpoint(): void {
    this.#open = null
    for (const listener of this.#goneListeners) listener()
  }

  /** What NetworkManager does by itself when the time of a change is over. */
  rollBack(): void {
    if (!this.#open) return
    const { before } = this.#open
    this.#open = null
    this.#set(before)
  }

  readonly keep = ({ prepared }: Pick<ChangeRecord, 'prepared'>) =>
    Effect.flatMap(
      this.#try('keep', () => this.#setting.uuid === prepared.profile_uuid),
      (isInForce) => {
        if (!isInForce) return Effect.fail<Fault>({ code: 'device.failed', detail: 'it was undone already' })
        this.#open = null
        return Effect.void
      },
    )

  readonly undo = ({ prepared }: Pick<ChangeRecord, 'prepared'>) =>
    this.#try('undo', () => {
      if (this.#open) this.rollBack()
      // by hand, where what would have done it is gone
      else if (this.#setting.uuid === prepared.profile_uuid && prepared.previous_uuid === AT_FIRST.uuid)
        this.#set(AT_FIRST)
    })

  #set(setting: Setting): void {
    this.#setting = setting
    this.stir()
  }

  #cable(refusal: string | null): NetworkInterface {
    const { profile, method, address, prefix, gateway, dns } = this.#setting
    const has = this.hasCable && address !== null
    return {
      name: 'eth0',
      kind: 'ethernet',
      carrier: this.hasCable,
      speed_mbit_s: this.hasCable ? 1000 : null,
      mac: 'd8:3a:dd:12:34:56',
      addresses: this.hasCable
        ? [
            ...(has ? [{ address, prefix, family: 'ipv4', scope: 'global' } as const] : []),
            { address: LINK_LOCAL, prefix: 64, family: 'ipv6', scope: 'link' },
          ]
        : [],
      gateway: has ? gateway : null,
      dns: has ? [...dns] : [],
      method,
      profile: profile && { ...profile, is_active: this.hasCable },
      manager: refusal === null ? 'NetworkManager' : 'ifupdown',
      refusal,
      counters: this.#counters(1),
    }
  }

  #wireless(refusal: string | null): NetworkInterface {
    return {
      name: 'wlan0',
      kind: 'wifi',
      carrier: false,
      speed_mbit_s: null,
      mac: 'd8:3a:dd:12:34:57',
      addresses: [],
      gateway: null,
      dns: [],
      method: null,
      profile: null,
      manager: refusal === null ? 'NetworkManager' : 'nobody',
      refusal: refusal ?? 'only interfaces for cables are changed here; use nmcli for this one',
      counters: this.#counters(0),
    }
  }

  #counters(share: number): NetworkInterface['counters'] {
    const ms = Math.floor(this.#nowMs())
    const [rx_bytes, tx_bytes] = [RX_PER_MS, TX_PER_MS].map((rate) => share * (FIRST_BYTES + ms * rate))
    const packets = (bytes = 0) => Math.floor(bytes / BYTES_PER_PACKET)
    return {
      rx_bytes: rx_bytes ?? 0,
      tx_bytes: tx_bytes ?? 0,
      rx_packets: packets(rx_bytes),
      tx_packets: packets(tx_bytes),
      ...NO_ERRORS,
    }
  }

  #try<Value>(what: string, act: () => Value): Effect.Effect<Value, Fault> {
    return Effect.suspend(() => {
      this.done.push(what)
      if (this.#troubles.includes('no-network-manager'))
        return Effect.fail<Fault>({ code: 'device.failed', detail: AWAY })
      if (this.fault) return Effect.fail(this.fault)
      return this.#troubles.includes('network-refuses') && what === 'apply' ? Effect.fail(REFUSED) : Effect.sync(act)
    })
  }
}

const LOOPBACK: NetworkInterface = {
  name: 'lo',
  kind: 'loopback',
  carrier: true,
  speed_mbit_s: null,
  mac: null,
  addresses: [{ address: '127.0.0.1', prefix: 8, family: 'ipv4', scope: 'host' }],
  gateway: null,
  dns: [],
  method: null,
  profile: null,
  manager: 'nobody',
  refusal: 'this is the device itself',
  counters: { rx_bytes: 0, tx_bytes: 0, rx_packets: 0, tx_packets: 0, ...NO_ERRORS },
}

/** The last change, in memory. */
export class FakeNetworkRecords implements NetworkRecords {
  record: ChangeRecord | null = null
  /** As long as it is set, nothing can be written. */
  fault: Fault | null = null

  readonly load = Effect.sync(() => this.record)

  readonly save = (record: ChangeRecord): Effect.Effect<void, Fault> =>
    Effect.suspend(() => {
      if (this.fault) return Effect.fail(this.fault)
      this.record = record
      return Effect.void
    })
}
