// Logs of a made-up device: lines come as time goes on, each made of its number alone.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Boot } from '../../machines/logs/boots.ts'
import type { LogLevel } from '../../machines/logs/level.ts'
import type { LogLine, LogSourceId } from '../../machines/logs/line.ts'
import type { Clock } from '../clock/port.ts'
import { unknownCursor } from './faults.ts'
import type { LogListener, LogSource, Logs, LogWalk, LogWalkEnd, OwnLog } from './port.ts'

/** What a made-up line says. */
interface Saying {
  readonly level: LogLevel
  readonly part: string
  readonly message: (n: number) => string
}

type FakeClock = Pick<Clock, 'nowMs' | 'monotonicUs'>

const PERIOD_US = 2_000_000
const KEPT_LINES = 1_000
const BOOT = 7

const OWN: readonly Saying[] = [
  { level: 'info', part: 'streams', message: (n) => `front runs with ${58 + (n % 3)} pictures a second` },
  { level: 'debug', part: 'nt4', message: (n) => `the clock of the robot is ${n % 40} µs off` },
  { level: 'warn', part: 'nt4', message: (n) => `the robot answered after ${40 + (n % 30)} ms` },
  { level: 'info', part: 'peers', message: () => 'rear-camera is there again' },
  { level: 'error', part: 'cameras', message: (n) => `the camera at usb-1.${1 + (n % 4)} gives no pictures` },
]

const JOURNAL: readonly Saying[] = [
  { level: 'info', part: 'systemd', message: (n) => `Started session-${n}.scope.` },
  { level: 'info', part: 'NetworkManager', message: () => 'device (eth0): carrier: link connected' },
  {
    level: 'warn',
    part: 'systemd-resolved',
    message: () => 'Using degraded feature set UDP for DNS server 10.12.34.1.',
  },
  { level: 'debug', part: 'vedette', message: (n) => `request ${n} was answered` },
]

const KERNEL: readonly Saying[] = [
  { level: 'info', part: 'kernel', message: (n) => `usb 1-1.${1 + (n % 4)}: reset high-speed USB device` },
  { level: 'warn', part: 'kernel', message: (n) => `hwmon hwmon1: Undervoltage detected! (${n % 9})` },
  { level: 'error', part: 'kernel', message: () => 'uvcvideo: Failed to resubmit video URB (-1).' },
]

/** A source whose newest line is as old as the clock says. Its older lines are gone after a while. */
export class FakeLogSource implements LogSource {
  readonly #id: LogSourceId
  readonly #sayings: readonly Saying[]
  readonly #clock: FakeClock

  constructor(id: LogSourceId, sayings: readonly Saying[], clock: FakeClock) {
    this.#id = id
    this.#sayings = sayings
    this.#clock = clock
  }

  readonly look = async (): Promise<string | null> => null

  readonly walk = ({ place, filter }: LogWalk, told: (line: LogLine) => boolean) =>
    Effect.suspend((): Effect.Effect<LogWalkEnd, Fault> => {
      const from = this.#numberOf(place.cursor)
      if (from === null) return Effect.fail(unknownCursor(this.#id))
      const newest = this.#newest()
      const oldest = Math.max(0, newest - KEPT_LINES + 1)
      const isOlder = place.way === 'older'
      const isGone = from !== undefined && (isOlder ? from < oldest : from + 1 < oldest)
      let n = isOlder ? Math.min(newest, (from ?? newest + 1) - 1) : Math.max(oldest, (from ?? -1) + 1)
      for (; n >= oldest && n <= newest; n += isOlder ? -1 : 1) {
        const line = this.#lineOf(n)
        if (filter.boot !== undefined && filter.boot !== line.boot) continue
        if (!told(line)) return Effect.succeed({ isGone, isEnd: false })
      }
      return Effect.succeed({ isGone, isEnd: true })
    })

  readonly follow = ({ line: told }: LogListener): (() => void) => {
    let seen = this.#newest()
    const tell = () => {
      const newest = this.#newest()
      for (seen += 1; seen <= newest; seen++) told(this.#lineOf(seen))
      seen = newest
    }
    const timer = setInterval(tell, PERIOD_US / 4_000).unref()
    return () => clearInterval(timer)
  }

  #newest(): number {
    return Math.floor(this.#clock.monotonicUs() / PERIOD_US)
  }

  #lineOf(n: number): LogLine {
    const saying = this.#sayings[(n * 7 + (n % 5)) % this.#sayings.length] as Saying
    const monotonicUs = n * PERIOD_US
    return {
      cursor: `${this.#id}:${n}`,
      boot: BOOT,
      monotonic_us: monotonicUs,
      at_ms: Math.round(this.#clock.nowMs() - (this.#clock.monotonicUs() - monotonicUs) / 1000),
      level: saying.level,
      part: saying.part,
      pid: this.#id === 'journal' ? 400 + (n % 7) : null,
      message: saying.message(n),
      facts: this.#id === 'own' && saying.level === 'error' ? { code: 'camera.lost', resource: 'streams/front' } : null,
    }
  }

  #numberOf(cursor = ''): number | undefined | null {
    if (cursor === '') return undefined
    const [id, number = ''] = cursor.split(':')
    return id === this.#id && /^\d{1,15}$/.test(number) ? Number(number) : null
  }
}

/** Our own log, without files. */
export class FakeOwnLog extends FakeLogSource implements OwnLog {
  readonly #nowMs: () => number

  constructor(clock: FakeClock) {
    super('own', OWN, clock)
    this.#nowMs = clock.nowMs
  }

  readonly open = (): void => {}
  readonly heed = (): void => {}
  readonly parts = (): readonly string[] => ['cameras', 'nt4', 'peers', 'streams']
  readonly boots = (): readonly Boot[] => {
    const atMs = this.#nowMs()
    return [
      { boot: BOOT - 1, boot_id: 'b1'.repeat(16), at_ms: atMs - 90_000_000 },
      { boot: BOOT, boot_id: 'b2'.repeat(16), at_ms: atMs - 3_600_000 },
    ]
  }
}

/** A system whose log is empty, for lack of what would keep it. */
const absent = (why: string): LogSource => ({
  look: async () => why,
  walk: () => Effect.succeed({ isGone: false, isEnd: true }),
  follow: ({ ended }) => {
    ended(why)
    return () => {}
  },
})

/** Those of the system. hasJournal: whether it keeps one. */
export const fakeLogs = (clock: FakeClock, hasJournal = true): Logs => ({
  journal: hasJournal ? new FakeLogSource('journal', JOURNAL, clock) : absent(NO_JOURNAL),
  kernel: hasJournal ? new FakeLogSource('kernel', KERNEL, clock) : absent(NO_KERNEL),
})

const NO_JOURNAL = 'this system keeps no journal: journalctl is not there'
const NO_KERNEL = 'what the kernel says cannot be read (EPERM: operation not permitted, open /dev/kmsg)'
