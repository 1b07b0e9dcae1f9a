// The journal of systemd, read by its own program: lines since, lines before, and lines as they come. One process
// follows it for all who do.
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import type { Fault } from '../../machines/errors/fault.ts'
import { type Boot, plainBootId } from '../../machines/logs/boots.ts'
import type { LogLine } from '../../machines/logs/line.ts'
import type { LogFilter } from '../../machines/logs/query.ts'
import { complaintOf, type ProgramEnd, type ProgramFailure, type ProgramsPort } from '../programs/port.ts'
import { unknownCursor } from './faults.ts'
import { cursorIn, journalLine } from './journal-line.ts'
import type { LogListener, LogSource, LogWalk, LogWalkEnd } from './port.ts'

/** What the journal is read with. */
export interface JournalParts {
  readonly programs: ProgramsPort
  readonly boots: () => readonly Boot[]
  /** Only what the kernel says. */
  readonly isKernel: boolean
}

const PROGRAM = 'journalctl'
// few fields: all of them take five times as long
const FORM = [
  ...['--output=json', '--output-fields=MESSAGE,PRIORITY,_PID,SYSLOG_IDENTIFIER,_SYSTEMD_UNIT'],
  ...['--all', '--no-pager', '--quiet'],
]
const CURSOR = /^s=[0-9a-f]{32};i=[0-9a-f]+;b=[0-9a-f]{32};m=[0-9a-f]+;t=[0-9a-f]+;x=[0-9a-f]+$/
const WALK_LIMIT_MS = 60_000
const TRY_AGAIN_AFTER = '1 second'
const PRIORITY = { error: '3', warn: '4', info: '6', debug: '7' } as const

export class Journal implements LogSource {
  readonly #parts: JournalParts
  readonly #listeners = new Set<LogListener>()
  #following: Fiber.Fiber<void> | undefined

  constructor(parts: JournalParts) {
    this.#parts = parts
  }

