// The words of systemd's protocol, over whichever way they go: sd_notify(3).
import type { Notify } from './port.ts'

/** How the launcher says where it listens, in the environment of the service that it watches. */
export const WATCH_FD = 'VEDETTE_WATCH_FD'

/** Speaks it. say: one message; must not throw. */
export const notifyBy = (say: (message: string) => void, watchdogMs: number | null): Notify => ({
  ready: () => say('READY=1'),
  watchdog: () => say('WATCHDOG=1'),
  status: (text) => say(`STATUS=${text.replaceAll('\n', ' ')}`),
  extend: (us) => say(`EXTEND_TIMEOUT_USEC=${Math.ceil(us)}`),
  watchdogMs,
})

/** What a message says; undefined: nothing that is known here. */
export const messageIn = (line: string): { readonly name: string; readonly value: string } | undefined => {
  const at = line.indexOf('=')
  return at > 0 ? { name: line.slice(0, at), value: line.slice(at + 1) } : undefined
}
