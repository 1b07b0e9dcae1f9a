// The topics of localization on the robot's server.
import { LOCALIZATION_TABLE, OWN_ROOT } from './topics.ts'

const ROOT = `${OWN_ROOT}/${LOCALIZATION_TABLE}`

/**
 * All keys with their types. Poses are in field coordinates: origin in the blue corner, x towards the red wall, z up.
 *
 * robot_pose, std_devs (metres, then degrees, about the axes of the field), std_xy_m, tag_ids (those that were used,
 * each once), streams (those whose tags were used), captured_us (of the newest exposure, server time), map (its id and
 * the beginning of its hash) and heading_offset_deg (NaN: not known) come together, once for each round of which the
 * pose is sure. fused_pose: with odometry, for dashboards alone. state, rejected (each reason with how many tags it
 * left out within a second): when they change.
 */
export const LOCALIZATION_TOPICS = {
  robot_pose: 'struct:Pose3d',
  std_devs: 'double[]',
  std_xy_m: 'double',
  tag_ids: 'int[]',
  streams: 'string[]',
  captured_us: 'int',
  map: 'string',
  heading_offset_deg: 'double',
  fused_pose: 'struct:Pose3d',
  state: 'string',
  rejected: 'string[]',
} as const

export type LocalizationKey = keyof typeof LOCALIZATION_TOPICS

/** The topic of a key. */
export const localizationTopic = (key: LocalizationKey): string => `${ROOT}/${key}`

/** What the robot's wheels say: struct:Pose2d, stamped with when the sample was taken. Written by robot programs. */
export const ODOMETRY_TOPIC = `${ROOT}/odometry`
export const ODOMETRY_TYPE = 'struct:Pose2d'

/** What stands under this is written here, but the odometry. */
export const LOCALIZATION_PREFIX = `${ROOT}/`