  readonly look = (): Promise<string | null> =>
    Effect.runPromise(
      Effect.match(this.#parts.programs.run({ program: PROGRAM, args: ['-n', '1', '-o', 'cat', '--no-pager'] }), {
        onFailure: sayWhyNot,
        onSuccess: (end) => {
          if (end.exitCode !== 0) return `the journal of this system cannot be read: ${complaintOf(PROGRAM, end)}`
          if (end.stdout.trim() !== '' && !/^-- No entries --\s*$/.test(end.stdout)) return null
          return `the journal of this system is empty, or this service may not read it${hintIn(end)}`
        },
      }),
    )

  readonly walk = ({ place, filter }: LogWalk, told: (line: LogLine) => boolean): Effect.Effect<LogWalkEnd, Fault> =>
    Effect.suspend(() => {
      const { cursor = '', way } = place
      if (cursor !== '' && !CURSOR.test(cursor)) return Effect.fail(unknownCursor(this.#id))
      const matches = this.#matchesOf(filter)
      if (!matches) return Effect.succeed({ isGone: false, isEnd: true })
      const where = [
        ...(way === 'older' ? ['--reverse'] : []),
        // the journal does not take both; who has a cursor is beyond that time, or looks at each line
        ...(cursor !== '' ? [`--cursor=${cursor}`] : secondsOf('--since', filter.sinceMs)),
        ...secondsOf('--until', filter.untilMs),
      ]
      let first: string | undefined
      const wanted = (text: string): boolean => {
        first ??= cursorIn(text)
        if (cursor !== '' && cursorIn(text) === cursor) return true // it was told before
        const line = journalLine(text, this.#bootOf)
        return line ? told(line) : true
      }
      return Effect.gen({ self: this }, function* () {
        const isEnd = yield* this.#read([...where, ...matches], wanted)
        const isGone = cursor !== '' && first !== cursor && !(yield* this.#hasLine(cursor, matches))
        return { isGone, isEnd }
      })
    })

  readonly follow = (listener: LogListener): (() => void) => {
    this.#listeners.add(listener)
    this.#following ??= Effect.runFork(this.#followAll)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0 || !this.#following) return
      Effect.runFork(Fiber.interrupt(this.#following))
      this.#following = undefined
    }
  }

  get #id(): 'kernel' | 'journal' {
    return this.#parts.isKernel ? 'kernel' : 'journal'
  }

  /** From the newest line on; when the program ends, from the last that it told. */
  readonly #followAll: Effect.Effect<void> = Effect.gen({ self: this }, function* () {
    yield* Effect.yieldNow // one that ends at once does so when it is known that it was begun
    let last = ''
    const told = (text: string) => {
      const cursor = cursorIn(text)
      if (cursor === undefined || cursor === last) return
      last = cursor
      const line = journalLine(text, this.#bootOf)
      if (line) for (const listener of this.#listeners) listener.line(line)
    }
    while (true) {
      const from = last === '' ? ['--lines=0'] : ['--no-tail', `--cursor=${last}`]
      const args = [...FORM, '--follow', ...from, ...this.#kernelOnly]
      const why = yield* Effect.match(this.#parts.programs.listen({ program: PROGRAM, args }, told), {
        onFailure: (failure) => ({
          text: sayWhyNot(failure),
          isFinal: failure.kind === 'missing' || failure.kind === 'refused',
        }),
        onSuccess: (end) => ({ text: complaintOf(PROGRAM, end), isFinal: last === '' }),
      })
      if (why.isFinal) return this.#giveUp(why.text)
      yield* Effect.sleep(TRY_AGAIN_AFTER)
    }
  })

  #giveUp(why: string): void {
    this.#following = undefined
    const listeners = [...this.#listeners]
    this.#listeners.clear()
    for (const listener of listeners) listener.ended(why)
  }

  get #kernelOnly(): readonly string[] {
    return this.#parts.isKernel ? ['_TRANSPORT=kernel'] : []
  }

  /** undefined: no line can match. */
  #matchesOf({ level, boot }: LogFilter): readonly string[] | undefined {
    const known = boot === undefined ? undefined : this.#parts.boots().find((each) => each.boot === boot)
    if (boot !== undefined && !known?.boot_id) return undefined
    return [
      ...(level && level !== 'debug' ? [`--priority=${PRIORITY[level]}`] : []),
      ...this.#kernelOnly,
      ...(known ? [`_BOOT_ID=${known.boot_id}`] : []),
    ]
  }

  readonly #bootOf = (id: string): number | null =>
    this.#parts.boots().findLast(({ boot_id }) => boot_id === plainBootId(id))?.boot ?? null

  /** Gives whether it came to the end. wanted: told each line as it is printed; false stops it. */
  #read(args: readonly string[], wanted: (text: string) => boolean): Effect.Effect<boolean, Fault> {
    let stop = () => {}
    let isOver = false
    const stopped = Effect.callback<boolean>((resume) => {
      stop = () => resume(Effect.succeed(false))
      if (isOver) stop()
    })
    const order = { program: PROGRAM, args: [...FORM, ...args], limitMs: WALK_LIMIT_MS }
    const read = this.#parts.programs.listen(order, (text) => {
      if (isOver || wanted(text)) return
      isOver = true
      stop()
    })
    return Effect.raceFirst(
      stopped,
      Effect.matchEffect(read, { onFailure: failed, onSuccess: (end) => this.#ended(end) }),
    )
  }

  #ended(end: ProgramEnd): Effect.Effect<boolean, Fault> {
    if (end.exitCode === 0) return Effect.succeed(true)
    if (/seek to cursor/i.test(end.stderr)) return Effect.fail(unknownCursor(this.#id))
    if (end.stderr.trim() === '') return Effect.succeed(true) // newer ones end with 1 where no line matches
    return Effect.fail({ code: 'device.failed', detail: complaintOf(PROGRAM, end) })
  }

  /** Whether a line is still there which is not among those that match, or is. */
  #hasLine(cursor: string, matches: readonly string[]): Effect.Effect<boolean, Fault> {
    if (matches.length === this.#kernelOnly.length) return Effect.succeed(false)
    let found: string | undefined
    const look = this.#read([`--cursor=${cursor}`], (text) => {
      found = cursorIn(text)
      return false
    })
    return Effect.map(look, () => found === cursor)
  }
}

const secondsOf = (option: string, ms: number | undefined): readonly string[] =>
  ms === undefined ? [] : [`${option}=@${(ms / 1000).toFixed(3)}`]

const sayWhyNot = ({ kind, text }: ProgramFailure): string =>
  kind === 'missing' ? `this system keeps no journal: ${text}` : `the journal of this system cannot be read: ${text}`

const failed = (failure: ProgramFailure): Effect.Effect<never, Fault> =>
  Effect.fail({ code: 'device.failed', detail: sayWhyNot(failure) })

/** What the program says of who may read it. */
const hintIn = ({ stderr }: ProgramEnd): string => {
  const group = /systemd-journal|adm/.exec(stderr)?.[0]
  return group ? ` (its user belongs into the group ${group})` : ''
}
