// Engines that are killed while they record, at any moment: how much of the recording is lost, and whether what is left
// can be played.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import * as Effect from 'effect/Effect'
import { header } from '../../../machines/engine/result.ts'
import { cutToWhole } from '../../../native/media/cut-to-whole.ts'
import { complaintsAbout, noFfmpeg, picturesOf } from '../../support/media/boxes.ts'
import { runEngine } from '../lab/engine.ts'
import type { Lab, Measurement } from '../lab/lab.ts'
import { type Row, spread } from '../lab/row.ts'
import { MOUNT, renderJpegs } from '../lab/scenes.ts'

const KILLS = 100
const FPS = 30
const MIN_MS = 700
const MAX_MS = 3_000

/** Of one kill. complaint: of whoever played the file; empty: none. */
interface Outcome {
  readonly lostS: number
  readonly complaint: string
}

export const recordingKills: Measurement = async (lab) => {
  if (noFfmpeg) throw new Error(noFfmpeg)
  const manifest = { source: { backend: 'synthetic', noise: 8 }, pose: MOUNT } as const
  const files = await renderJpegs(lab, { manifest, name: 'pictures', count: 30 })
  const outcomes: Outcome[] = []
  while (outcomes.length < KILLS) {
    const outcome = await killed(lab, files, outcomes.length)
    outcomes.push(outcome)
    lab.say(`${outcomes.length}: ${outcome.lostS.toFixed(2)} s lost${outcome.complaint && `, ${outcome.complaint}`}`)
  }
  const lost = outcomes.map(({ lostS }) => lostS)
  const from = `${KILLS} kills at any moment`
  const rows: Row[] = [
    {
      what: 'kill -9 of an engine that records: lost, at worst',
      unit: 's',
      from,
      figure: { atMost: 1 },
      ...spread(lost),
    },
    {
      what: '  files that play, every picture without a complaint',
      unit: '%',
      from,
      figure: { atLeast: 100 },
      ...spread([(100 * outcomes.filter(({ complaint }) => complaint === '').length) / KILLS]),
    },
  ]
  return [{ ...(rows[0] as Row), measured: Math.max(...lost) }, ...rows.slice(1)]
}

const killed = async (lab: Lab, files: readonly string[], n: number): Promise<Outcome> => {
  const path = join(lab.folder, `kill-${n}.mp4`)
  let newestUs = 0
  const first = Promise.withResolvers<void>()
  const engine = await runEngine(lab, {
    manifest: { source: { backend: 'images', path: [...files], fps: FPS } },
    onResult: (result) => {
      newestUs = header(result, 'captured_us')
      first.resolve()
    },
  })
  await first.promise
  await Effect.runPromise(engine.engine.startRecording({ path, sidecar_path: `${path}.jsonl`, stream: 'bench' }))
  const startUs = newestUs // the first that is recorded is this one or comes after it
  await delay(MIN_MS + Math.random() * (MAX_MS - MIN_MS))
  process.kill(engine.pid, 'SIGKILL')
  await Effect.runPromise(engine.engine.gone)
  await engine.stop()
  await cutToWhole(path, `${path}.jsonl`) // as the service does with what an engine leaves behind
  const times = picturesOf(path)
  const recordedUs = newestUs - startUs
  return { lostS: (recordedUs - (times.at(-1) ?? 0)) / 1e6, complaint: complaintsAbout(path).split('\n')[0] ?? '' }
}
