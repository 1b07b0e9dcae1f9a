// The networks of the device as documents.
import type { Static } from 'typebox'
import { oneLine } from '../schema/one-line.ts'
import { orNull } from '../schema/or-null.ts'
import Type from '../schema/type.ts'

const strict = { additionalProperties: false } as const

const Count = (what: string) =>
  orNull(Type.Integer({ minimum: 0 }), `${what} since the system started; null: not told.`)

/** Who gives an interface its addresses. */
export const MANAGERS = ['NetworkManager', 'networkd', 'ifupdown', 'nobody'] as const

const KINDS = ['ethernet', 'wifi', 'bridge', 'virtual', 'loopback'] as const

/** An address of an interface. */
export const InterfaceAddress = Type.Object(
  {
    address: Type.String(),
    prefix: Type.Integer({ minimum: 0, maximum: 128, description: 'How many of its bits name the network.' }),
    family: Type.Enum(['ipv4', 'ipv6'], { description: 'ipv4: as 10.12.34.11. ipv6: as fe80::1.' }),
    scope: Type.Enum(['global', 'link', 'host'], {
      description:
        'global: it can be routed. link: on this cable alone, it is there without any settings. host: within.',
    }),
  },
  { ...strict, title: 'InterfaceAddress', description: 'An address of an interface.' },
)
export type InterfaceAddress = Static<typeof InterfaceAddress>

/** An interface as it is. */
export const NetworkInterface = Type.Object(
  {
    name: Type.String({ description: 'As the system calls it: `eth0`.' }),
    kind: Type.Enum([...KINDS], {
      title: 'InterfaceKind',
      description: oneLine`
        ethernet: for a cable, also one of USB. wifi: without one. bridge: it joins others. virtual: no device is behind
        it. loopback: this device itself.
      `,
    }),
    carrier: orNull(Type.Boolean(), 'Whether something is at the other end; null: it is switched off, or not told.'),
    speed_mbit_s: orNull(Type.Integer({ minimum: 1 }), 'Of the cable; null: there is none, or it is not told.'),
    mac: orNull(Type.String(), 'The address of the device; null: it has none.'),
    addresses: Type.Array(InterfaceAddress),
    gateway: orNull(Type.String(), 'Where everything else is sent over this interface; null: nowhere.'),
    dns: Type.Array(Type.String(), { description: 'Who is asked for names over this interface.' }),
    method: orNull(
      Type.Enum(['dhcp', 'static', 'link-local', 'shared', 'off']),
      oneLine`
        How it gets IPv4 addresses. dhcp: from the network. static: they are set. link-local: it takes one of
        169.254.x.x. shared: it gives addresses to others. off: it gets none. null: nobody tells.
      `,
    ),
    profile: orNull(
      Type.Object(
        {
          name: Type.String(),
          is_ours: Type.Boolean({ description: 'Whether it was made by this service; no other one is ever changed.' }),
          is_active: Type.Boolean({ description: 'Whether it is in force; else it waits for the network.' }),
        },
        { ...strict, title: 'NetworkProfile', description: 'The stored settings of an interface.' },
      ),
      'null: there is none.',
    ),
    manager: Type.Enum([...MANAGERS], {
      title: 'NetworkManagerName',
      description: oneLine`
        Who gives it its addresses. NetworkManager: it can be changed here. networkd, ifupdown: these do, by files that
        are not changed here. nobody: what it has, somebody gave it by hand.
      `,
    }),
    refusal: orNull(Type.String(), 'Why it cannot be changed here, for people; null: it can.'),
    counters: Type.Object(
      {
        rx_bytes: Count('Received bytes'),
        tx_bytes: Count('Sent bytes'),
        rx_packets: Count('Received packets'),
        tx_packets: Count('Sent packets'),
        rx_errors: Count('Received packets that were broken'),
        tx_errors: Count('Packets that could not be sent'),
        rx_dropped: Count('Received packets for which there was no room'),
        tx_dropped: Count('Packets to be sent for which there was no room'),
      },
      { ...strict, title: 'InterfaceCounters', description: 'What went through it.' },
    ),
  },
  { ...strict, title: 'NetworkInterface', description: 'An interface to a network, as it is.' },
)
export type NetworkInterface = Static<typeof NetworkInterface>

/** All interfaces of the device. */
export interface NetworkReading {
  /** Why nothing can be changed at all; null: what can be, each interface says. */
  readonly refusal: string | null
  readonly interfaces: readonly NetworkInterface[]
}

/** The interface that the references show. */
export const interfaceExample: NetworkInterface = {
  name: 'eth0',
  kind: 'ethernet',
  carrier: true,
  speed_mbit_s: 1000,
  mac: 'd8:3a:dd:12:34:56',
  addresses: [
    { address: '10.12.34.11', prefix: 24, family: 'ipv4', scope: 'global' },
    { address: 'fe80::da3a:ddff:fe12:3456', prefix: 64, family: 'ipv6', scope: 'link' },
  ],
  gateway: '10.12.34.4',
  dns: ['10.12.34.4'],
  method: 'static',
  profile: { name: 'vedette-static-eth0', is_ours: true, is_active: true },
  manager: 'NetworkManager',
  refusal: null,
  counters: {
    rx_bytes: 1_048_576,
    tx_bytes: 20_971_520,
    rx_packets: 9_000,
    tx_packets: 18_000,
    rx_errors: 0,
    tx_errors: 0,
    rx_dropped: 0,
    tx_dropped: 0,
  },
}

/** The IPv4 addresses of an interface that were given to it; one that it took itself is none of them. */
export const givenAddresses = ({ addresses }: Pick<NetworkInterface, 'addresses'>): readonly InterfaceAddress[] =>
  addresses.filter(({ family, scope }) => family === 'ipv4' && scope === 'global')

/** What the interfaces are, without what moves all the time. */
export const settledText = ({ refusal, interfaces }: NetworkReading): string =>
  JSON.stringify([refusal, interfaces.map(({ counters: _, ...rest }) => rest)])

/** Those that differ between two readings, by name. */
export const changedInterfaces = (before: NetworkReading, after: NetworkReading): readonly string[] => {
  const textOf = ({ interfaces }: NetworkReading, name: string) =>
    settledText({ refusal: null, interfaces: interfaces.filter((each) => each.name === name) })
  const names = new Set([...before.interfaces, ...after.interfaces].map(({ name }) => name))
  return [...names].filter((name) => textOf(before, name) !== textOf(after, name))
}

/**
 * Interfaces that should have an address by stored settings and have none, each as a sentence without a full stop. A
 * cable that is not plugged in counts where people have chosen the settings here.
 */
export const withoutAddress = ({ interfaces }: NetworkReading): readonly string[] =>
  interfaces.flatMap((each) => {
    const { name, profile, method, carrier } = each
    if (!profile || method === 'off' || method === 'link-local' || givenAddresses(each).length > 0) return []
    if (carrier !== true) return profile.is_ours ? [`${name} has no cable, or nothing is at its other end`] : []
    return [
      method === 'dhcp'
        ? `${name} got no address: nobody in its network gives any (DHCP)`
        : `${name} has no address, although ${profile.name} sets one`,
    ]
  })
