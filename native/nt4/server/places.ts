// How many connections the NT4 server holds: like the API's, so that a crowd that says nothing takes no descriptor from
// the rest of the service.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { plainAddress } from '../../../machines/http/access.ts'
import { admission, type Occupant } from '../../../machines/http/admission.ts'

/**
 * Ends a connection for each that comes when all places are taken: the one that has been idle longest, or the newcomer
 * when none is.
 */
export const keepPlaces = (http: Server): void => {
  const open = new Map<Socket, Place>()
  http.on('connection', (socket: Socket) => {
    const place = new Place(socket)
    const found = admission([...open.values()], place.address)
    if (found.outcome === 'full') return socket.destroy()
    if (found.outcome === 'instead-of') {
      open.delete(found.occupant.socket)
      found.occupant.socket.destroy()
    }
    open.set(socket, place)
    socket.once('close', () => open.delete(socket))
  })
  http.prependListener('upgrade', ({ socket }) => open.get(socket)?.keep())
}

class Place implements Occupant {
  readonly address: string
  readonly socket: Socket
  idleSinceMs: number | null = performance.now()

  constructor(socket: Socket) {
    this.address = plainAddress(socket.remoteAddress ?? '')
    this.socket = socket
  }

  /** One that became a WebSocket is not taken away: a robot's program says nothing for minutes. */
  keep(): void {
    this.idleSinceMs = null
  }
}
