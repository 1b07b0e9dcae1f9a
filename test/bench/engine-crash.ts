// Four cameras; the engine of one of them is killed as a fault in native code would kill it. What the robot sees of the others, and how soon it sees
// frames of the killed one again. All is taken from the robot's side of NT4.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as Scope from 'effect/Scope'
import type { Nt4Session } from '../../native/nt4/port.ts'
import { wsNt4 } from '../../native/nt4/ws-port.ts'
import { addStream, type Daemon, getJson, metrics, startDaemon } from './daemon.ts'
import type { Lab, Measurement } from './lab.ts'
import { type Row, spread } from './row.ts'
import { MOUNT } from './scenes.ts'

const NAMES = ['a', 'b', 'c', 'd'] as const
const FPS = 15
const CRASHES = 8
const WATCHED_MS = 5_000 // before each crash as well as after it
const APART_MS = 16_000 // more than four crashes in a minute, and the stream would rightly be given up

/** What one table has shown: the frame number of each results document, and when it came, ms. */
interface Seen {
  readonly at: number
  readonly frame: number
}

type Records = Readonly<Record<string, Seen[]>>

export const engineCrash: Measurement = async (lab) => {
  const daemon = await startDaemon(lab, { dataDir: join(lab.folder, 'data'), nt4: `serve:127.0.0.1:${await freePort()}` })
  for (const [n, id] of NAMES.entries()) {
    const source = { backend: 'synthetic', width_px: 640, height_px: 480, fps: FPS, seed: n + 1 } as const
    await addStream(daemon, { id, source, pose: MOUNT, extcam: { table: id } })
  }
  const records = await watchTables(lab, daemon)
  await delay(5_000)

  const kept: number[] = []
  const keptBefore: number[] = []
  const backMs: number[] = []
  while (backMs.length < CRASHES) {
    const startMs = performance.now()
    await delay(WATCHED_MS)
    const victim = NAMES[backMs.length % 2 === 0 ? 0 : 2]
    const { engine_pid } = await metrics(daemon, victim)
    const killedMs = performance.now()
    process.kill(engine_pid, 'SIGSEGV')
    await delay(WATCHED_MS)
    const others = NAMES.filter((name) => name !== victim)
    kept.push(share(records, others, killedMs, killedMs + WATCHED_MS))
    keptBefore.push(share(records, others, startMs, killedMs))
    backMs.push(firstAfter(records, victim, killedMs) - killedMs)
    lab.say(`others kept ${kept.at(-1)?.toFixed(1)} %, back after ${backMs.at(-1)?.toFixed(0)} ms`)
    await delay(APART_MS - 2 * WATCHED_MS)
  }
  const from = `${CRASHES} crashes`
  const row = (what: string, unit: string, values: readonly number[]): Row => ({ what, unit, ...spread(values), from })
  return [
    { ...row('an engine is killed: frames that the others keep', '%', kept), figure: { atLeast: 99 } },
    { ...row('an engine is killed: publishing again after', 's', backMs.map((ms) => ms / 1000)), figure: { atMost: 1 } },
    row('  frames that the others keep when nothing is killed', '%', keptBefore),
  ]
}
