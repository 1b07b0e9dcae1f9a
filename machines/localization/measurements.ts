// What other programs have measured, brought to the time of a round: a place on the field, which counts in one round.
import type { ExternalMeasurement } from './external/output-slot.ts'
import { compose, type Pose } from './pose.ts'
import type { MeasuredPose } from './round.ts'

/** A place from longer before or after a round says nothing about it. */
const MAX_APART_US = 300_000

/** How the robot moved; undefined: nobody knows. */
type Between = (fromUs: number, toUs: number) => Pose | undefined

/** The newest place of each output of each source that no round has used. */
export class Measurements {
  readonly #waiting = new Map<string, ExternalMeasurement>()

  /** Takes an absolute one. */
  add(measurement: ExternalMeasurement): void {
    this.#waiting.set(`${measurement.sourceId} ${measurement.outputKey}`, measurement)
  }

  /**
   * As of a round. What was measured after it waits for a later one; what is too old, or cannot be moved to its time,
   * is left out.
   */
  takeFor(atUs: number, between: Between): readonly MeasuredPose[] {
    const poses: MeasuredPose[] = []
    for (const [key, { capturedUs, pose, std }] of this.#waiting) {
      if (capturedUs > atUs) continue
      this.#waiting.delete(key)
      const step = atUs - capturedUs > MAX_APART_US ? undefined : between(capturedUs, atUs)
      if (step) poses.push({ pose: compose(pose, step), std })
    }
    return poses
  }
}
