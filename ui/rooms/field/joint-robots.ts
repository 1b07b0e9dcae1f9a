// The pose of all cameras, as the field draws it: the robot once, and each camera with its rays to the tags.
import type { FieldRobot, StreamOfRobot } from '../../drawing/field-robot.ts'
import { numbersOf } from '../../drawing/field-tags.ts'
import { compose, fromAngles, IDENTITY } from '../../drawing/scene-pose.ts'
import type { Solve } from '../../state/localization-wire.ts'
import { figureOf } from '../../words.ts'

/** Of the robot that all cameras see; streams have ids without a blank. */
export const JOINT_ID = 'all cameras'

/** What belongs to the robot rather than to the round. */
export interface JointOptions {
  readonly streams: readonly StreamOfRobot[]
  readonly size: FieldRobot['size']
  readonly trail: NonNullable<FieldRobot['trail']>
  readonly isOld: boolean
}

const listOf = (ids: readonly number[]): string => `tag${ids.length > 1 ? 's' : ''} ${ids.join(', ')}`

/** The robot, and then its cameras: those have no robot of their own. */
export const robotsOfSolve = (solve: Solve, { streams, size, trail, isOld }: JointOptions): readonly FieldRobot[] => {
  const pose = solve.pose ? fromAngles(solve.pose) : undefined
  const robot: FieldRobot = {
    id: JOINT_ID,
    name: 'All cameras',
    pose,
    deviations: solve.std_devs ?? undefined,
    size,
    trail,
    isOld,
    words: solve.pose
      ? `All cameras together have the robot at x ${figureOf(solve.pose.x_m, 2)} m, y ${figureOf(
          solve.pose.y_m,
          2,
        )} m, heading ${figureOf(solve.pose.yaw_deg, 1)} degrees.`
      : 'All cameras together do not know where the robot is.',
  }
  const cameras = streams.flatMap((stream): readonly FieldRobot[] => {
    const tags = solve.tags.filter(({ stream_id }) => stream_id === stream.id)
    if (!pose || tags.length === 0) return []
    const used = tags.filter((tag) => tag.used)
    const unused = tags.filter((tag) => !tag.used)
    return [
      {
        id: `${JOINT_ID} ${stream.id}`,
        name: stream.name,
        isOld,
        camera: {
          pose: compose(pose, stream.mount ? fromAngles(stream.mount) : IDENTITY),
          limits: stream.limits,
        },
        seen: used,
        rays: tags.map((tag) => ({ tag, isUsed: tag.used, residualPx: tag.residual_px })),
        words: `${stream.name} ${used.length > 0 ? `is used with ${listOf(numbersOf(used))}` : 'is not used'}${
          unused.length > 0 ? `; not with ${listOf(numbersOf(unused))}` : ''
        }.`,
      },
    ]
  })
  return [robot, ...cameras]
}
