// How the fake IMU moves: with the synthetic cameras of this device, as far as they drive by the clock.
import type { FieldMap } from '../../machines/localization/field-map.ts'
import type { CanonicalManifest } from '../../machines/stream/manifest.ts'
import type { MotionAt } from './fake.ts'
import { driveMotion, type SyntheticDriveOptions } from './synthetic-drive.ts'

/** What is looked at, as it is when it is asked for. */
export interface FakeMotionParts {
  /** Of all streams, in order of creation. */
  readonly manifests: () => readonly Pick<CanonicalManifest, 'enabled' | 'source' | 'map_id'>[]
  /** undefined: there is none of that name. */
  readonly map: (id: string) => Pick<FieldMap, 'length_m' | 'width_m'> | undefined
  /** How it moves where no camera drives. */
  readonly otherwise: MotionAt
}

/**
 * The motion of the robot on which the first camera sits that drives. What moves by the time since its own start
 * (patrol, orbit) is not followed: nobody here knows when that was.
 */
export const fakeMotion = ({ manifests, map, otherwise }: FakeMotionParts): MotionAt => {
  let known = ''
  let motion = otherwise
  let lookedUs = Number.NEGATIVE_INFINITY
  return (us) => {
    if (Math.abs(us - lookedUs) >= LOOK_EACH_US) {
      lookedUs = us
      const options = driveIn(manifests(), map)
      const now = JSON.stringify(options ?? null)
      if (now !== known) motion = options ? driveMotion(options) : otherwise
      known = now
    }
    return motion(us)
  }
}

/** A stream that is put on another drive takes its own time to open its camera again. */
const LOOK_EACH_US = 100_000

const driveIn = (
  manifests: ReturnType<FakeMotionParts['manifests']>,
  map: FakeMotionParts['map'],
): SyntheticDriveOptions | undefined => {
  for (const { enabled, source, map_id } of manifests) {
    if (!enabled || !('drive' in source) || source.motion !== 'drive' || !source.drive) continue
    const field = map(map_id)
    if (!field) continue
    const { seed, speed_m_s, spin_deg_s } = source.drive
    return {
      seed: seed ?? 0,
      speed_m_s: speed_m_s ?? 2,
      spin_deg_s: spin_deg_s ?? 90,
      length_m: field.length_m,
      width_m: field.width_m,
    }
  }
  return undefined
}
