// What comes to the port of the NT4 server and is no HTTP: most of it is from programs that speak an older NetworkTables.
import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** The first byte of a client's greeting; its version follows, in two bytes. */
const HELLO = 1
const OLD_VERSIONS = new Map([
  [0x0200, 'NetworkTables 2'],
  [0x0300, 'NetworkTables 3'],
])

interface ParseError extends Error {
  readonly code?: string
  readonly rawPacket?: Uint8Array
}

/** As the library answers when nobody listens for such errors. */
const STATUS_LINES = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
])

/** Which old NetworkTables a client greets in, by the first bytes that it sends; undefined: in none. */
export const oldProtocolIn = (bytes: Uint8Array): string | undefined => {
  const [first, high = -1, low = -1] = bytes
  return first === HELLO ? OLD_VERSIONS.get(256 * high + low) : undefined
}

/** Ends such connections, and tells of those that will come again and again until somebody helps them. */
export const refuseOldClients = (http: Server, turnedAway: (reason: string) => void): void => {
  http.on(
    'clientError',
    ({ code = '', rawPacket }: ParseError, socket: Duplex & { readonly remoteAddress?: string }) => {
      const old = rawPacket && oldProtocolIn(rawPacket)
      if (old) {
        const who = socket.remoteAddress ?? 'somebody'
        turnedAway(`${who} speaks ${old}, and this server NT4 alone; have that program use a library of 2023 or later`)
        socket.destroy()
      } else if (code === 'ECONNRESET' || !socket.writable) socket.destroy()
      else
        socket.end(`HTTP/1.1 ${STATUS_LINES.get(code) ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`, () =>
          socket.destroy(),
        )
    },
  )
}
