// How far the solved pose of the robot is from where the synthetic camera knows it to be. Frames in which fewer than
// two tags were used are left out.

import { header, RESULT_FIELDS, type Result, rowsOf } from '../../../machines/engine/result.ts'
import { type PoseError, poseError } from '../../../machines/localization/accuracy.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import type { SyntheticSource } from '../../../machines/stream/sources/synthetic.ts'
import { runEngine } from '../lab/engine.ts'
import type { Lab, Measurement } from '../lab/lab.ts'
import { quantile, type Row } from '../lab/row.ts'
import { MOUNT } from '../lab/scenes.ts'

const FRAMES = 1_000
const FAR_M = 0.15 // worth a look

const TAG_COUNT = RESULT_FIELDS.field_pose.indexOf('tag_count')

/** Errors of the frames that had a pose from two tags or more. */
interface Trial {
  readonly errors: readonly PoseError[]
  readonly frames: number
}

export const accuracy: Measurement = async (lab) => {
  const orbit = await trial(lab, 'orbit')
  const patrol = await trial(lab, 'patrol')
  return [
    { ...distance('robot pose off by, at 3 m, median', orbit, 0.5), figure: { atMost: 2 } },
    { ...angle('robot pose turned by, at 3 m, median', orbit, 0.5), figure: { atMost: 0.5 } },
    ...tail(orbit, 'at 3 m'),
    distance('  driving over the field, off by, median', patrol, 0.5),
    angle('  driving over the field, turned by, median', patrol, 0.5),
    ...tail(patrol, 'driving'),
  ]
}

const tail = (each: Trial, where: string): Row[] =>
  [0.9, 0.99, 1].flatMap((q) => {
    const name = q === 1 ? 'worst' : `p${q * 100}`
    return [distance(`  ${where}, off by, ${name}`, each, q), angle(`  ${where}, turned by, ${name}`, each, q)]
  })

const trial = async (lab: Lab, motion: 'orbit' | 'patrol'): Promise<Trial> => {
  const errors: PoseError[] = []
  let frames = 0
  const source: SyntheticSource = { backend: 'synthetic', motion }
  await new Promise<void>((resolve, reject) => {
    const take = (result: Result) => {
      frames++
      const error = poseError(result)
      if (error && tagCount(result) >= 2) errors.push(error)
      if (error && tagCount(result) >= 2 && error.distance_m > FAR_M)
        lab.say(
          oneLine`
            ${motion}: frame ${header(result, 'seq')}, ${tagCount(result)} tags, is off by
            ${error.distance_m.toFixed(2)} m
          `,
        )
      if (errors.length === FRAMES) resolve()
    }
    runEngine(lab, {
      manifest: { source, pose: MOUNT },
      onResult: (result) => errors.length < FRAMES && take(result),
    }).catch(reject)
  })
  lab.say(`${motion}: ${errors.length} of ${frames} frames have a pose from two tags or more`)
  return { errors, frames }
}

const tagCount = (result: Result): number => {
  const pose = rowsOf(result, 'pose')
  return pose?.count ? (result.data[pose.offset + TAG_COUNT] as number) : 0
}

const distance = (what: string, each: Trial, q: number): Row =>
  row(what, 'cm', each, q, (error) => error.distance_m * 100)
const angle = (what: string, each: Trial, q: number): Row => row(what, 'deg', each, q, (error) => error.angle_deg)

/** A quantile over all frames; its spread over ten parts of the run. */
const row = (
  what: string,
  unit: string,
  { errors, frames }: Trial,
  q: number,
  of: (error: PoseError) => number,
): Row => {
  const values = errors.map(of)
  const part = values.length / 10
  const parts = Array.from({ length: 10 }, (_, n) => quantile(values.slice(n * part, (n + 1) * part), q))
  const from = `${values.length} of ${frames} frames`
  return { what, unit, measured: quantile(values, q), low: Math.min(...parts), high: Math.max(...parts), from }
}
