// How much of the network previews may take together, and which of their viewers count.
import { isLoopbackAddress } from '../http/access.ts'
import { token } from '../token.ts'

/** mbit_s: of all previews of this device that leave it, in millions of bits a second; null: no limit. */
export interface BandwidthBudget {
  readonly mbit_s: number | null
}

/** What the start said about it. */
export const BANDWIDTH_BUDGET = token<BandwidthBudget>('bandwidth budget')

const BITS = 8
const MILLION = 1_000_000

export const bytesPerSecondOf = (mbit_s: number): number => (mbit_s * MILLION) / BITS

/** To a hundredth: what is shown is read by people. */
export const mbitPerSecondOf = (bytesPerS: number): number => Math.round((bytesPerS * BITS * 100) / MILLION) / 100

/** Both ends of a connection. */
export interface ConnectionEnds {
  readonly remoteAddress?: string | undefined
  readonly localAddress?: string | undefined
}

/**
 * Whether what goes to the other end leaves this device. A connection from this device to its own address does not,
 * whatever address that is.
 */
export const leavesDevice = ({ remoteAddress = '', localAddress }: ConnectionEnds): boolean =>
  remoteAddress !== localAddress && !isLoopbackAddress(remoteAddress)
