// Tells the launcher that watches this process, over the socket that was inherited from it. When the launcher is gone,
// so is the socket: nobody would start this process again, or end it.
import { Socket } from 'node:net'
import { notifyBy } from './messages.ts'
import type { Notify } from './port.ts'

/** Speaks to an inherited socket, a line for each message. onGone: the launcher has ended. */
export const pipeNotify = (fd: number, watchdogMs: number | null, onGone: () => void): Notify => {
  const socket = new Socket({ fd, readable: true, writable: true })
  socket.on('error', () => {}) // it is closed, too
  socket.once('close', onGone)
  socket.resume()
  socket.unref()
  return notifyBy((message) => void (socket.writable && socket.write(`${message}\n`)), watchdogMs)
}
