// Keeps what it was told.
import { notifyBy } from './messages.ts'
import type { Notify } from './port.ts'

/** said: all of it, in the words of systemd. */
export const fakeNotify = (watchdogMs: number | null = null): Notify & { readonly said: readonly string[] } => {
  const said: string[] = []
  return { ...notifyBy((message) => void said.push(message), watchdogMs), said }
}
