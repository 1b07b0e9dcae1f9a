// Restarts on Linux: the device by logind, the service by whoever has started it. A unit, or our launcher, starts the
// next run when this one ends; elsewhere the process becomes the next run itself.
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { isRestartNote } from '../../machines/restart/restart-order.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { restartDevice } from '../dbus/login.ts'
import type { DbusPort } from '../dbus/port.ts'
import { writeFileWholeSoon } from '../files/atomic.ts'
import { unitIn } from '../programs/control-group.ts'
import type { ProgramsPort } from '../programs/port.ts'
import type { SystemFiles } from '../system-files/port.ts'
import type { RestartPort } from './port.ts'

/** This process, as far as a restart needs it. */
export interface OwnProcess {
  readonly parent: number
  readonly env: Readonly<Record<string, string | undefined>>
  /** Ends this run as a signal of the system does. */
  readonly end: () => void
  /** Becomes the next run as soon as this one has ended; undefined: that is not possible here. */
  readonly becomeNext: (() => void) | undefined
}

/** What it is made of. */
export interface LinuxRestartParts {
  readonly files: SystemFiles
  readonly programs: ProgramsPort
  readonly dbus: DbusPort
  readonly dataDir: string
  /** That in which this runs, if nothing is said. */
  readonly own?: OwnProcess
}

const NOTE = 'restart.json'
const INIT = 1

export const linuxRestart = ({
  files,
  programs,
  dbus,
  dataDir,
  own = ownProcess(),
}: LinuxRestartParts): RestartPort => {
  const path = join(dataDir, NOTE)
  const unit = unitOf({ files, programs, own })
  const parent = Effect.promise(() => files.text(`/proc/${own.parent}/cmdline`))

  /** How the next run is started; a sentence: why it is not. */
  const way: Effect.Effect<'end' | 'become' | { readonly not: string }> = Effect.gen(function* () {
    const found = yield* unit
    const isLaunched = own.env.VEDETTE_RUNNING !== undefined
    if (found && found.restart !== '')
      return STARTS_AGAIN.includes(found.restart) ? 'end' : { not: notByUnit(found.name) }
    // a unit with our launcher is that of our package, which starts it again
    if (isLaunched && (found || (yield* parent)?.includes('--watch'))) return 'end'
    return own.becomeNext ? 'become' : { not: NOBODY }
  })

  const service = (does: (way: 'end' | 'become') => void): Effect.Effect<void, Fault> =>
    Effect.flatMap(way, (found) =>
      typeof found === 'string'
        ? Effect.sync(() => does(found))
        : Effect.fail({ code: 'device.failed', detail: found.not } as const),
    )

  return {
    bootId: Effect.promise(() => files.text('/proc/sys/kernel/random/boot_id')),
    check: (target) =>
      target === 'service' ? service(() => {}) : Effect.mapError(Effect.scoped(Effect.asVoid(dbus.connect)), noBus),
    restart: (target) =>
      target === 'device'
        ? restartDevice(dbus)
        : service((found) => {
            if (found === 'become') own.becomeNext?.()
            own.end()
          }),
    note: (note) =>
      Effect.tryPromise({
        try: () => writeFileWholeSoon(path, JSON.stringify(note)),
        catch: (error): Fault => ({
          code: 'device.failed',
          detail: `the restart cannot be noted, so that nobody would hear of it: ${(error as Error).message}`,
        }),
      }),
    takeNote: Effect.promise(async () => {
      try {
        const read: unknown = JSON.parse(await readFile(path, 'utf8'))
        await rm(path, { force: true })
        return isRestartNote(read) ? read : null
      } catch {
        return null
      }
    }),
  }
}

/** What `Restart=` of a unit has to say for a run that ended well. */
const STARTS_AGAIN: readonly string[] = ['always', 'on-success']

interface UnitParts {
  readonly files: SystemFiles
  readonly programs: ProgramsPort
  readonly own: OwnProcess
}

/** The unit of systemd that has started this process itself; null: none has. */
const unitOf = ({ files, programs, own }: UnitParts) =>
  Effect.gen(function* () {
    if (own.env.INVOCATION_ID === undefined || own.parent !== INIT) return null
    const group = yield* Effect.promise(() => files.text('/proc/self/cgroup'))
    const name = unitIn(group ?? '')
    if (name === undefined) return null
    const args = ['show', '--property=Restart', '--value', name]
    const restart = yield* Effect.match(programs.run({ program: 'systemctl', args }), {
      onSuccess: ({ stdout }) => stdout.trim(),
      onFailure: () => '',
    })
    return { name, restart }
  })

const notByUnit = (name: string): string => oneLine`
  the service cannot be restarted from here: its unit ${name} does not start it again when it ends; write Restart=always
  into it, or restart it with systemctl restart ${name}
`

const NOBODY = oneLine`
  the service cannot be restarted from here: nobody would start it again when it ends; restart it where it was started
`

const noBus = ({ text }: { readonly text: string }): Fault => ({
  code: 'device.failed',
  detail: oneLine`
    the device cannot be restarted from here: logind is asked over the system bus, and ${text}; restart it at a shell,
    or switch it off and on
  `,
})

const ownProcess = (): OwnProcess => {
  const { execve } = process as { readonly execve?: (file: string, args: string[], env: NodeJS.ProcessEnv) => void }
  return {
    parent: process.ppid,
    env: process.env,
    end: () => void process.kill(process.pid, 'SIGTERM'),
    becomeNext: execve && (() => void process.once('exit', () => becomeAgain(execve))),
  }
}

/** The last thing that this run does, so that nothing of it is held any more. */
const becomeAgain = (execve: (file: string, args: string[], env: NodeJS.ProcessEnv) => void): void => {
  const { execPath, execArgv, argv, env } = process
  process.removeAllListeners('warning') // Node says of execve that it may change
  execve.call(process, execPath, [execPath, ...execArgv, ...argv.slice(1)], env)
}
