// Tells systemd, or whoever else listens at a datagram socket.
import { createRequire } from 'node:module'
import { notifyBy } from './messages.ts'
import type { Notify } from './port.ts'

interface NotifyAddon {
  /** undefined, or why it was not sent. */
  readonly send: (path: string, text: string) => string | undefined
}

/** What it takes to speak to a socket. */
export interface SocketNotify {
  /** As in NOTIFY_SOCKET: a path, or @ and a name. */
  readonly socket: string
  readonly watchdogMs: number | null
  /** Where the addon lies. */
  readonly addon: string
  /** Told once when nothing can be said. */
  readonly onFault: (why: string) => void
}

/** Speaks to a socket. */
export const socketNotify = ({ socket, watchdogMs, addon, onFault }: SocketNotify): Notify => {
  let isTold = false
  const complain = (why: string): void => {
    if (!isTold) onFault(`systemd cannot be told how the service is: ${why}`)
    isTold = true
  }
  const send = loaded(addon, complain)
  return notifyBy((message) => {
    const why = send?.(socket, message)
    if (why !== undefined) complain(why)
  }, watchdogMs)
}

const loaded = (path: string, complain: (why: string) => void): NotifyAddon['send'] | undefined => {
  try {
    return (createRequire(import.meta.url)(path) as NotifyAddon).send
  } catch (error) {
    complain((error as Error).message)
    return undefined
  }
}
