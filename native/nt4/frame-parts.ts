// A binary frame of whatever length, dealt with in the turns of its socket: it may hold some hundred thousand messages.
import type { Socket } from 'node:net'
import { workInTurns } from '../sockets/reading.ts'
import { decodePart, type Nt4Frame } from './codec.ts'

const MAX_MESSAGES = 64 // at once; each costs some microseconds

/** Reads a frame, a part at a time. What comes on the socket behind it is read when it is done. */
export const takeFrame = (socket: Socket, frame: Uint8Array, take: (part: Nt4Frame) => void): void => {
  let at = 0
  workInTurns(socket, () => {
    if (at < frame.length) {
      const part = decodePart(frame, at, MAX_MESSAGES)
      at = part.next
      take(part)
    }
    return at < frame.length
  })
}
