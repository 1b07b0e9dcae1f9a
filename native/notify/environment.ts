// Finds out who started this process, by the environment that it was given.
import { projectPath } from '../files/project-root.ts'
import { WATCH_FD } from './messages.ts'
import { pipeNotify } from './pipe.ts'
import type { Notify } from './port.ts'
import { socketNotify } from './systemd.ts'

/** Of what an interpreter of the environment is told. */
export interface NotifyEvents {
  /** Told once when nothing can be said. */
  readonly onFault: (why: string) => void
  /** Whoever watches has ended. */
  readonly onGone: () => void
}

/**
 * Who waits to hear how this process is; undefined: nobody. What says so is taken out of the environment, so that no
 * child speaks in its place.
 */
export const notifyOf = (env: NodeJS.ProcessEnv, { onFault, onGone }: NotifyEvents): Notify | undefined => {
  const { [WATCH_FD]: fd, NOTIFY_SOCKET: socket, WATCHDOG_USEC: us, WATCHDOG_PID: pid } = env
  for (const name of [WATCH_FD, 'NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID']) delete env[name]
  const isOurs = pid === undefined || Number(pid) === process.pid
  const watchdogMs = isOurs && Number(us) > 0 ? Number(us) / 1000 : null
  if (fd !== undefined && Number.isInteger(Number(fd))) return pipeNotify(Number(fd), watchdogMs, onGone)
  if (!socket) return undefined
  return socketNotify({ socket, watchdogMs, addon: projectPath('native/notify/build/notify.node'), onFault })
}
