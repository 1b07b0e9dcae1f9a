// What one stream knows of the robot on the field, as it is drawn.
import type { Documents } from '../api/documents.ts'
import type { ViewLimits } from './scene-frustum.ts'
import { compose, fromAngles, IDENTITY, type QuaternionPose } from './scene-pose.ts'

/** The results of a frame, by the names of the outputs; the rows of each are those of its kind. */
export type FrameOutputs = Readonly<Record<string, { readonly kind: string; readonly rows: readonly unknown[] }>>

/** A camera on the field. */
export interface FieldCamera {
  /** The body of the camera. */
  readonly pose: QuaternionPose
  readonly limits: ViewLimits
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
  readonly seen?: readonly number[]
  /** Where the robot was, the newest last: x and y in metres. */
  readonly trail?: readonly (readonly [number, number])[]
  /** Where it really is; of synthetic cameras alone. */
  readonly truth?: QuaternionPose | undefined
  /** Whether nothing new comes: what is drawn is old. */
  readonly isOld?: boolean
}

const rowsOf = <Row>(outputs: FrameOutputs, kind: string): readonly Row[] =>
  Object.values(outputs).flatMap((output) => (output.kind === kind ? (output.rows as readonly Row[]) : []))

/** The pose of the robot in the results of a frame; undefined when there is none. */
export const poseIn = (outputs: FrameOutputs): Documents['FieldPose'] | undefined =>
  rowsOf<Documents['FieldPose']>(outputs, 'field_pose')[0]

/** The numbers of the tags in the results of a frame. */
export const tagsIn = (outputs: FrameOutputs): readonly number[] => {
  const ids = rowsOf<Documents['Detection']>(outputs, 'detections').map(({ id }) => id)
  return [...new Set(ids)].toSorted((a, b) => a - b)
}

/** Where a synthetic camera really was. */
export const truthIn = (outputs: FrameOutputs): Documents['Truth'] | undefined =>
  rowsOf<Documents['Truth']>(outputs, 'truth')[0]

/** What belongs to the stream rather than to the frame. */
export interface StreamOfRobot extends Pick<FieldRobot, 'id' | 'name' | 'tone' | 'size' | 'trail' | 'isOld'> {
  readonly limits: ViewLimits
  /** Where its camera sits on the robot; null: nobody has said. */
  readonly mount: Documents['Pose'] | null
}

/** The robot as a stream has it, of the results of a frame. */
export const robotOf = ({ limits, mount, ...stream }: StreamOfRobot, outputs: FrameOutputs): FieldRobot => {
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
