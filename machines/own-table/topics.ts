// The topics of a stream's own table.

/** Before the name of the stream. */
export const OWN_ROOT = '/vedette'

/** In place of a stream's name: the table of localization. No stream may be called that. */
export const LOCALIZATION_TABLE = 'localization'

/**
 * All keys with their types. Poses are in field coordinates: origin in the blue corner, x towards the red wall, z up.
 *
 * robot_pose, std_devs (metres, then degrees): of the newest frame that had a pose; written with no other. tags: what
 * that frame shows of the field map, where the map has it (x out of the printed face), in the order of tag_ids; empty
 * with a frame that has no pose. captured_us: mid-exposure, server time. fps: frames that are processed each second.
 * state: as the stream's status has it. connected: whether pictures come.
 */
export const OWN_TOPICS = {
  robot_pose: 'struct:Pose3d',
  std_devs: 'double[]',
  tags: 'struct:Pose3d[]',
  tag_ids: 'int[]',
  captured_us: 'int',
  fps: 'double',
  state: 'string',
  connected: 'boolean',
} as const

export type OwnKey = keyof typeof OWN_TOPICS
