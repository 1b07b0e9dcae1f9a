// The service as a process: reads the settings of the start, runs until it is told to stop, and says with the exit code
// how that went.
import { accessSync, constants, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as Cause from 'effect/Cause'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import type * as Scope from 'effect/Scope'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { type Fault, faultOf } from '../../machines/errors/fault.ts'
import type { BoundAddress } from '../../machines/http/http-server-machine.ts'
import { defaultPolicy, type Policy } from '../../machines/supervision/policy.ts'
import { monotonicUs, nowMs } from '../../native/clock/system.ts'
import { lineLog, neverWaitFor } from '../../native/log/lines.ts'
import type { Log } from '../../native/log/port.ts'
import { withoutRepeats } from '../../native/log/repeats.ts'
import { OwnLogFiles } from '../../native/logs/own-log.ts'
import { OWN_LOG } from '../../native/logs/port.ts'
import { notifyOf } from '../../native/notify/environment.ts'
import { takePrecedence } from '../../native/programs/precedence.ts'
import { sayLastWords } from '../../native/update/run-notes.ts'
import { compose, devicePorts, type Service } from '../composition/compose.ts'
import { value } from '../composition/container.ts'
import { ON_BUG, SUPERVISOR } from '../composition/tokens.ts'
import { addressOf } from '../http/branch.ts'
import { BadOption, helpText, type Options, readOptions } from '../options.ts'
import { tree } from '../tree.ts'
import { LiveLines } from './console.ts'
import { feedWatchdog } from './watchdog.ts'

/**
 * sysexits.h, which systemd and people know: do not restart on 78, try again later on 75. broken: while it ran; start
 * it again at once.
 */
const EXIT = { done: 0, failed: 1, broken: 70, tryLater: 75, badConfiguration: 78 } as const
type ExitCode = (typeof EXIT)[keyof typeof EXIT]
const STOP_LIMIT_MS = 3_000

const version = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version

/** Runs the service; resolves to the exit code. policy: how soon what crashes is started again. */
export const runService = async (policy: Policy = defaultPolicy): Promise<number> => {
  takePrecedence()
  outliveReaders()
  const options = startOptions()
  if (typeof options === 'number') return options
  const live = options.log.form === 'pretty' && process.stdout.isTTY ? new LiveLines(process.stdout) : undefined
  const own = new OwnLogFiles(
    { folder: join(options.dataDir, 'log'), clock: { nowMs, monotonicUs } },
    options.log.level,
  )
  process.once('exit', () => own.closeNow())
  const lines = own.log(lineLog(live ?? process.stdout, options.log.form, nowMs))
  const log = withoutRepeats(lines, () => monotonicUs() / 1000)
  const exit = await Effect.runPromiseExit(Effect.scoped(serve(options, policy, { log, own }, live)))
  if (Exit.isFailure(exit)) sayWhyItFailed(faultOf(Cause.squash(exit.cause)), { log, own })
  await own.close()
  return Exit.isSuccess(exit) ? exit.value : exitCodeOf(faultOf(Cause.squash(exit.cause)))
}

/** Where the service says what happens: on its output and in its own files. */
interface Logging {
  readonly log: Log
  readonly own: OwnLogFiles
}

const sayWhyItFailed = ({ code, detail }: Fault, { log, own }: Logging): void => {
  log('error', detail, { code })
  if (code !== 'storage.in_use') own.open() // else the files are those of the service that has the store
  sayWhyItEnds(detail)
}

/** To the launcher, which may give this version up for it. */
const sayWhyItEnds = (sentence: string): void => sayLastWords(process.env.VEDETTE_SYSTEM, sentence)

/**
 * Lets lines that cannot be written be lost: the terminal is gone, the program behind the pipe ended, the disk with the
 * log is full. As errors that nobody catches they would be logged, which is the next such error, without end. And a
 * terminal that is only stopped holds up nothing.
 */
const outliveReaders = (): void => {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', () => {})
    neverWaitFor(stream)
  }
}

const startOptions = (): Options | number => {
  try {
    const started = readOptions(process.argv.slice(2), process.env, process.stdout.isTTY)
    if ('run' in started) {
      makeFolder(started.run.dataDir)
      return started.run
    }
    process.stdout.write(started.print === 'help' ? helpText() : `${version}\n`)
    return EXIT.done
  } catch (error) {
    if (!(error instanceof BadOption)) throw error
    process.stderr.write(`vedette: ${error.message}\n`)
    sayWhyItEnds(error.message)
    return EXIT.badConfiguration
  }
}

