// The vendor's documents as schemas. Nothing of them is ours to choose: names, units and forms are those that its
// clients read. Fields may be added.

import { NO_POSE } from '../../machines/engine/no-pose.ts'
import { MAX_TURN_DEG } from '../../machines/extcam/writes/read-write.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'

/** The table of a stream. */
export const tableParams = {
  table: Type.String({
    pattern: '^[A-Za-z0-9_-]{1,60}$',
    description: '1 to 60 letters, digits, - and _. The NT table of the stream: `extcam_table` in its status.',
    examples: ['limelight'],
  }),
}

const flag = (description: string) => Type.Integer({ minimum: 0, maximum: 1, description })
const number = (description: string) => Type.Number({ description })
const integer = (description: string) => Type.Integer({ description })
const numbers = (count: number, description: string) =>
  Type.Array(Type.Number(), { minItems: count, maxItems: count, description })
const pose = (description: string) => numbers(6, `${description} x, y, z in m; rotations about them in degrees.`)
const poseOrNone = (description: string) =>
  Type.Array(Type.Number(), { maxItems: 6, description: `${description} Empty where the pipeline has no 3D.` })
const points = Type.Array(numbers(2, 'x, y.'), { description: 'Corners, pixels from the top left.' })

/** What fiducials, contours, objects and codes have in common. */
const seen = {
  tx: number('Degrees right of the crosshair.'),
  ty: number('Degrees above the crosshair.'),
  tx_nocross: number('Degrees right of the optical axis.'),
  ty_nocross: number('Degrees above the optical axis.'),
  txp: number('Pixels from the left.'),
  typ: number('Pixels from the top.'),
  ta: number('Share of the picture, 0 to 1.'),
  pts: points,
}

const Fiducial = Type.Object(
  {
    fID: integer('The id of the tag.'),
    fam: Type.String({ description: 'Its family: 36H11C, 25H9C, 16H5C, ...' }),
    ...seen,
    skew: Type.Array(Type.Number(), { description: 'Always empty.' }),
    ambig: number('Ambiguity of its pose, 0 to 1; lower is better.'),
    t6c_ts: pose('The camera in the tag.'),
    t6r_fs: pose('The robot on the field, from this tag alone.'),
    t6r_fs_orb: pose('The same with the heading that the robot gave.'),
    t6r_ts: pose('The robot in the tag.'),
    t6t_cs: pose('The tag in the camera.'),
    t6t_rs: pose('The tag in the robot.'),
    no_pose: Type.Optional(
      Type.Enum([...NO_POSE], {
        description: oneLine`
          Why all of its poses are zeros; absent when it has some. Not the vendor's. uncalibrated: the camera is not
          calibrated for pictures of this size. beyond_lens: a corner lies where the lens model has no inverse.
          no_square: its corners are seen as no square can be. unsolved: the pipeline does not solve it.
        `,
      }),
    ),
  },
  { title: 'ExtcamFiducial', description: 'A tag that is seen.' },
)

const Retro = Type.Object(
  {
    ...seen,
    t6c_ts: Type.Optional(poseOrNone('The camera in the target.')),
    t6r_fs: Type.Optional(poseOrNone('The robot on the field.')),
    t6r_ts: Type.Optional(poseOrNone('The robot in the target.')),
    t6t_cs: Type.Optional(poseOrNone('The target in the camera.')),
    t6t_rs: Type.Optional(poseOrNone('The target in the robot.')),
  },
  { title: 'ExtcamRetro', description: 'A target by its colour.' },
)

const named = {
  class: Type.String({ description: 'What it is.' }),
  classID: integer('The number of that.'),
  conf: number('How sure, 0 to 1.'),
}

const Detector = Type.Object({ ...named, ...seen }, { title: 'ExtcamDetector', description: 'An object.' })
const Classifier = Type.Object(named, { title: 'ExtcamClassifier', description: 'What the picture shows.' })
const Barcode = Type.Object(
  {
    fam: Type.String({ description: 'The sort of code: QR, ...' }),
    data: Type.String({ description: 'Its text.' }),
    ...seen,
  },
  { title: 'ExtcamBarcode', description: 'A code.' },
)

const Imu = Type.Object(
  {
    quat: numbers(4, 'w, x, y, z.'),
    yaw: number('Degrees.'),
    data: numbers(
      10,
      'Yaw of the robot, roll, pitch, own yaw in degrees; angular rates in degrees a second; accelerations in g.',
    ),
  },
  { title: 'ExtcamImu', description: 'What an IMU says.' },
)

