// The pose of a camera, as HTTP changes it: here and in the rig alike.
import type { Fault } from '../../machines/errors/fault.ts'
import type { PoseDocument } from '../../machines/localization/pose.ts'
import { type PoseBody, poseOfBody } from '../../machines/localization/pose-body.ts'
import { firstError } from '../../machines/schema/errors.ts'
import { fault } from '../problems/problem.ts'

/** What a new pose changes of a manifest, or `body.invalid`. */
export const posePatch = (body: PoseBody): { readonly pose: PoseDocument } | Fault => {
  const pose = poseOfBody(body)
  return 'x_m' in pose ? { pose } : fault('body.invalid', firstError(pose, 'the body'), { errors: pose })
}
