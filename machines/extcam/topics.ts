// The topics of an adapter's table and the occasions on which each is written.
import { resultsJson } from './results-json.ts'
import type { Snapshot } from './snapshot.ts'

/**
 * frame: with each frame, also when equal: its update is the measurement, and readers take the capture time from it;
 * but an array that was empty and still is stays away. beside: the same for what does not describe the frame; it is
 * not there before it has a value. change: with a frame, when it differs from what was last written. always: also
 * between frames, as a sign of life. reader: with each frame as long as it may have a reader; for what costs more than
 * all the rest.
 *
 * Every array that describes a frame is of the first kind, single numbers are of the second.
 */
export type Occasion = 'frame' | 'beside' | 'change' | 'always' | 'reader'

/** A read key. `json` is made when it is asked for; the others are kept by the snapshot. */
export interface ExtcamTopic {
  readonly key: ExtcamKey
  readonly type: 'double' | 'double[]' | 'string'
  readonly occasion: Occasion
}

export type ExtcamKey =
  | { [Key in keyof Snapshot]: Snapshot[Key] extends number | string | Float64Array ? Key : never }[keyof Snapshot]
  | 'json'

const topic = (key: ExtcamKey, type: ExtcamTopic['type'], occasion: Occasion): ExtcamTopic => ({ key, type, occasion })

/**
 * All read keys. A device without an IMU has no `imu`; there is no `tc`, since nothing looks at the colour in the
 * middle of the picture.
 */
export const EXTCAM_TOPICS: readonly ExtcamTopic[] = [
  topic('tv', 'double', 'change'),
  topic('tx', 'double', 'change'),
  topic('ty', 'double', 'change'),
  topic('txnc', 'double', 'change'),
  topic('tync', 'double', 'change'),
  topic('ta', 'double', 'change'),
  topic('tl', 'double', 'always'),
  topic('cl', 'double', 'always'),
  topic('tid', 'double', 'change'),
  topic('tdist', 'double', 'change'),
  topic('tclass', 'string', 'change'),
  topic('tcclass', 'string', 'change'),
  topic('tdclass', 'string', 'change'),
  topic('t2d', 'double[]', 'frame'),
  topic('botpose', 'double[]', 'frame'),
  topic('botpose_wpiblue', 'double[]', 'frame'),
  topic('botpose_wpired', 'double[]', 'frame'),
  topic('botpose_orb', 'double[]', 'frame'),
  topic('botpose_orb_wpiblue', 'double[]', 'frame'),
  topic('botpose_orb_wpired', 'double[]', 'frame'),
  topic('targetpose_cameraspace', 'double[]', 'frame'),
  topic('targetpose_robotspace', 'double[]', 'frame'),
  topic('camerapose_targetspace', 'double[]', 'frame'),
  topic('botpose_targetspace', 'double[]', 'frame'),
  topic('camerapose_robotspace', 'double[]', 'change'),
  topic('rawfiducials', 'double[]', 'frame'),
  topic('rawdetections', 'double[]', 'frame'),
  topic('rawtargets', 'double[]', 'frame'),
  topic('tcornxy', 'double[]', 'frame'),
  topic('stddevs', 'double[]', 'frame'),
  topic('json', 'string', 'reader'),
  topic('hb', 'double', 'always'),
  topic('getpipe', 'double', 'change'),
  topic('getpipetype', 'string', 'change'),
  topic('crosshairs', 'double[]', 'change'),
  topic('hw', 'double[]', 'change'),
  topic('imu', 'double[]', 'beside'),
]

/** Those of a device that has no IMU. */
export const TOPICS_WITHOUT_IMU = EXTCAM_TOPICS.filter(({ occasion }) => occasion !== 'beside')

/** The value of a key; arrays are the snapshot's own and change with its next frame. */
export const topicValue = (snapshot: Snapshot, key: ExtcamKey): number | string | Float64Array =>
  key === 'json' ? resultsJson(snapshot) : snapshot[key]