const Hardware = Type.Object(
  {
    temp: number('°C.'),
    cpu: number('Percent.'),
    ram: number('Percent.'),
    dfree: integer('Free on the disk, MB.'),
    dtot: integer('The disk, MB.'),
    cid: Type.String({ description: 'Of the sensor; a number elsewhere.' }),
    hailo: Type.Object(
      { present: flag('Whether there is an accelerator.') },
      { title: 'ExtcamAccelerator', description: 'Of learned models.' },
    ),
  },
  { title: 'ExtcamHardware', description: 'The condition of the device. 0: it does not know.' },
)

const Rewind = Type.Object(
  {
    enabled: flag('Whether more pictures are kept.'),
    storedSeconds: number('How far back they reach.'),
    frameCount: integer('How many pictures they are.'),
    bufferUsage: number('Share of what may be kept, 0 to 1.'),
    flushing: flag('Whether a recording takes them.'),
    latpen: integer('What that costs a frame, µs; 0: not known.'),
  },
  { title: 'ExtcamRewind', description: 'What is kept of the last pictures.' },
)

const BotOrient = Type.Object(
  {
    imumode: integer('Which IMU counts.'),
    alpha: number('How fast it is corrected.'),
    interpbotyaw: number('The heading of the robot at the time of the frame, degrees.'),
  },
  { title: 'ExtcamBotOrient', description: 'What the robot says of its heading.' },
)

/** The results document. */
export const ExtcamResults = Type.Object(
  {
    v: flag('Whether there is a target.'),
    pID: number('The pipeline.'),
    pTYPE: Type.String({ description: 'Its sort: pipe_fiducial, pipe_color, ...' }),
    tl: number('From the start of processing until it was published, ms.'),
    cl: number('From mid-exposure to the start of processing, ms.'),
    ts: number('When it was published, ms since boot.'),
    ts_us: integer('The same, µs since the service started.'),
    ts_sys: integer('The same, µs since 1970.'),
    ts_nt: integer('The same in the time of the NT server, µs; 0: there is no link.'),
    fidx: integer('The number of the frame.'),
    tx: seen.tx,
    ty: seen.ty,
    txnc: number('Degrees right of the optical axis.'),
    tync: number('Degrees above the optical axis.'),
    ta: number('Percent of the picture.'),
    tdist: number('To the target, m.'),
    botpose: pose('The robot from the centre of the field.'),
    botpose_wpiblue: pose('The robot from the blue corner.'),
    botpose_wpired: pose('The robot from the red corner.'),
    botpose_orb: pose('The robot from the centre of the field, with the heading that it gave; zeros: it gave none.'),
    botpose_orb_wpiblue: pose('The same from the blue corner.'),
    botpose_orb_wpired: pose('The same from the red corner.'),
    botpose_tagcount: integer('How many tags that rests on.'),
    botpose_span: number('The largest distance between two of them, m.'),
    botpose_avgdist: number('Their mean distance, m.'),
    botpose_avgarea: number('Their mean area, percent of the picture.'),
    stdev_mt1: numbers(6, 'Standard deviations of botpose: m, degrees.'),
    stdev_mt2: numbers(6, 'Those of botpose_orb.'),
    t6c_rs: pose('The camera on the robot: forward, right, up.'),
    focus_metric: number('0 outside of a pipeline for focusing.'),
    PythonOut: Type.Array(Type.Number(), { description: 'Empty here.' }),
    Retro: Type.Array(Retro, { description: 'Targets by colour.' }),
    Fiducial: Type.Array(Fiducial, { description: 'Tags, the primary one first.' }),
    Detector: Type.Array(Detector, { description: 'Objects.' }),
    Classifier: Type.Array(Classifier, { description: 'What the picture shows.' }),
    Barcode: Type.Array(Barcode, { description: 'Codes.' }),
    imu: Type.Optional(Imu),
    hw: Hardware,
    rewind: Type.Optional(Rewind),
    imgsrc: integer('Where the pictures come from.'),
    hwtype: integer('The sort of device.'),
    uirefresh: flag('Never set here.'),
    ignorent: flag('Whether the pipeline cannot be chosen over NT.'),
    ntconnected: flag('Whether there is a link to the robot.'),
    botorient: Type.Optional(BotOrient),
  },
  { title: 'ExtcamResults', description: "The vendor's results document: the newest frame, flat, in one line." },
)

const Quaternion = Type.Object(
  { w: Type.Number(), x: Type.Number(), y: Type.Number(), z: Type.Number() },
  { title: 'ExtcamQuaternion', description: 'A rotation.' },
)

