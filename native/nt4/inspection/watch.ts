// Watches all topics of an NT4 server, on a connection of its own: the link to the robot has enough to do.
import type { Fault } from '../../../machines/errors/fault.ts'
import { addressText } from '../../../machines/nt4/target.ts'
import type { Nt4Dial, Nt4Inspection, Nt4Watcher } from '../port.ts'
import { ClientSession } from '../session/session.ts'

const PERIOD_S = 0.1
const GOODBYE_LIMIT_MS = 300

/** Begins to watch; returns the way to end that. */
export const watchServer: Nt4Inspection['watch'] = (at, watcher) => {
  const session = open(at)
  if (!session) {
    const fault: Fault = { code: 'nt4.unreachable', detail: `${addressText(at)} is not an address one can connect to` }
    queueMicrotask(() => watcher.ended(fault))
    return () => {}
  }
  let isOver = false
  const told =
    <Told extends readonly unknown[]>(tell: (...told: Told) => void) =>
    (...what: Told) => {
      if (!isOver) tell(...what)
    }
  session.onTopics(listenerOf(watcher, () => isOver))
  session.onReady(
    told(() => {
      watcher.began(session.protocol)
      session.subscribe([''], { prefix: true, periodic: PERIOD_S }, told(watcher.arrived))
    }),
  )
  session.onClosed(told(watcher.ended))
  return () => {
    isOver = true
    const timer = setTimeout(() => session.close('at-once'), GOODBYE_LIMIT_MS)
    session.onClosed(() => clearTimeout(timer))
    session.close('politely')
  }
}

const open = (at: Nt4Dial): ClientSession | undefined => {
  try {
    return new ClientSession(at, () => {}) // what is wrong with it the link reports
  } catch {
    return undefined
  }
}

const listenerOf = ({ announced, gone }: Nt4Watcher, isOver: () => boolean) => ({
  announced: (topic: Parameters<typeof announced>[0]) => !isOver() && announced(topic),
  gone: (name: string) => {
    if (!isOver()) gone(name)
  },
})
