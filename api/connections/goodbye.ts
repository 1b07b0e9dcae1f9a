// The end of a WebSocket by this side.
import type { WebSocket } from 'ws'

/** Of a WebSocket whose server or thing goes. */
export const GOING_AWAY = 1001
const CLOSE_LIMIT_MS = 300

/** Says goodbye, and why; who does not answer is cut off. */
export const sayGoodbye = (socket: WebSocket, why: string): void => {
  socket.close(GOING_AWAY, why)
  setTimeout(() => socket.terminate(), CLOSE_LIMIT_MS).unref()
}