/** The status document. */
export const ExtcamStatus = Type.Object(
  {
    name: Type.String({ description: 'What follows `limelight-` in the name of the table; empty: nothing does.' }),
    pipelineIndex: integer('The pipeline.'),
    pipelineType: Type.String({ description: 'Its sort.' }),
    pipeImgCount: integer('How many pictures it has.'),
    snapshotMode: flag('Never set here.'),
    ignoreNT: flag('Whether the pipeline cannot be chosen over NT.'),
    interfaceNeedsRefresh: flag('Never set here.'),
    hwType: integer('The sort of device.'),
    cid: integer('Of the sensor; 0: not known.'),
    temp: number('°C; 0: not known.'),
    cpu: number('Percent; 0: not known.'),
    ram: number('Percent; 0: not known.'),
    fps: number('Processed frames a second.'),
    finalYaw: number('Degrees; 0 without an IMU.'),
    cameraQuat: Quaternion,
    finalimu: numbers(10, 'As `imu.data` of the results; zeros without an IMU.'),
    hailoCount: integer('Accelerators.'),
    hailoPower: number('W.'),
    hailoTemp: number('°C.'),
  },
  { title: 'ExtcamStatus', description: "The vendor's status document, flat." },
)

/** The report of the hardware. */
export const ExtcamHardwareReport = Type.Array(
  Type.Object(
    {
      name: Type.String({ description: 'As in the status.' }),
      cid: Type.String({ description: 'Of the sensor; empty: not known.' }),
      hwType: integer('The sort of device.'),
      width_px: integer('Of the pictures; 0: none have come.'),
      height_px: integer('Of the pictures; 0: none have come.'),
      calibrated: flag('Whether the lens is known; else what follows is 0.'),
      hfov_deg: number('Field of view, horizontal.'),
      vfov_deg: number('Field of view, vertical.'),
      principal_offset_px: numbers(2, 'The optical centre from the middle of the picture, right and down.'),
      focal_length_px: numbers(2, 'Horizontal, vertical.'),
      distortion: Type.Array(Type.Number(), { description: "OpenCV's order: k1 k2 p1 p2 k3 k4 k5 k6." }),
      temp: number('°C; 0: not known.'),
    },
    { title: 'ExtcamCameraReport', description: 'What is known of a camera.' },
  ),
  { title: 'ExtcamHardwareReport', description: 'One report: a stream has one camera.' },
)

/** What a robot says of its orientation. */
export const Orientation = Type.Array(Type.Number({ minimum: -MAX_TURN_DEG, maximum: MAX_TURN_DEG }), {
  minItems: 6,
  maxItems: 6,
  title: 'ExtcamOrientation',
  description:
    'Yaw, its rate, pitch, its rate, roll, its rate: degrees and degrees a second. Yaw is counter-clockwise.',
})

const none = [0, 0, 0, 0, 0, 0]

/** Of a camera that sees nothing. */
export const resultsExample = {
  v: 0,
  pID: 0,
  pTYPE: 'pipe_fiducial',
  tl: 5.1,
  cl: 12.4,
  ts: 300000.5,
  ts_us: 60000000,
  ts_sys: 1767225600000000,
  ts_nt: 300000500,
  fidx: 9000,
  tx: 0,
  ty: 0,
  txnc: 0,
  tync: 0,
  ta: 0,
  tdist: 0,
  botpose: none,
  botpose_wpiblue: none,
  botpose_wpired: none,
  botpose_orb: none,
  botpose_orb_wpiblue: none,
  botpose_orb_wpired: none,
  botpose_tagcount: 0,
  botpose_span: 0,
  botpose_avgdist: 0,
  botpose_avgarea: 0,
  stdev_mt1: none,
  stdev_mt2: none,
  t6c_rs: [0.25, 0, 0.5, 0, 15, 0],
  focus_metric: 0,
  PythonOut: [],
  Retro: [],
  Fiducial: [],
  Detector: [],
  hw: { temp: 48.2, cpu: 31.5, ram: 22.1, dfree: 11_200, dtot: 29_000, cid: '', hailo: { present: 0 } },
  Classifier: [],
  Barcode: [],
  imgsrc: 0,
  hwtype: 0,
  uirefresh: 0,
  ignorent: 0,
  ntconnected: 1,
}

export const hardwareReportExample = [
  {
    name: '',
    cid: '',
    hwType: 0,
    width_px: 1280,
    height_px: 800,
    calibrated: 1,
    hfov_deg: 70.02,
    vfov_deg: 47.29,
    principal_offset_px: [3.2, -1.5],
    focal_length_px: [914.1, 913.6],
    distortion: [0.05, -0.08, 0, 0],
    temp: 48.2,
  },
]

export const statusExample = {
  name: '',
  pipelineIndex: 0,
  pipelineType: 'pipe_fiducial',
  pipeImgCount: 2,
  snapshotMode: 0,
  ignoreNT: 0,
  interfaceNeedsRefresh: 0,
  hwType: 0,
  cid: 0,
  temp: 48.2,
  cpu: 31.5,
  ram: 22.1,
  fps: 30,
  finalYaw: 0,
  cameraQuat: { w: 1, x: 0, y: 0, z: 0 },
  finalimu: [...none, 0, 0, 0, 0],
  hailoCount: 0,
  hailoPower: 0,
  hailoTemp: 0,
}
