// IPv4 addresses as numbers, and what the rules of the field say of them.
import { MAX_TEAM, teamAddress } from '../nt4/target.ts'

const BITS = 32
const BITS_PER_BYTE = 8
const LAST_BYTE = 0xff
const TEN = 10 // 10.0.0.0/8
const LOOPBACK = 127
const FIRST_MULTICAST = 224
const TEAM_BASE = 100
const ROBOT = 2
const RADIO = 1
const GATEWAY = 4 // what the field has there
const CAMERA = 11 // .6 to .19 are free for devices with a fixed address

/** The number of an address, undefined: it is none. */
export const ipv4In = (text: string): number | undefined => {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= LAST_BYTE))
    return undefined
  return parts.reduce((sum, part) => sum * (LAST_BYTE + 1) + Number(part), 0)
}

/** An address as people write it. */
export const ipv4Text = (address: number): string =>
  [3, 2, 1, 0].map((byte) => Math.floor(address / 2 ** (BITS_PER_BYTE * byte)) % (LAST_BYTE + 1)).join('.')

const sizeOf = (prefix: number): number => 2 ** (BITS - prefix)

/** The first address of a network, which nobody has. */
export const networkOf = (address: number, prefix: number): number => address - (address % sizeOf(prefix))

/** The last one, which everybody hears. */
export const broadcastOf = (address: number, prefix: number): number => networkOf(address, prefix) + sizeOf(prefix) - 1

/** Whether it can be that of one device on a network. */
export const isUnicast = (address: number): boolean => {
  const first = Math.floor(address / 2 ** (BITS - BITS_PER_BYTE))
  return first > 0 && first !== LOOPBACK && first < FIRST_MULTICAST
}

/** Addresses that the rules give to the devices of a team. */
export interface TeamAddresses {
  readonly radio: string
  readonly robot: string
  /** What a camera may have. */
  readonly camera: string
  readonly gateway: string
}

/** Those of a team: 10.TE.AM.x. */
export const teamAddresses = (team: number): TeamAddresses => ({
  radio: teamAddress(team, RADIO),
  robot: teamAddress(team, ROBOT),
  camera: teamAddress(team, CAMERA),
  gateway: teamAddress(team, GATEWAY),
})

/** Who has an address by the rules, whichever the team; undefined: it is free. */
export const ownerByRule = (address: number): 'the radio' | 'the robot' | undefined => {
  const [first, hundreds = 0, rest = 0, last] = ipv4Text(address).split('.').map(Number)
  const team = hundreds * TEAM_BASE + rest
  if (first !== TEN || rest >= TEAM_BASE || team < 1 || team > MAX_TEAM) return undefined
  if (last === RADIO) return 'the radio'
  return last === ROBOT ? 'the robot' : undefined
}