const makeFolder = (path: string): void => {
  try {
    mkdirSync(path, { recursive: true })
    accessSync(path, constants.W_OK | constants.X_OK)
  } catch (error) {
    const why = (error as Error).message
    throw new BadOption(`the data directory ${path} cannot be used (${why}); name another one with --data-dir.`)
  }
}

/** What may be put right while nobody touches the service: another program ends, space becomes free. */
const TRY_LATER: readonly string[] = ['http.port_taken', 'storage.in_use', 'storage.full']

const exitCodeOf = ({ code }: Fault): ExitCode => {
  if (TRY_LATER.includes(code)) return EXIT.tryLater
  if (code === 'storage.newer_schema' || code === 'http.cannot_listen') return EXIT.badConfiguration
  return EXIT.failed
}

/** Fails when it cannot be started; once it runs it ends with the exit code. */
const serve = (
  options: Options,
  policy: Policy,
  { log, own }: Logging,
  live: LiveLines | undefined,
): Effect.Effect<ExitCode, Fault, Scope.Scope> =>
  Effect.gen(function* () {
    const heard = { signal: stopSignal(), bug: uncaughtBug(log) } // from the first moment on
    const watcher = notifyOf(process.env, {
      onFault: (why) => log('warn', why),
      onGone: () => process.kill(process.pid, 'SIGTERM'),
    })
    const ports = [...devicePorts(tree, options), value(OWN_LOG, own)]
    const service = yield* compose({ branches: tree, options, ports, log, version, policy })
    const run = Effect.gen(function* () {
      yield* service.start
      const supervisor = service.resolve(SUPERVISOR)
      sayWhere(addressOf(supervisor), log)
      if (watcher) yield* Effect.forkScoped(feedWatchdog(watcher, supervisor))
      if (live) yield* Effect.forkScoped(redraw(live, service))
      return yield* Effect.never
    })
    const code = yield* Effect.raceAllFirst([
      run,
      stopped(heard.signal, log),
      lost(service, log),
      broken(heard.bug, service, log),
    ])
    const late = code === EXIT.done ? EXIT.failed : code
    // a part that cannot stop shall not keep the robot waiting
    setTimeout(() => process.exit(late), STOP_LIMIT_MS).unref()
    return code
  })

/** The second signal ends at once. */
const stopSignal = (): Promise<string> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal))
  })

/**
 * What was thrown, or rejected, where nobody caught it. The first of them ends the service; those that follow meanwhile
 * are logged as well.
 */
const uncaughtBug = (log: Log): Promise<Fault> =>
  new Promise((resolve) => {
    process.on('uncaughtException', (bug) => {
      log('error', `nobody caught this: ${bug instanceof Error ? bug.stack : bug}`)
      resolve(faultOf(bug))
    })
  })

const stopped = (signal: Promise<string>, log: Log): Effect.Effect<ExitCode> =>
  Effect.map(
    Effect.promise(() => signal),
    (name) => {
      log('info', `${name}: stopping`)
      return EXIT.done
    },
  )

const END = 'the service ends, so that the system starts it again'

const lost = ({ resolve }: Service, log: Log): Effect.Effect<ExitCode> =>
  Effect.map(Effect.flip(resolve(SUPERVISOR).lost), ({ code, resource, detail }) => {
    const sentence = `there is nothing to run for without ${resource}: ${END}`
    log('error', sentence, { code, resource })
    sayWhyItEnds(`${sentence} (${detail})`)
    return EXIT.broken
  })

const broken = (bug: Promise<Fault>, { resolve }: Service, log: Log): Effect.Effect<ExitCode> =>
  Effect.map(
    Effect.promise(() => bug),
    (fault) => {
      resolve(ON_BUG)('')(fault)
      log('error', `something was thrown that nobody caught: ${END}`)
      sayWhyItEnds(`something was thrown that nobody caught: ${fault.detail}`)
      return EXIT.broken
    },
  )

const sayWhere = ({ host, port }: BoundAddress, log: Log): void => {
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  const url = `http://${shown}:${port}`
  log('info', `Vedette ${version} is ready: open ${url}/ in a browser, ${url}/docs for the API`, { url })
}

const redraw = (live: LiveLines, { resolve }: Service) => {
  const [streams, onBug] = [resolve(STREAM_REGISTRY), resolve(ON_BUG)('console')]
  return Effect.sync(() => live.draw(streams.all())).pipe(
    Effect.catchDefect((bug) => Effect.sync(() => onBug(bug))),
    Effect.delay('500 millis'),
    Effect.forever,
  )
}
