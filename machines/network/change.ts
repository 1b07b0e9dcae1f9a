// A change of the network as it is ordered, and what is wrong with one.
import type { Static } from 'typebox'
import type { SchemaError } from '../schema/explain.ts'
import { oneLine } from '../schema/one-line.ts'
import { quote } from '../schema/quote.ts'
import Type from '../schema/type.ts'
import type { NetworkReading } from './interface.ts'
import { broadcastOf, ipv4In, ipv4Text, isUnicast, networkOf, ownerByRule } from './ipv4.ts'

const strict = { additionalProperties: false } as const
const MIN_CONFIRM_S = 10
const MAX_CONFIRM_S = 600
export const DEFAULT_CONFIRM_S = 60
const MAX_DNS = 3 // what resolvers look at
const MAX_NAME_LENGTH = 15 // IFNAMSIZ

const Address = (description: string, example: string) =>
  Type.String({ maxLength: 15, examples: [example], description })

/** What shall become of an interface. */
export const NetworkChange = Type.Object(
  {
    interface: Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH, description: 'The name of the interface.' }),
    method: Type.Enum(['dhcp', 'static'], {
      title: 'NetworkMethod',
      description: 'dhcp: its address comes from the network. static: it is set here, with its prefix.',
    }),
    address: Type.Optional(Address('Of a static one: its IPv4 address.', '10.12.34.11')),
    prefix: Type.Optional(
      Type.Integer({ minimum: 8, maximum: 30, description: 'Of a static one: 24 is the mask 255.255.255.0.' }),
    ),
    gateway: Type.Optional(Address('Of a static one, if it has one; within its network.', '10.12.34.4')),
    dns: Type.Optional(
      Type.Array(Address('Who is asked for names.', '10.12.34.4'), {
        maxItems: MAX_DNS,
        description: 'Of a static one, if there is any.',
      }),
    ),
    confirm_within_s: Type.Optional(
      Type.Integer({
        minimum: MIN_CONFIRM_S,
        maximum: MAX_CONFIRM_S,
        description: oneLine`
          After so many seconds without a confirmation everything is as before. ${DEFAULT_CONFIRM_S} when it is left
          out.
        `,
      }),
    ),
  },
  { ...strict, title: 'NetworkChange', description: 'What shall become of an interface.' },
)
export type NetworkChange = Static<typeof NetworkChange>

/** As a fault of the body; a list of the first flaw of each field. */
export const changeFlaws = (change: NetworkChange, { interfaces }: NetworkReading): readonly SchemaError[] => {
  const known = interfaces.find(({ name }) => name === change.interface)
  return [
    ...flawsOfInterface(change, known),
    ...(change.method === 'static' ? flawsOfStatic(change) : flawsOfDhcp(change)),
  ]
}

const flawsOfInterface = (
  { interface: name }: NetworkChange,
  known: NetworkReading['interfaces'][number] | undefined,
): readonly SchemaError[] => {
  const flaw = (message: string) => [{ pointer: '/interface', message }]
  if (!known) return flaw(`is ${quote(name)}, and this device has no such interface`)
  if (known.kind === 'loopback') return flaw(`is ${quote(name)}, which is this device itself and stays as it is`)
  return known.refusal === null ? [] : flaw(`is ${quote(name)}: ${known.refusal}`)
}

const flawsOfDhcp = (change: NetworkChange): readonly SchemaError[] =>
  (['address', 'prefix', 'gateway', 'dns'] as const)
    .filter((field) => change[field] !== undefined)
    .map((field) => ({ pointer: `/${field}`, message: 'must be left out with dhcp, where the network says it' }))

const NO_ADDRESS = 'is no IPv4 address, as 10.12.34.11'

const flawsOfStatic = ({ address, prefix, gateway, dns = [] }: NetworkChange): readonly SchemaError[] => {
  const flaws: SchemaError[] = []
  const add = (pointer: string, message: string | undefined) => message && flaws.push({ pointer, message })
  if (prefix === undefined) add('/prefix', 'must be given with static')
  const own = address === undefined ? undefined : ipv4In(address)
  add('/address', address === undefined ? 'must be given with static' : flawOfAddress(own, prefix))
  if (gateway !== undefined) add('/gateway', flawOfGateway(ipv4In(gateway), own, prefix))
  for (const [n, each] of dns.entries()) {
    const server = ipv4In(each)
    add(`/dns/${n}`, server !== undefined && isUnicast(server) ? undefined : NO_ADDRESS)
  }
  return flaws
}

const flawOfAddress = (own: number | undefined, prefix: number | undefined): string | undefined => {
  if (own === undefined) return NO_ADDRESS
  const text = ipv4Text(own)
  if (!isUnicast(own)) return `is ${text}, which no device can have`
  const owner = ownerByRule(own)
  if (owner) return `is ${text}, which ${owner} has by the rules; take one from .6 to .19, as .11`
  return prefix === undefined ? undefined : flawInNetwork(own, prefix)
}

const flawInNetwork = (address: number, prefix: number): string | undefined => {
  const text = ipv4Text(address)
  if (address === networkOf(address, prefix)) return `is ${text}, which with /${prefix} names the network itself`
  if (address === broadcastOf(address, prefix)) return `is ${text}, at which with /${prefix} everybody is called`
  return undefined
}

const flawOfGateway = (
  gateway: number | undefined,
  own: number | undefined,
  prefix: number | undefined,
): string | undefined => {
  if (gateway === undefined || !isUnicast(gateway)) return 'is no IPv4 address of a device, as 10.12.34.4'
  if (own === undefined || prefix === undefined) return undefined
  if (gateway === own) return `is ${ipv4Text(gateway)}, the address of this device itself`
  if (networkOf(gateway, prefix) !== networkOf(own, prefix))
    return oneLine`
      is ${ipv4Text(gateway)}, outside of the network ${ipv4Text(networkOf(own, prefix))}/${prefix}, so that it could
      not be reached
    `
  return flawInNetwork(gateway, prefix)
}
