// A pose as another program sends it.
import type { Static } from 'typebox'
import type { SchemaError } from '../../schema/explain.ts'
import { oneLine } from '../../schema/one-line.ts'
import Type from '../../schema/type.ts'
import { type Pose, PoseDocument, poseFromDocument } from '../pose.ts'
import { SentDeviations } from './deviations.ts'
import { OutputKey } from './names.ts'
import type { ExternalSource } from './source.ts'

const strict = { additionalProperties: false } as const

/** A sample may be so long. */
export const MAX_SAMPLE_BYTES = 16 * 1024

/** So many of each source are given to the solve; what comes beyond that is kept as the newest all the same. */
export const MAX_SAMPLES_PER_S = 200

/** A quaternion of another length is no rotation, but garbage. */
const MIN_LENGTH = 0.9
const MAX_LENGTH = 1.1

const Part = Type.Number({ minimum: -MAX_LENGTH, maximum: MAX_LENGTH })

const SentQuaternion = Type.Object(
  { w: Part, x: Part, y: Part, z: Part },
  {
    ...strict,
    title: 'SentQuaternion',
    description: `A rotation; w is its real part. Its length is ${MIN_LENGTH} to ${MAX_LENGTH}.`,
  },
)

const { x_m, y_m, roll_deg, pitch_deg, yaw_deg } = PoseDocument.properties

const SentPose = Type.Object(
  {
    x_m,
    y_m,
    z_m: Type.Number({ minimum: -5, maximum: 20, description: 'Up.' }),
    roll_deg: Type.Optional(roll_deg),
    pitch_deg: Type.Optional(pitch_deg),
    yaw_deg: Type.Optional(yaw_deg),
    quaternion: Type.Optional(SentQuaternion),
  },
  {
    ...strict,
    title: 'SentPose',
    description: 'Metres, x forward, y left, z up; the rotation as three angles or as a quaternion.',
  },
)

/** Later than any clock that counts microseconds since it was switched on. */
const MAX_US = 1e15

/** What is sent. */
export const ExternalSample = Type.Object(
  {
    output_key: OutputKey,
    captured_us: Type.Optional(
      Type.Number({
        minimum: -MAX_US,
        maximum: MAX_US,
        description: 'When it was true, in the time of the NT4 server; of a source whose `time_base` is `server_us`.',
      }),
    ),
    age_us: Type.Optional(
      Type.Number({
        minimum: -MAX_US,
        maximum: MAX_US,
        description: 'How old it was when it was sent; of a source whose `time_base` is `age_us`.',
      }),
    ),
    pose: Type.Optional(SentPose),
    std_devs: Type.Optional(SentDeviations),
    reset_counter: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 0xffff_ffff,
        description: 'Another number tells that the origin has jumped since: no motion is seen in that. Default: 0.',
      }),
    ),
    tracking: Type.Optional(
      Type.Boolean({ description: 'false: it does not know where it is, and no pose is needed. Default: true.' }),
    ),
  },
  {
    ...strict,
    title: 'ExternalSample',
    description: oneLine`
      A pose, in the frame that the source declares. \`std_devs\`: how far off it may be; default: what the source
      declares.
    `,
  },
)
export type ExternalSample = Static<typeof ExternalSample>

/** Why a sample is not used. */
export const SampleReason = Type.Enum(
  ['too_old', 'from_the_future', 'repeat', 'older', 'not_tracking', 'no_server_time', 'no_map'],
  {
    title: 'ExternalSampleReason',
    description: oneLine`
      \`too_old\`: it was true more than 2 s ago. \`from_the_future\`: it is to be true more than 20 ms from now: the
      clocks disagree. \`repeat\`: there is one of that very time. \`older\`: there is a newer one. \`not_tracking\`: it
      says so itself. \`no_server_time\`: there is no link to the NT4 server, whose time it is given in. \`no_map\`:
      there is no field map, and with it no size of the field to say where its origin is.
    `,
  },
)
export type SampleReason = Static<typeof SampleReason>

/** What a sample says, in its own frame. */
export interface ReadSample {
  /** undefined: it does not know. */
  readonly pose: Pose | undefined
}

/** What a sample says, or what is wrong with it as one of this source. */
export const readSample = (
  { kind, time_base }: Pick<ExternalSource, 'kind' | 'time_base'>,
  sample: ExternalSample,
): ReadSample | readonly SchemaError[] => {
  const { pose: sent, tracking = true } = sample
  const said = sent ? poseOf(sent) : []
  const pose = 'qw' in said ? said : undefined
  const flaws = [
    ...timeFlaws(time_base, sample),
    ...('qw' in said ? [] : said),
    ...(tracking && !sent ? [MISSING] : []),
    ...(tracking && kind === 'absolute' && pose && isNothing(pose) ? [NOTHING] : []),
  ]
  return flaws.length > 0 ? flaws : { pose: tracking ? pose : undefined }
}

const MISSING: SchemaError = { pointer: '/pose', message: 'is missing; without one say tracking: false' }

/** Exactly there nobody stands, and half of all programs say that where they know nothing. */
const NOTHING: SchemaError = {
  pointer: '/pose',
  message: oneLine`
    is all zeros, which is what programs send that know no pose; send tracking: false instead, or nothing
  `,
}

const isNothing = ({ x, y, z, qx, qy, qz }: Pose): boolean => [x, y, z, qx, qy, qz].every((each) => each === 0)

const ANGLES = ['roll_deg', 'pitch_deg', 'yaw_deg'] as const

const poseOf = ({ quaternion, ...sent }: Static<typeof SentPose>): Pose | readonly SchemaError[] => {
  if (!quaternion) {
    const missing = ANGLES.filter((angle) => sent[angle] === undefined)
    if (missing.length === 0) return poseFromDocument(sent as PoseDocument)
    return missing.map((angle) => ({
      pointer: `/pose/${angle}`,
      message: 'is missing; say all three angles, or a quaternion',
    }))
  }
  const beside = ANGLES.filter((angle) => sent[angle] !== undefined)
  if (beside.length > 0)
    return beside.map((angle) => ({
      pointer: `/pose/${angle}`,
      message: 'stands beside a quaternion; say one of them',
    }))
  const { w, x, y, z } = quaternion
  const length = Math.hypot(w, x, y, z)
  if (length < MIN_LENGTH || length > MAX_LENGTH)
    return [{ pointer: '/pose/quaternion', message: `is no rotation: its length is ${length}, where it should be 1` }]
  return {
    x: sent.x_m,
    y: sent.y_m,
    z: sent.z_m,
    qw: w / length,
    qx: x / length,
    qy: y / length,
    qz: z / length,
  }
}

const TIMES = ['captured_us', 'age_us'] as const

/** Where the time has to be said, and where not. */
const timeFlaws = (
  base: ExternalSource['time_base'],
  sent: Pick<ExternalSample, 'captured_us' | 'age_us'>,
): readonly SchemaError[] => {
  const wanted = base === 'server_us' ? 'captured_us' : base
  return TIMES.flatMap((time) => {
    if (time === wanted) return sent[time] === undefined ? [{ pointer: `/${time}`, message: 'is missing' }] : []
    return sent[time] === undefined ? [] : [{ pointer: `/${time}`, message: `is not for a source of ${base}` }]
  })
}
