// What the engine costs beyond decoding and detecting. Both play the same files at the same rate at the same time,
// frame against frame, so that whatever else the machine does falls on both. Counted is the whole engine process: its
// capture, worker and JavaScript threads.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { header } from '../../../machines/engine/result.ts'
import { demoMap, type FieldMap } from '../../../machines/localization/field-map.ts'
import type { Intrinsics, StreamManifest } from '../../../machines/stream/manifest.ts'
import type { ImagesSource } from '../../../machines/stream/sources/images.ts'
import { graphWithTags } from '../../support/engine/engine-task.ts'
import { builtProgram } from '../bare/build.ts'
import { runEngine } from '../lab/engine.ts'
import { type Lab, type Measurement, start } from '../lab/lab.ts'
import { processCpuUs } from '../lab/processes.ts'
import { median, type Row, spread } from '../lab/row.ts'
import { eightTagMap, eightTagSource, MOUNT, renderJpegs } from '../lab/scenes.ts'

const FPS = 15 // each: together they leave two cores some air
const ROUNDS = 12
const WARM_UP_ROUNDS = 2

interface Contest {
  readonly files: readonly string[]
  readonly decimate: number
  readonly map: FieldMap
  readonly intrinsics: Intrinsics
}

/** CPU per frame of both, µs, for each round. */
interface Outcome {
  readonly engineUs: readonly number[]
  readonly loopUs: readonly number[]
  readonly tags: number
}

export const pipelineCpu: Measurement = async (lab) => {
  const { files, intrinsics, map } = await renderedFrames(lab)
  const rows: Row[] = []
  const main = await compete(lab, { files, intrinsics, map, decimate: 2 })
  const what = 'pipeline CPU per frame against a bare loop, 1280x800'
  rows.push({ ...ratioRow(what, main), figure: { atMost: 1.05 } })
  rows.push(costRow('  the engine', main.engineUs), costRow('  the bare loop', main.loopUs))
  rows.push(ratioRow(`  the same with decimate 1`, await compete(lab, { files, intrinsics, map, decimate: 1 })))
  const real = realFrames()
  if (real) rows.push(ratioRow('  the same with photographs, 1280x720', await compete(lab, real)))
  return rows
}

const ratioRow = (what: string, { engineUs, loopUs, tags }: Outcome): Row => ({
  what,
  unit: '',
  ...spread(engineUs.map((us, round) => us / (loopUs[round] as number))),
  from: `${engineUs.length} rounds, ${tags} tags each`,
})

const costRow = (what: string, us: readonly number[]): Row => ({
  what,
  unit: 'ms',
  ...spread(us.map((each) => each / 1000)),
  from: `${us.length} rounds`,
})

const compete = async (lab: Lab, { files, intrinsics, map, decimate }: Contest): Promise<Outcome> => {
  const source: ImagesSource = { backend: 'images', path: [...files], fps: FPS, loop: true }
  const manifest: StreamManifest = {
    source,
    intrinsics,
    pose: MOUNT,
    pipeline: graphWithTags({ engine: 'reference', decimate }),
  }
  const rounds = ROUNDS + WARM_UP_ROUNDS
  const engineUs: number[] = []
  let beforeUs = 0
  let engine: { pid: number; stop: () => Promise<void> } | undefined
  const done = Promise.withResolvers<void>()
  let frames = 0
  const onResult = (seq: number) => {
    frames++
    if (!engine || (seq + 1) % files.length !== 0) return
    const nowUs = processCpuUs(engine.pid)
    if (beforeUs > 0) engineUs.push((nowUs - beforeUs) / frames)
    beforeUs = nowUs
    frames = 0
    if (engineUs.length >= rounds) done.resolve()
  }
  engine = await runEngine(lab, { manifest, map, onResult: (result) => onResult(header(result, 'seq')) })
  const words = ['--fps', String(FPS), '--decimate', String(decimate), '--rounds', String(rounds)]
  const loop = start(lab, await builtProgram('loop'), [...words, ...files])
  const loopUs: number[] = []
  let tags = 0
  while (loopUs.length < rounds) {
    const round = JSON.parse(await loop.line()) as { frames: number; tags: number; cpu_us: number }
    loopUs.push(round.cpu_us / round.frames)
    tags = round.tags
  }
  await done.promise
  await engine.stop()
  const measured = (us: readonly number[]) => us.slice(WARM_UP_ROUNDS, rounds)
  lab.say(`decimate ${decimate}: ${(median(measured(engineUs)) / median(measured(loopUs))).toFixed(3)}`)
  return { engineUs: measured(engineUs), loopUs: measured(loopUs), tags }
}

/** Half of them with eight tags, half with the two or more that the demo's robot sees on its way. */
const renderedFrames = async (lab: Lab): Promise<Omit<Contest, 'decimate'>> => {
  const orbit = { backend: 'synthetic', motion: 'orbit' } as const
  const two = await renderJpegs(lab, { manifest: { source: orbit, pose: MOUNT }, map: demoMap, name: 'two', count: 15 })
  const eight = await renderJpegs(lab, {
    manifest: { source: eightTagSource, pose: MOUNT },
    map: eightTagMap,
    name: 'eight',
    count: 15,
  })
  const files = two.flatMap((file, n) => [file, eight[n] as string])
  return { files, map: eightTagMap, intrinsics: plausible(1280, 800) }
}

const PHOTOGRAPHS = fileURLToPath(new URL('../../../../shared/data/images/wpical/', import.meta.url))

/** A robot that drives towards two tags, as a camera saw it. */
const realFrames = (): Contest | undefined => {
  const numbers = Array.from({ length: 24 }, (_, n) => String(n).padStart(3, '0'))
  const files = numbers.map((number) => `${PHOTOGRAPHS}${number}.jpg`).filter((file) => existsSync(file))
  if (files.length === 0) return undefined
  return { files, decimate: 2, map: eightTagMap, intrinsics: plausible(1280, 720) }
}

/** A lens like that of the synthetic camera: poses are solved, whether they are right does not matter here. */
const plausible = (width_px: number, height_px: number): Intrinsics => {
  const [cx_px, cy_px] = [width_px / 2, height_px / 2]
  return { width_px, height_px, fx_px: 834, fy_px: 834, cx_px, cy_px, distortion: [0.05, -0.08, 0.0005, -0.0004, 0.01] }
}
