// Connections as the kernel sees them.
import { readFileSync } from 'node:fs'

const ESTABLISHED = '01'

/**
 * Whether the other end of a connection from a port of 127.0.0.1 still keeps it: who reads nothing may not learn that
 * it does not.
 */
export const isKept = (localPort: number): boolean => {
  const there = `0100007F:${localPort.toString(16).toUpperCase().padStart(4, '0')}`
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .some((line) => {
      const [, , to, state] = line.trim().split(/\s+/)
      return to === there && state === ESTABLISHED
    })
}
