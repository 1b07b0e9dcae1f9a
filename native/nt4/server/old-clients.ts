// What comes to the port of the NT4 server and is no HTTP: most of it is from programs that speak an older
// NetworkTables.
import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** The first byte of a client's greeting; its version follows, in two bytes. */
const HELLO = 1
const OLD_VERSIONS = new Map([
  [0x0200, 'NetworkTables 2'],
  [0x0300, 'NetworkTables 3'],
])

interface ParseError extends Error {
  readonly rawPacket?: Uint8Array
}

/** Which old NetworkTables a client greets in, by the first bytes that it sends; undefined: in none. */
export const oldProtocolIn = (bytes: Uint8Array): string | undefined => {
  const [first, high = -1, low = -1] = bytes
  return first === HELLO ? OLD_VERSIONS.get(256 * high + low) : undefined
}

/** Ends such connections, and reports the ones that will come again and again until people update them. */
export const refuseOldClients = (http: Server, turnedAway: (reason: string) => void): void => {
  const met = ({ rawPacket }: ParseError, socket: Duplex & { readonly remoteAddress?: string }) => {
    const old = rawPacket && oldProtocolIn(rawPacket)
    if (!old) return
    const who = socket.remoteAddress ?? 'somebody'
    turnedAway(`${who} speaks ${old}, and this server NT4 alone; have that program use a library of 2023 or later`)
    socket.destroy()
  }
  http.prependListener('clientError', met) // before it is answered as a request
}
