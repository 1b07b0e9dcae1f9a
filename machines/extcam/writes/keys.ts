// The write keys: what a robot program may say to its camera. Only these are subscribed to, and none of them is ever
// published here: robot programs read their own counters back.

/** In the order of the interface specification. */
export const WRITE_KEYS = [
  'pipeline',
  'ledMode',
  'stream',
  'snapshot',
  'crop',
  'keystone_set',
  'throttle_set',
  'priorityid',
  'fiducial_offset_set',
  'robot_orientation_set',
  'fiducial_id_filters_set',
  'fiducial_downscale_set',
  'camerapose_robotspace_set',
  'rewind_enable_set',
  'capture_rewind',
] as const

/** The name of a write key within its table. */
export type WriteKey = (typeof WRITE_KEYS)[number]
