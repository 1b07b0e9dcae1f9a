// What the kernel does about connections on which nothing is said.
import { readFileSync } from 'node:fs'

const ESTABLISHED = '01'
const PROBING = '02' // a timer that is none of those for what was sent and not taken

/**
 * How many connections to a port of 127.0.0.1 the kernel probes while they are idle, so that a peer is missed that went
 * without a word.
 */
export const countKeptAlive = (port: number): number => {
  const here = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, at, , state, , timer]) => at === here && state === ESTABLISHED && timer?.startsWith(`${PROBING}:`))
    .length
}
