// The name of a Linux device. systemd is told where it runs, since it would put its own name back; elsewhere the kernel
// is, and the file from which the next start takes the name.
import { existsSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { writeFileWholeSoon } from '../files/atomic.ts'
import { linuxPrograms } from '../programs/linux.ts'
import type { ProgramsPort } from '../programs/port.ts'
import { runProgram } from '../programs/run.ts'
import { syncFileSystem } from '../programs/sync.ts'
import type { HostnamePort } from './port.ts'

/** Where the name stands. hostnamectl: the program that tells systemd; null: it does not run here. */
export interface LinuxHostnameParts {
  readonly etc?: string
  readonly kernel?: string
  readonly hostnamectl?: string | null
  readonly programs?: Pick<ProgramsPort, 'run'>
}

export const linuxHostname = ({
  etc = '/etc',
  kernel = '/proc/sys/kernel/hostname',
  hostnamectl = existsSync('/run/systemd/system') ? 'hostnamectl' : null,
  programs = linuxPrograms(),
}: LinuxHostnameParts = {}): HostnamePort => ({
  // At once: no disk is behind this file, and to have another thread open, look at, read and close it wakes an idle
  // service five times.
  read: Effect.map(
    attempt('the name of this device cannot be read', async () => readFileSync(kernel, 'utf8')),
    (text) => text.trim(),
  ),
  write: (name) =>
    Effect.gen(function* () {
      // systemd writes it without syncing it
      if (hostnamectl !== null) yield* Effect.andThen(toldBy(hostnamectl, name), syncFileSystem(programs, etc))
      else yield* attempt(`this device cannot be called ${name}`, () => written(etc, kernel, name))
      // sudo waits for a name that it cannot look up. Where the file cannot be written, that is all that is lost.
      yield* Effect.ignore(attempt('', () => lookedUp(join(etc, 'hosts'), name)))
    }),
})

const toldBy = (hostnamectl: string, name: string): Effect.Effect<void, Fault> =>
  Effect.mapError(Effect.asVoid(runProgram(hostnamectl, 'set-hostname', name)), ({ code, detail }) => ({
    code,
    detail: `this device cannot be called ${name}: ${detail}. ${REMEDY}`,
  }))

/** The file first: of the two it is the one that can be put back by hand. */
const written = async (etc: string, kernel: string, name: string): Promise<void> => {
  await writeFileWholeSoon(join(etc, 'hostname'), `${name}\n`)
  await writeFile(kernel, name)
}

/** Debian's line for the device itself, which it has where there is no fixed address. */
const OWN_LINE = /^127\.0\.1\.1\s.*$/m

const lookedUp = async (path: string, name: string): Promise<void> => {
  const text = await readFile(path, 'utf8')
  const line = `127.0.1.1\t${name}`
  await writeFileWholeSoon(path, OWN_LINE.test(text) ? text.replace(OWN_LINE, line) : `${text.trimEnd()}\n${line}\n`)
}

const REMEDY =
  'Its name may be changed by root, or by whom the rules of this system let; start the service as one of them'

const attempt = <Value>(what: string, act: () => Promise<Value>): Effect.Effect<Value, Fault> =>
  Effect.tryPromise({
    try: act,
    catch: (error): Fault => {
      const { code, message } = error as NodeJS.ErrnoException
      const remedy = code === 'EACCES' || code === 'EPERM' ? `. ${REMEDY}` : ''
      return { code: 'device.failed', detail: `${what}: ${message}${remedy}` }
    },
  })
