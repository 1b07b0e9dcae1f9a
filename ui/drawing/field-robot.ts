// What one stream knows of the robot on the field, as it is drawn.
import type { Documents } from '../api/documents.ts'
import type { Outputs } from '../api/outputs.ts'
import { keyOfTag, type TagName } from './field-tags.ts'
import type { ViewLimits } from './scene-frustum.ts'
import { compose, fromAngles, IDENTITY, type QuaternionPose } from './scene-pose.ts'

/** A camera on the field. */
export interface FieldCamera {
  /** The body of the camera. */
  readonly pose: QuaternionPose
  readonly limits: ViewLimits
}

/** A line from a camera to a tag that it sees. */
export interface FieldRay {
  readonly tag: TagName
  /** Whether the pose is made with it. */
  readonly isUsed: boolean
  /** How far its corners are from where the pose has them; null: there is no pose. */
  readonly residualPx: number | null
}

/** The robot, as one stream has it. */
export interface FieldRobot {
  /** Of the stream. */
  readonly id: string
  /** Of the stream, for people. */
  readonly name: string
  /** Whose colour it has: that of this device, or that of another one. */
  readonly tone?: 'good' | 'peer'
  /** undefined: it does not know it now. */
  readonly pose?: QuaternionPose | undefined
  readonly deviations?: Documents['Deviations'] | undefined
  /** undefined: nobody has said. */
  readonly size?: Documents['RobotDimensions'] | undefined
  readonly camera?: FieldCamera | undefined
  /** The tags that it sees. */
  readonly seen?: readonly TagName[]
  /** In place of plain lines to those: each with whether it is used. */
  readonly rays?: readonly FieldRay[]
  /** What it says of the robot, for those who do not see it; undefined: where the robot is and what is seen. */
  readonly words?: string
  /** Where the robot was, the newest last: x and y in metres. */
  readonly trail?: readonly (readonly [number, number])[]
  /** Where it really is; of synthetic cameras alone. */
  readonly truth?: QuaternionPose | undefined
  /** Whether nothing new comes: what is drawn is old. */
  readonly isOld?: boolean
}

/** The pose of the robot in the results of a frame; undefined when there is none. */
export const poseIn = (outputs: Outputs): Documents['FieldPose'] | undefined =>
  Object.values(outputs).flatMap((output) => (output.kind === 'field_pose' ? output.rows : []))[0]

/** The tags in the results of a frame, each once. */
export const tagsIn = (outputs: Outputs): readonly TagName[] => {
  const found = Object.values(outputs).flatMap((output) => (output.kind === 'detections' ? output.rows : []))
  const each = new Map(found.map(({ family, id }) => [keyOfTag({ family, id }), { family, id }]))
  return [...each.values()].toSorted((a, b) => a.id - b.id)
}

/** Where a synthetic camera really was. */
export const truthIn = (outputs: Outputs): Documents['Truth'] | undefined =>
  Object.values(outputs).flatMap((output) => (output.kind === 'truth' ? output.rows : []))[0]

/** What belongs to the stream rather than to the frame. */
export interface StreamOfRobot extends Pick<FieldRobot, 'id' | 'name' | 'tone' | 'size' | 'trail' | 'isOld'> {
  readonly limits: ViewLimits
  /** Where its camera sits on the robot; null: nobody has said. */
  readonly mount: Documents['Pose'] | null
}

/** The robot as a stream has it, of the results of a frame. */
export const robotOf = ({ limits, mount, ...stream }: StreamOfRobot, outputs: Outputs): FieldRobot => {
  const found = poseIn(outputs)
  const pose = found?.field_robot
  const truth = truthIn(outputs)?.field_robot
  const body = found?.field_camera ?? (pose && compose(pose, mount ? fromAngles(mount) : IDENTITY))
  return {
    ...stream,
    pose,
    deviations: found?.deviations,
    camera: body && { pose: body, limits },
    seen: tagsIn(outputs),
    truth,
  }
}
