// Where the clock of this device stands, for another one that works on its pictures.
import { type ClockReading, clockQuestionIn } from '../../machines/interdevice/clock-reading.ts'
import { TokenBucket } from '../../machines/limits/token-bucket.ts'
import type { Clock } from '../../native/clock/port.ts'
import type { Listener } from '../events/event-feed.ts'

const ANSWERS = { capacity: 32, perSecond: 8 } // a device asks six times when it begins, and three times every 5 s

/**
 * Answers what is asked on an open socket, for as long as that is open. What is no question, or comes too often, is not
 * answered.
 */
export const answerAboutClock = (
  { socket, connection, form }: Required<Pick<Listener, 'form' | 'socket' | 'connection'>>,
  clock: Pick<Clock, 'monotonicUs'>,
): void => {
  const bucket = new TokenBucket(ANSWERS)
  socket.on('message', (data, isBinary) => {
    const monotonic_us = clock.monotonicUs() // first: what follows takes its time
    const number = isBinary ? undefined : clockQuestionIn(String(data))
    if (number === undefined || !bucket.take(1, monotonic_us / 1_000)) return
    if (socket.readyState === socket.OPEN)
      connection.write(form({ kind: 'clock', number, monotonic_us } satisfies ClockReading))
  })
}
