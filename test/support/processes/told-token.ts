// The token of a service, as its people hear it: once, in the log of its first start.
import assert from 'node:assert/strict'
import type { Daemon } from './daemon.ts'

/** The one that a service told. */
export const tokenOf = ({ log }: Daemon): string => {
  const told = log.map(({ message }) => /told only this once: (\S+)/.exec(String(message))?.[1]).find(Boolean)
  assert.ok(told, 'no token was told')
  return told
}
