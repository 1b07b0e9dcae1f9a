// Robots with several cameras, all of which are a little elsewhere than they are said to be, on a field whose tags are
// as well. Pictures are drawn and looked at as in an engine, without its clock; the truth comes with each.
import { roundFrameOf } from '../../../actors/localization/round-frame.ts'
import { RESULT_FIELDS, type Result, rowsOf } from '../../../machines/engine/result.ts'
import { map2026Welded } from '../../../machines/localization/maps/season-2026.ts'
import { OBSERVATION_HEAD, OBSERVATION_TAG } from '../../../machines/localization/observation.ts'
import { type Pose, type PoseDocument, poseAt } from '../../../machines/localization/pose.ts'
import type { RoundFrame } from '../../../machines/localization/round.ts'
import type { StreamManifest } from '../../../machines/stream/manifest.ts'
import { type Steps, stepped, steppingProgram } from '../../support/engine/stepped.ts'
import { chance } from '../../support/localization/chance.ts'
import { offsetBy } from '../../support/localization/offset.ts'
import { CORNER_MOUNTS, USUAL_FAULTS } from '../../support/localization/worlds.ts'
import { kept } from './kept.ts'

export const FIELD = map2026Welded
export const FPS = 30

/** A robot on its drive. */
export interface Robot {
  readonly drive: { readonly seed: number; readonly speed_m_s: number; readonly spin_deg_s: number }
  /** Of what is otherwise than it is said to be. */
  readonly faults: number
  /** Nothing is otherwise; default no. */
  readonly isFlawless?: boolean
  /** Whether cameras take their pictures whenever they do, or all at once. */
  readonly runsFree: boolean
}

/** Which frames of each camera are looked at: the n-th ones, beginning with one. */
export interface Span {
  readonly from: number
  readonly every: number
  readonly frames: number
}

/** A frame, and where the robot was. */
export interface Seen {
  readonly frame: RoundFrame
  readonly truth: Pose
  /** What the engine makes of it alone; undefined: nothing. */
  readonly alone: Alone | undefined
}

/** A pose of one camera. */
export interface Alone {
  readonly pose: Pose
  readonly tagCount: number
  readonly ambiguity: number
}

/** What each camera of a robot sees, one list of frames for each. */
export const seenBy = (robot: Robot, span: Span): Promise<readonly (readonly Seen[])[]> =>
  Promise.all(
    CORNER_MOUNTS.map(async (mount, n) => {
      const steps: Steps = { manifest: cameraOf(robot, n, mount), map: FIELD, observes: true, ...span }
      return kept([`camera-${n}`, JSON.stringify(steps), LAYOUT, await steppingProgram()], async () =>
        (await stepped(steps)).map((result) => seenIn(`camera-${n}`, result)),
      )
    }),
  )

const LAYOUT = JSON.stringify([OBSERVATION_HEAD, OBSERVATION_TAG, RESULT_FIELDS])

const cameraOf = ({ drive, faults, isFlawless, runsFree }: Robot, n: number, pose: PoseDocument): StreamManifest => {
  const draw = chance(1000 * faults + n)
  const mount = offsetBy(draw, USUAL_FAULTS.mount_m, USUAL_FAULTS.mount_deg)
  return {
    source: {
      backend: 'synthetic',
      fps: FPS,
      exposure_us: 2000, // what teams set that drive fast
      seed: runsFree ? 10 * faults + n : 1,
      motion: 'drive',
      drive,
      ...(!isFlawless && {
        faults: {
          mount,
          lens_share: draw.normal() * USUAL_FAULTS.lens_share,
          map: { m: USUAL_FAULTS.map_m, deg: USUAL_FAULTS.map_deg, seed: faults },
        },
      }),
    },
    pose,
  }
}

const FIELDS: readonly string[] = RESULT_FIELDS.field_pose

const seenIn = (streamId: string, result: Result): Seen => {
  const frame = roundFrameOf(streamId, result, 'driver')
  const truth = rowsOf(result, 'truth')
  if (!frame || !truth) throw new Error('a frame has no observation or no truth')
  const rows = rowsOf(result, 'pose')
  const value = (field: string) => result.data[(rows?.offset ?? 0) + FIELDS.indexOf(field)] as number
  const alone = rows?.count
    ? {
        pose: poseAt(result.data, rows.offset + FIELDS.indexOf('field_robot_x_m')),
        tagCount: value('tag_count'),
        ambiguity: value('ambiguity'),
      }
    : undefined
  return { frame, truth: poseAt(result.data, truth.offset), alone }
}
