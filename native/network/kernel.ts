// What the kernel knows of the interfaces: sysfs for each, and `ip` for addresses and routes, whose JSON is the same in
// all versions since 2018. Where there is no `ip`, the addresses are those of this process's own network.
import { networkInterfaces } from 'node:os'
import * as Effect from 'effect/Effect'
import type { InterfaceAddress, NetworkInterface } from '../../machines/network/interface.ts'
import { ipv4Text } from '../../machines/network/ipv4.ts'
import type { ProgramsPort } from '../programs/port.ts'
import { numberIn, type SystemFiles } from '../system-files/port.ts'

/** What of an interface is known without who gives it its addresses. */
export type KernelInterface = Omit<NetworkInterface, 'dns' | 'method' | 'profile' | 'manager' | 'refusal'>

/** What is read with. */
export interface KernelParts {
  readonly files: SystemFiles
  readonly programs: ProgramsPort
}

const NET = '/sys/class/net'
const NO_MAC = '00:00:00:00:00:00'

/** All interfaces, by name. */
export const readKernel = ({ files, programs }: KernelParts): Effect.Effect<readonly KernelInterface[]> =>
  Effect.gen(function* () {
    const [links, routes, names] = yield* Effect.all(
      [
        jsonOf<IpLink>(programs, 'addr'),
        jsonOf<IpRoute>(programs, 'route', 'show', 'default'),
        Effect.promise(() => files.names(NET)),
      ],
      { concurrency: 'unbounded' },
    )
    const gateways = routes ? gatewaysIn(routes) : gatewaysInProc(yield* textOf(files, '/proc/net/route'))
    const all = names.length > 0 ? names : (links ?? []).map(({ ifname }) => ifname)
    return yield* Effect.forEach(
      all.filter((name) => name !== 'bonding_masters'), // a file beside the folders
      (name) =>
        Effect.map(
          Effect.promise(() => readLink(files, name)),
          (link): KernelInterface => ({
            ...link,
            addresses: links ? addressesIn(links.find(({ ifname }) => ifname === name)) : ownAddresses(name),
            gateway: gateways.get(name) ?? null,
          }),
        ),
      { concurrency: 'unbounded' },
    )
  })

const textOf = (files: SystemFiles, path: string) => Effect.promise(() => files.text(path))

/** As much as is read of what `ip -j addr` prints. */
interface IpLink {
  readonly ifname: string
  readonly addr_info?: readonly {
    readonly family?: string
    readonly local?: string
    readonly prefixlen?: number
    readonly scope?: string
  }[]
}

interface IpRoute {
  readonly dst?: string
  readonly gateway?: string
  readonly dev?: string
  readonly metric?: number
}

const jsonOf = <Item>(programs: ProgramsPort, ...args: readonly string[]): Effect.Effect<readonly Item[] | null> =>
  programs.run({ program: 'ip', args: ['-j', ...args] }).pipe(
    Effect.map(({ exitCode, stdout }) => (exitCode === 0 ? listIn<Item>(stdout) : null)),
    Effect.orElseSucceed(() => null),
  )

/** Entries that are no objects are left out: some versions print `{}` for what they filter away. */
const listIn = <Item>(text: string): readonly Item[] | null => {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '[]' : text)
    return Array.isArray(value) ? value.filter((each) => typeof each === 'object' && each !== null) : null
  } catch {
    return null
  }
}

const SCOPES: Readonly<Record<string, InterfaceAddress['scope']>> = { global: 'global', link: 'link', host: 'host' }

const addressesIn = (link: IpLink | undefined): readonly InterfaceAddress[] & InterfaceAddress[] =>
  (Array.isArray(link?.addr_info) ? link.addr_info : []).flatMap(({ family, local, prefixlen, scope }) =>
    typeof local === 'string' && typeof prefixlen === 'number' && (family === 'inet' || family === 'inet6')
      ? [addressOf(local, prefixlen, family === 'inet' ? 'ipv4' : 'ipv6', SCOPES[scope ?? ''] ?? 'global')]
      : [],
  )

