// The vendor's status document of an adapter.
import type { ImuFigures } from './imu.ts'
import { knownOrZero, type Snapshot } from './snapshot.ts'

/** What is said beside the snapshot. */
export interface AdapterCondition {
  /** Of the adapter. */
  readonly table: string
  /** Processed frames per second. */
  readonly fps: number
}

/**
 * In the vendor's order, flat. The number is that of the pipeline which runs now, also while no frame comes of it.
 * Whatever this device does not have, or does not know of itself, is 0, as readers take no other sort of value.
 */
export const statusDocument = (
  { runningPipeline, getpipetype, hardware, inertial }: Snapshot,
  { table, fps }: AdapterCondition,
) => ({
  name: nicknameOf(table),
  pipelineIndex: Math.round(knownOrZero(runningPipeline)),
  pipelineType: getpipetype,
  pipeImgCount: 2,
  snapshotMode: 0,
  ignoreNT: 0,
  interfaceNeedsRefresh: 0,
  hwType: 0,
  cid: 0,
  temp: tenths(hardware?.temp),
  cpu: tenths(hardware?.cpu),
  ram: tenths(hardware?.ram),
  fps: tenths(fps),
  finalYaw: inertial?.data[0] ?? 0,
  cameraQuat: quaternion(inertial),
  finalimu: inertial ? [...inertial.data] : new Array<number>(10).fill(0),
  hailoCount: 0,
  hailoPower: 0,
  hailoTemp: 0,
})

const quaternion = (inertial: ImuFigures | undefined) => {
  const [w = 1, x = 0, y = 0, z = 0] = inertial?.quat ?? []
  return { w, x, y, z }
}

/** `rear` of `limelight-rear`; empty for `limelight`, which has none. */
export const nicknameOf = (table: string): string => table.replace(/^limelight(?:-|$)/, '')

const tenths = (value: number | undefined): number => Math.round(knownOrZero(value) * 10) / 10
