// Four cameras; the engine of one of them is killed as a fault in native code would kill it. What the robot sees of the
// others, and how soon it sees frames of the killed one again. All is taken from the robot's side of NT4.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import { wsNt4 } from '../../support/nt4/ws-nt4.ts'
import { addStream, metrics, startDaemon } from '../lab/daemon.ts'
import { type Lab, type Measurement, start } from '../lab/lab.ts'
import { type Row, spread } from '../lab/row.ts'
import { MOUNT } from '../lab/scenes.ts'

const NAMES = ['a', 'b', 'c', 'd'] as const
const FPS = 15
const CRASHES = 8
// before each crash as well as after it; so each camera is hit once a minute, and never waits longer for being hit
// often
const WATCHED_MS = 8_000
const ROBOT = new URL('../nt4/robot.ts', import.meta.url).pathname

/** What one table has shown: the frame number of each results document, and when it came, ms. */
interface Seen {
  readonly at: number
  readonly frame: number
}

type Records = Readonly<Record<string, Seen[]>>

export const engineCrash: Measurement = async (lab) => {
  const port = Number(await start(lab, process.execPath, [ROBOT]).line())
  const daemon = await startDaemon(lab, { dataDir: join(lab.folder, 'data'), nt4: `127.0.0.1:${port}` })
  for (const [n, id] of NAMES.entries()) {
    const source = { backend: 'synthetic', width_px: 640, height_px: 480, fps: FPS, seed: n + 1 } as const
    await addStream(daemon, { id, source, pose: MOUNT, extcam: { table: id } })
  }
  const records = await watchTables(lab, port)
  await delay(5_000)

  const kept: number[] = []
  const keptBefore: number[] = []
  const backMs: number[] = []
  while (backMs.length < CRASHES) {
    const startMs = performance.now()
    await delay(WATCHED_MS)
    const victim = NAMES[backMs.length % NAMES.length] as string
    const { engine_pid } = await metrics(daemon, victim)
    const killedMs = performance.now()
    process.kill(engine_pid, 'SIGSEGV')
    await delay(WATCHED_MS)
    const others = NAMES.filter((name) => name !== victim)
    kept.push(share(records, others, killedMs, killedMs + WATCHED_MS))
    keptBefore.push(share(records, others, startMs, killedMs))
    backMs.push(firstAfter(records, victim, killedMs) - killedMs)
    lab.say(`others kept ${kept.at(-1)?.toFixed(1)} %, back after ${backMs.at(-1)?.toFixed(0)} ms`)
  }
  const from = `${CRASHES} crashes`
  const row = (what: string, unit: string, values: readonly number[]): Row => ({ what, unit, ...spread(values), from })
  return [
    { ...row('an engine is killed: frames that the others keep', '%', kept), figure: { atLeast: 99 } },
    {
      ...row(
        'an engine is killed: publishing again after',
        's',
        backMs.map((ms) => ms / 1000),
      ),
      figure: { atMost: 1 },
    },
    row('  frames that the others keep when nothing is killed', '%', keptBefore),
  ]
}

/** Subscribes to the results documents of all tables as a further client of the robot. */
const watchTables = async (lab: Lab, port: number): Promise<Records> => {
  const scope = Scope.makeUnsafe()
  lab.defer(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const connect = wsNt4.connect({ host: '127.0.0.1', port, name: 'bench' }, (fault) => lab.say(fault.detail))
  const session = await Effect.runPromise(Scope.provide(connect, scope))
  const records = Object.fromEntries(NAMES.map((name) => [name, [] as Seen[]]))
  for (const name of NAMES)
    session.subscribe([`/${name}/json`], { all: true, periodic: 0.005 }, ({ value }) => {
      const { fidx } = JSON.parse(value as string) as { fidx: number }
      records[name]?.push({ at: performance.now(), frame: fidx })
    })
  return records
}

/**
 * Per cent of the frames that the cameras took in a span of time that reached the robot: those missing leave gaps in
 * the numbers.
 */
const share = (records: Records, names: readonly string[], fromMs: number, toMs: number): number => {
  let [taken, arrived] = [0, 0]
  for (const name of names) {
    const seen = (records[name] ?? []).filter(({ at }) => at >= fromMs && at < toMs)
    const numbers = seen.map(({ frame }) => frame)
    taken += Math.max(...numbers) - Math.min(...numbers) + 1
    arrived += new Set(numbers).size
  }
  return (100 * arrived) / taken
}

/**
 * When the first frame of another life came: its number is small again, or at least not that of the last frame before.
 */
const firstAfter = (records: Records, name: string, ms: number): number => {
  const seen = records[name] ?? []
  const last = seen.findLast(({ at }) => at < ms)
  return seen.find(({ at, frame }) => at > ms && frame < (last?.frame ?? 0))?.at ?? Number.POSITIVE_INFINITY
}