const addressOf = (
  address: string,
  prefix: number,
  family: InterfaceAddress['family'],
  scope: InterfaceAddress['scope'],
): InterfaceAddress => ({
  address,
  prefix,
  family,
  // the kernel calls it global unless its creator said otherwise
  scope: address.startsWith('169.254.') || address.startsWith('fe80:') ? 'link' : scope,
})

const ownAddresses = (name: string): InterfaceAddress[] =>
  (networkInterfaces()[name] ?? []).map(({ address, cidr, family, internal }) =>
    addressOf(
      address,
      Number(cidr?.split('/')[1] ?? 0),
      family === 'IPv4' ? 'ipv4' : 'ipv6',
      internal ? 'host' : 'global',
    ),
  )

/** The gateway that counts is that of the least metric; where there is none it is 0. */
const gatewaysIn = (routes: readonly IpRoute[]): ReadonlyMap<string, string> => {
  const byMetric = routes.toSorted((a, b) => (b.metric ?? 0) - (a.metric ?? 0))
  return new Map(byMetric.flatMap(({ dev, gateway }) => (dev && gateway ? [[dev, gateway] as const] : [])))
}

/** The same from /proc/net/route, which writes addresses as hexadecimal numbers of the machine's order of bytes. */
const gatewaysInProc = (text: string | null): ReadonlyMap<string, string> =>
  new Map(
    (text ?? '').split('\n').flatMap((line) => {
      const [dev, destination, gateway] = line.trim().split(/\s+/)
      if (!dev || destination !== '00000000' || !/^[0-9A-F]{8}$/i.test(gateway ?? '')) return []
      const bytes = Buffer.from(gateway as string, 'hex').reverse()
      return [[dev, ipv4Text(bytes.readUInt32BE())] as const]
    }),
  )

const readLink = async (files: SystemFiles, name: string): Promise<Omit<KernelInterface, 'addresses' | 'gateway'>> => {
  const at = `${NET}/${name}`
  const count = async (what: string) => countIn(await files.text(`${at}/statistics/${what}`))
  const speed = numberIn(await files.text(`${at}/speed`)) // -1 without a cable; not there at all with most drivers
  const mac = await files.text(`${at}/address`)
  const carrier = await files.text(`${at}/carrier`) // EINVAL while it is switched off
  return {
    name,
    kind: await kindOf(files, name),
    carrier: carrier === '1' ? true : carrier === '0' ? false : null,
    speed_mbit_s: speed !== null && Number.isInteger(speed) && speed > 0 ? speed : null,
    mac: mac && /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i.test(mac) && mac !== NO_MAC ? mac.toLowerCase() : null,
    counters: {
      rx_bytes: await count('rx_bytes'),
      tx_bytes: await count('tx_bytes'),
      rx_packets: await count('rx_packets'),
      tx_packets: await count('tx_packets'),
      rx_errors: await count('rx_errors'),
      tx_errors: await count('tx_errors'),
      rx_dropped: await count('rx_dropped'),
      tx_dropped: await count('tx_dropped'),
    },
  }
}

const countIn = (text: string | null): number | null => {
  const count = numberIn(text)
  return count !== null && Number.isSafeInteger(count) && count >= 0 ? count : null
}

const ETHERNET = '1' // ARPHRD_ETHER
const LOOPBACK = '772' // ARPHRD_LOOPBACK

const kindOf = async (files: SystemFiles, name: string): Promise<NetworkInterface['kind']> => {
  const at = `${NET}/${name}`
  const type = await files.text(`${at}/type`)
  if (type === LOOPBACK || (type === null && name === 'lo')) return 'loopback'
  const has = async (what: string) => (await files.place(`${at}/${what}`)) !== null
  if ((await has('wireless')) || (await has('phy80211'))) return 'wifi'
  if (await has('bridge')) return 'bridge'
  // the port of a USB gadget has a device too, and none of the made-up ones
  return type === ETHERNET && (await has('device')) ? 'ethernet' : 'virtual'
}
