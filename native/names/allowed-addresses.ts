// Which addresses of a host may be connected to: its name is looked up once, each address is judged, and only those
// that passed are connected to. A name that means another address a moment later changes nothing.
import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Lookup } from './lookup.ts'

/** Why an address may not be connected to; undefined: it may be. */
export type Refusal = (address: string) => Fault | undefined

/** The addresses of a host that passed. */
export interface AllowedAddresses {
  /** In the order of the system; none when nobody knows the name. */
  readonly addresses: readonly LookupAddress[]
  /** Why, when none of them passed. */
  readonly refused?: Fault
}

/** host: a name or an address, IPv6 without brackets. lookup: may take as long as the system likes. */
export const findAllowedAddresses = async (
  host: string,
  lookup: Lookup,
  refusal: Refusal,
): Promise<AllowedAddresses> => {
  const family = isIP(host)
  const found = family ? [{ address: host, family }] : await resolved(host, lookup)
  const refusals = found.map(({ address }) => refusal(address))
  const addresses = found.filter((_, n) => refusals[n] === undefined)
  const [refused] = refusals
  return addresses.length === 0 && refused ? { addresses, refused } : { addresses }
}

/** For `connect`: answers with these addresses, whatever it is asked for. */
export const lookupOf = (addresses: readonly LookupAddress[]): LookupFunction => {
  const lookup = (_host: string, { all }: { all?: boolean }, found: (...answer: unknown[]) => void) => {
    const [first] = addresses
    if (all) found(null, addresses)
    else found(null, first?.address, first?.family)
  }
  return lookup as LookupFunction
}

const resolved = (host: string, lookup: Lookup): Promise<readonly LookupAddress[]> =>
  new Promise((resolve) =>
    lookup(host, { all: true }, (error, found) => resolve(error ? [] : (found as LookupAddress[]))),
  )
