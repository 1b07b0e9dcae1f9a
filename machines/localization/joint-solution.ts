// What the joint solve of one round says, before heading offset and filter.
import type { Pose } from './pose.ts'
import type { SolvedCamera, SolvedPose, SolvedTag } from './solution.ts'

/** What one round says. */
export interface JointSolution {
  /** undefined: nothing that is sure enough to be shown; each tag says why. */
  readonly solved: SolvedPose | undefined
  /** Another pose that explains the corners about as well; undefined: there is none. */
  readonly alternative: Pose | undefined
  readonly tags: readonly SolvedTag[]
  readonly cameras: readonly SolvedCamera[]
  /** Which way the robot looks by the tags alone, without the heading: radians. */
  readonly freeYaw: { readonly yaw: number; readonly std: number } | undefined
  /** Whether the heading was used. */
  readonly headingUsed: boolean
}
