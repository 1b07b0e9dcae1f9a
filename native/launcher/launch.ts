// The launcher: decides which version of the service runs, and becomes it. It is part of the package, is never replaced
// by an update, and needs nothing of what it starts. Under systemd it is replaced by the service, so that this is the
// one main process; with --watch it stays, and does what systemd would.
import type { ChildProcess } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { PACKAGED } from '../../machines/update/release.ts'
import { settingsName, slotIn } from '../../machines/update/settings-name.ts'
import { socketNotify } from '../notify/systemd.ts'
import { realDisk } from '../update/disk.ts'
import { LAST_EXIT } from '../update/run-notes.ts'
import { PROGRAMS, prepareStart, type Start } from './prepare.ts'
import type { SettingsFiles } from './settings.ts'
import { endGroup, runWatched, type WatchLimits } from './watch.ts'

const USAGE = 'launch --system DIR --packaged DIR --data-dir DIR [--watch] [--ready-s N] [--watchdog-s N] [-- FLAGS]'
const BAD_CONFIGURATION = 78 // sysexits.h
const AGAIN_AFTER_MS = 1_000
const STOP_LIMIT_MS = 5_000 // the service takes 3 s at most
const COPY_US = 120e6 // to copy 128 MB of settings on a slow card

interface Order {
  readonly system: string
  readonly packaged: string
  readonly dataDir: string
  readonly watch: boolean
  readonly limits: WatchLimits
  readonly flags: readonly string[]
}

const read = (args: readonly string[]): Order => {
  const at = args.indexOf('--')
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: at < 0 ? [...args] : args.slice(0, at),
    options: {
      system: text,
      packaged: text,
      'data-dir': text,
      watch: { type: 'boolean' },
      'ready-s': { ...text, default: '20' },
      'watchdog-s': { ...text, default: '15' },
    },
  })
  const { system, packaged, 'data-dir': dataDir, watch = false } = values
  const [readyMs = 0, watchdogMs = 0] = [values['ready-s'], values['watchdog-s']].map((given) => Number(given) * 1000)
  if (!system || !packaged || !dataDir || !(readyMs > 0) || !(watchdogMs > 0)) throw new Error('something is missing')
  return {
    system: resolve(system),
    packaged: resolve(packaged),
    dataDir: resolve(dataDir),
    watch,
    limits: { readyMs, watchdogMs },
    flags: at < 0 ? [] : args.slice(at + 1),
  }
}

const say = (sentence: string): void => {
  try {
    writeFileSync(2, `vedette: ${sentence}\n`)
  } catch {
    // nobody reads it
  }
}

/** Node says of some of its modules that they may change; this runs with the one that it was made for. */
const keepQuiet = (): void => void process.removeAllListeners('warning')

/** Loaded only where settings are copied or compared: once for each version. */
const lazySettings = (askForTime: () => void): SettingsFiles => ({
  copy: async (from, to) => {
    askForTime()
    return (await import('./settings.ts')).sqliteSettings.copy(from, to)
  },
  differing: async (folder, other) => (await import('./settings.ts')).sqliteSettings.differing(folder, other),
})

/** Asks systemd to wait for longer, where it waits. */
const askForTime = ({ packaged }: Order) => {
  const { NOTIFY_SOCKET: socket } = process.env
  if (!socket) return
  const addon = join(packaged, 'native/notify/build/notify.node')
  socketNotify({ socket, watchdogMs: null, addon, onFault: say }).extend(COPY_US)
}

const bootedSlot = (): string | null => {
  try {
    return slotIn(readFileSync('/proc/cmdline', 'utf8'))
  } catch {
    return null
  }
}

/** Something runs, whatever happens here. */
const prepare = async (order: Order): Promise<Start> => {
  const { system, packaged, dataDir } = order
  const settings = lazySettings(() => askForTime(order))
  const slot = bootedSlot()
  try {
    return await prepareStart({ system, packaged, dataDir, disk: realDisk, settings, nowMs: Date.now, warn: say, slot })
  } catch (error) {
    say(`the packaged version is started, since none could be chosen: ${(error as Error).stack}`)
    const folder = join(dataDir, 'settings', settingsName(PACKAGED, slot))
    return { name: PACKAGED, folder: packaged, settings: folder, why: 'none could be chosen' }
  }
}

const commandOf = ({ system, packaged, dataDir, flags }: Order, { name, folder, settings }: Start) => ({
  program: join(folder, PROGRAMS.node),
  // the heap: docs/decisions/0003-small-young-heap.md
  args: ['--max-semi-space-size=1', join(folder, PROGRAMS.main), '--data-dir', dataDir, ...flags],
  env: {
    ...process.env,
    VEDETTE_SYSTEM: system,
    VEDETTE_PACKAGED: packaged,
    VEDETTE_RUNNING: name,
    VEDETTE_SETTINGS_FOLDER: settings,
  },
})

const become = async (order: Order): Promise<never> => {
  const start = await prepare(order)
  say(`${start.name} is started: ${start.why}`)
  const { program, args, env } = commandOf(order, start)
  return (process as Required<NodeJS.Process>).execve(program, [program, ...args], env)
}

/** Starts it again and again until it is told to end; the exit code of the last run. */
const watch = async (order: Order): Promise<number> => {
  const ending = new AbortController()
  let child: ChildProcess | undefined
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      ending.abort()
      child?.kill('SIGTERM')
      setTimeout(() => child && endGroup(child), STOP_LIMIT_MS).unref()
    })
  for (;;) {
    const start = await prepare(order)
    if (ending.signal.aborted) return 0
    say(`${start.name} is started: ${start.why}`)
    const { line, code } = await runWatched({
      ...commandOf(order, start),
      limits: order.limits,
      onStart: (started) => {
        child = started
      },
    })
    try {
      writeFileSync(join(order.system, LAST_EXIT), line)
    } catch (error) {
      say(`how it ended (${line}) could not be noted: ${(error as Error).message}`)
    }
    if (ending.signal.aborted) return code
    await pause(AGAIN_AFTER_MS, undefined, { signal: ending.signal }).catch(() => {})
  }
}

const started = (): Order | undefined => {
  try {
    return read(process.argv.slice(2))
  } catch (error) {
    say(`${(error as Error).message}; ${USAGE}`)
    return undefined
  }
}

keepQuiet()
const order = started()
if (!order) process.exitCode = BAD_CONFIGURATION
else if (order.watch) process.exit(await watch(order))
else await become(order)
