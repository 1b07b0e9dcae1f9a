// What an IMU says, as the vendor's camera shows it: of the camera, wherever that sits on the robot.
import type { ImuReading } from '../imu/reading.ts'
import {
  compose,
  eulerDeg,
  identityPose,
  normalise,
  type PoseDocument,
  poseFromDocument,
  rotate,
} from '../localization/pose.ts'
import type { Heading } from './live.ts'

/** Under the vendor's names. */
export interface ImuFigures {
  /** Yaw of the robot, roll, pitch, own yaw: degrees; gyro x, y, z: degrees a second; accelerations x, y, z: g. */
  readonly data: Float64Array
  /** The camera in the world: w, x, y, z. */
  readonly quat: Float64Array
}

/** What is told of the camera beside the reading. */
export interface ImuSurroundings {
  /** The newest. */
  readonly latest: () => ImuReading | undefined
  /** Of a moment within the last two seconds. */
  readonly at: (us: number) => ImuReading | undefined
  /** Where the camera sits; null: in the middle of the robot, and looks forward. */
  readonly mount: () => PoseDocument | null
  /** As the robot said it last; undefined: none is in force. */
  readonly heading: () => Heading | undefined
}

/**
 * As captured of the vendor's camera: one that is tilted up has a negative pitch and a negative acceleration x, and at
 * rest +1 along z. So its accelerations count backwards and to the right.
 */
const ACCEL_SIGN = -1

/**
 * Axes of the camera, x forward, y left, z up: roll, pitch and the rates are about them. The robot's own yaw is what it
 * said last, and what the IMU has turned since; without that it is the IMU's.
 */
export const imuFigures = ({ latest, at, mount, heading }: ImuSurroundings): ImuFigures | undefined => {
  const reading = latest()
  if (!reading) return undefined
  const place = mount()
  const camera = place ? poseFromDocument(place) : identityPose
  const [qw, qx, qy, qz] = reading.quat
  const turned = normalise(compose({ ...identityPose, qw, qx, qy, qz }, camera))
  const [roll, pitch] = eulerDeg(turned)
  const back = { ...camera, qx: -camera.qx, qy: -camera.qy, qz: -camera.qz }
  const gyro = rotate(back, ...reading.gyro_dps)
  const [forward, left, up] = rotate(back, ...reading.accel_g)
  const data = Float64Array.of(
    wrapped(robotYaw(reading, at, heading())),
    roll,
    pitch,
    wrapped(reading.yaw_deg),
    ...gyro,
    ACCEL_SIGN * forward,
    ACCEL_SIGN * left,
    up,
  )
  const quat = Float64Array.of(turned.qw, turned.qx, turned.qy, turned.qz)
  return data.every(Number.isFinite) && quat.every(Number.isFinite) ? { data, quat } : undefined
}

/** A robot that has just been heard is between two of its samples. */
const robotYaw = (now: ImuReading, at: ImuSurroundings['at'], heading: Heading | undefined): number => {
  if (!heading) return now.yaw_deg
  const then = at(heading.at_us)
  return heading.yaw_deg + (then ? now.yaw_deg - then.yaw_deg : 0)
}

/** Degrees, in (-180, 180]. */
const wrapped = (deg: number): number => {
  const rest = deg - 360 * Math.round(deg / 360)
  return rest <= -180 ? rest + 360 : rest
}
