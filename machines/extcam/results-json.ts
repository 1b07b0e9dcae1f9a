// The vendor's results document of a snapshot, as the `json` key has it.
import { NO_POSE } from '../engine/no-pose.ts'
import { SYMBOLOGIES } from '../engine/symbologies.ts'
import { TAG_FAMILIES } from '../engine/tag-families.ts'
import { MAX_TAGS, TAG, TAG_STRIDE } from './fiducials.ts'
import { FIND, FIND_STRIDE, type FindKind, MAX_FINDS, MAX_TEXT_BYTES } from './finds.ts'
import type { ImuFigures } from './imu.ts'
import { ascii, JsonBytes } from './json-bytes.ts'
import { type Hardware, knownOrZero, type RewindFigures, type Snapshot } from './snapshot.ts'

/**
 * In the order in which results number them. The vendor has names for the classic ones, which end in C; the others have
 * their own, in its way of writing.
 */
const FAMILIES = TAG_FAMILIES.map((family) => {
  const isClassic = /^tag\d/.test(family)
  return ascii(`${family.replace('tag', '').toUpperCase()}${isClassic ? 'C' : ''}`)
})

/**
 * In the order in which results number them. Of the vendor's names `QR` is known; the others are in its way of writing.
 */
const CODES = SYMBOLOGIES.map((symbology) => ascii(symbology.replace('-', '').toUpperCase()))
const NO_CODE = ascii('')

const NUMBERS_PER_TAG = 66
const MAX_NUMBER_LENGTH = 18
const FIND_KINDS = 4
const MAX_ELEMENT = 512 + NUMBERS_PER_TAG * MAX_NUMBER_LENGTH
const CAPACITY = 8192 + (MAX_TAGS + FIND_KINDS * MAX_FINDS) * MAX_ELEMENT + 6 * MAX_TEXT_BYTES

/** One text at a time: it is complete before the function returns. */
const json = new JsonBytes(CAPACITY)

/** The key of a member, with what stands before it. */
const key = (name: string): Uint8Array => ascii(`,"${name}":`)

const K = {
  begin: ascii('{"v":'),
  pID: key('pID'),
  tl: key('tl'),
  cl: key('cl'),
  ts: key('ts'),
  ts_us: key('ts_us'),
  ts_sys: key('ts_sys'),
  ts_nt: key('ts_nt'),
  fidx: key('fidx'),
  tx: key('tx'),
  ty: key('ty'),
  txnc: key('txnc'),
  tync: key('tync'),
  ta: key('ta'),
  tdist: key('tdist'),
  botpose: key('botpose'),
  botpose_wpiblue: key('botpose_wpiblue'),
  botpose_wpired: key('botpose_wpired'),
  botpose_orb: key('botpose_orb'),
  botpose_orb_wpiblue: key('botpose_orb_wpiblue'),
  botpose_orb_wpired: key('botpose_orb_wpired'),
  botpose_tagcount: key('botpose_tagcount'),
  botpose_span: key('botpose_span'),
  botpose_avgdist: key('botpose_avgdist'),
  botpose_avgarea: key('botpose_avgarea'),
  stdev_mt1: key('stdev_mt1'),
  stdev_mt2: key('stdev_mt2'),
  t6c_rs: key('t6c_rs'),
  // A device without a recorder or accelerator says so in these; one without an IMU says nothing of it.
  unused: ascii(',"PythonOut":[],"imgsrc":0,"hwtype":0,"uirefresh":0,"ignorent":0'),
  focus_metric: key('focus_metric'),
  interpbotyaw: ascii(',"botorient":{"imumode":0,"alpha":0,"interpbotyaw":'),
  endOfMember: ascii('}'),
  ntconnected: ascii(',"ntconnected":1'),
  ntgone: ascii(',"ntconnected":0'),
  imu: ascii(',"imu":{"quat":'),
  yaw: key('yaw'),
  data: key('data'),
  hw: key('hw'),
  Fiducial: ascii(',"Fiducial":['),
  Retro: ascii('],"Retro":['),
  Detector: ascii('],"Detector":['),
  Classifier: ascii('],"Classifier":['),
  Barcode: ascii('],"Barcode":['),
  end: ascii(']}'),
}

/** What is kept of the last pictures. Its readers take no booleans. */
const R = {
  enabled: ascii(',"rewind":{"enabled":'),
  storedSeconds: key('storedSeconds'),
  frameCount: key('frameCount'),
  bufferUsage: key('bufferUsage'),
  flushing: key('flushing'),
  latpen: key('latpen'),
  end: ascii('}'),
}

const F = {
  first: ascii('{"fID":'),
  next: ascii(',{"fID":'),
  fam: ascii(',"fam":"'),
  tx: ascii('","skew":[],"tx":'),
  ty: key('ty'),
  tx_nocross: key('tx_nocross'),
  ty_nocross: key('ty_nocross'),
  txp: key('txp'),
  typ: key('typ'),
  ta: key('ta'),
  ambig: key('ambig'),
  pts: ascii(',"pts":['),
  nextPoint: ascii(','),
  t6c_ts: ascii('],"t6c_ts":'),
  t6r_fs: key('t6r_fs'),
  t6r_fs_orb: key('t6r_fs_orb'),
  t6r_ts: key('t6r_ts'),
  t6t_cs: key('t6t_cs'),
  t6t_rs: key('t6t_rs'),
  end: ascii('}'),
}

/** Of a tag of which all poses are zeros. */
const NO_POSE_TEXTS = NO_POSE.map((why) => ascii(`,"no_pose":"${why}"`))

/** Members of what is no tag. */
const E = {
  first: ascii('{'),
  next: ascii(',{'),
  tx: ascii('"tx":'),
  endOfList: ascii(']'),
  t6c_ts: key('t6c_ts'),
  nowhere: ascii(',"t6r_fs":[]'),
  unknown: ascii(',"t6r_fs":[0,0,0,0,0,0]'),
  t6r_ts: key('t6r_ts'),
  class: ascii('"class":'),
  classID: key('classID'),
  conf: key('conf'),
  fam: ascii(',"fam":"'),
  data: ascii('","data":'),
}

/** The results document, in one line and ASCII. Numbers have five decimal places; its tags are `fiducials`. */
export const resultsJson = (snapshot: Snapshot): string => {
  const { times, botpose } = snapshot
  const { ntUs, uptimeUs } = times
  const monotonicMs = times.monotonicUs / 1000
  const unixUs = times.unixMs * 1000
  json.clear().text(K.begin).integer(snapshot.tv)
  json.text(K.pID).integer(snapshot.getpipe).text(typeText(snapshot.getpipetype))
  json.text(K.tl).decimal(snapshot.tl).text(K.cl).decimal(snapshot.cl)
  json.text(K.ts).decimal(monotonicMs).text(K.ts_us).integer(uptimeUs)
  json.text(K.ts_sys).integer(unixUs).text(K.ts_nt).integer(ntUs)
  json.text(K.fidx).integer(snapshot.frameIndex)
  json.text(K.tx).decimal(snapshot.tx).text(K.ty).decimal(snapshot.ty)
  json.text(K.txnc).decimal(snapshot.txnc).text(K.tync).decimal(snapshot.tync)
  json.text(K.ta).decimal(snapshot.ta).text(K.tdist).decimal(snapshot.tdist)
  json.text(K.botpose).array(botpose, 0, 6)
  json.text(K.botpose_wpiblue).array(snapshot.botpose_wpiblue, 0, 6)
  json.text(K.botpose_wpired).array(snapshot.botpose_wpired, 0, 6)
  json.text(K.botpose_orb).array(snapshot.botpose_orb, 0, 6)
  json.text(K.botpose_orb_wpiblue).array(snapshot.botpose_orb_wpiblue, 0, 6)
  json.text(K.botpose_orb_wpired).array(snapshot.botpose_orb_wpired, 0, 6)
  json.text(K.botpose_tagcount).integer(botpose[7] as number)
  json.text(K.botpose_span).decimal(botpose[8] as number)
  json.text(K.botpose_avgdist).decimal(botpose[9] as number)
  json.text(K.botpose_avgarea).decimal(botpose[10] as number)
  json.text(K.stdev_mt1).array(snapshot.stddevs, 0, 6).text(K.stdev_mt2).array(snapshot.stddevs, 6, 6)
  json.text(K.t6c_rs).array(snapshot.camerapose_robotspace, 0, 6)
  json.text(K.focus_metric).decimal(snapshot.sharpness)
  json
    .text(K.interpbotyaw)
    .decimal(snapshot.botpose_orb[5] as number)
    .text(K.endOfMember)
  json.text(K.unused).text(ntUs > 0 ? K.ntconnected : K.ntgone)
  json.text(K.hw).text(hardwareText(snapshot.hardware ?? NOTHING_KNOWN))
  if (snapshot.inertial) writeImu(snapshot.inertial)
  if (snapshot.rewind) writeRewind(snapshot.rewind)
  json.text(K.Fiducial)
  for (let n = 0; n < snapshot.fiducials.count; n++) writeFiducial(snapshot.fiducials.rows, n)
  for (const kind of ['Retro', 'Detector', 'Classifier', 'Barcode'] as const) {
    json.text(K[kind])
    const { rows, count } = snapshot.finds(kind)
    for (let n = 0; n < count; n++) writeFind[kind](snapshot, rows, n)
  }
  return json.text(K.end).toString()
}

const writeRewind = (rewind: RewindFigures): void => {
  json.text(R.enabled).integer(rewind.enabled).text(R.storedSeconds).decimal(rewind.storedSeconds)
  json.text(R.frameCount).integer(rewind.frameCount).text(R.bufferUsage).decimal(rewind.bufferUsage)
  json.text(R.flushing).integer(rewind.flushing).text(R.latpen).integer(rewind.latpen).text(R.end)
}

const writeImu = ({ quat, data }: ImuFigures): void => {
  json
    .text(K.imu)
    .array(quat, 0, 4)
    .text(K.yaw)
    .decimal(data[0] as number)
  json.text(K.data).array(data, 0, 10).text(K.endOfMember)
}

const writeFiducial = (rows: Float64Array, n: number): void => {
  const row = n * TAG_STRIDE
  const at = (field: number) => rows[row + field] as number
  json.text(n === 0 ? F.first : F.next).integer(at(TAG.id))
  json.text(F.fam).text(FAMILIES[at(TAG.family)] ?? (FAMILIES[0] as Uint8Array))
  json.text(F.tx).decimal(at(TAG.tx)).text(F.ty).decimal(at(TAG.ty))
  json.text(F.tx_nocross).decimal(at(TAG.txnc)).text(F.ty_nocross).decimal(at(TAG.tync))
  json.text(F.txp).decimal(at(TAG.centreX)).text(F.typ).decimal(at(TAG.centreY))
  json.text(F.ta).decimal(at(TAG.area)).text(F.ambig).decimal(at(TAG.ambiguity)).text(F.pts)
  for (let corner = 0; corner < 4; corner++) {
    if (corner > 0) json.text(F.nextPoint)
    json.array(rows, row + TAG.corners + 2 * corner, 2)
  }
  json.text(F.t6c_ts).array(rows, row + TAG.t6c_ts, 6)
  json.text(F.t6r_fs).array(rows, row + TAG.t6r_fs, 6)
  json.text(F.t6r_fs_orb).array(rows, row + TAG.t6r_fs_orb, 6)
  json.text(F.t6r_ts).array(rows, row + TAG.t6r_ts, 6)
  json.text(F.t6t_cs).array(rows, row + TAG.t6t_cs, 6)
  json.text(F.t6t_rs).array(rows, row + TAG.t6t_rs, 6)
  const why = at(TAG.noPose)
  if (why > 0) json.text(NO_POSE_TEXTS[why - 1] as Uint8Array)
  json.text(F.end)
}

const begin = (n: number): void => {
  json.text(n === 0 ? E.first : E.next)
}

const writeClass = (snapshot: Snapshot, rows: Float64Array, row: number): void => {
  json.text(E.class).quoted(snapshot.findText(rows, row))
  json.text(E.classID).integer(rows[row + FIND.label] as number)
  json.text(E.conf).decimal(rows[row + FIND.confidence] as number)
}

/** What all but the classes of a picture have. */
const writePlace = (rows: Float64Array, row: number): void => {
  const at = (field: number) => rows[row + field] as number
  json.text(E.tx).decimal(at(FIND.tx)).text(F.ty).decimal(at(FIND.ty))
  json.text(F.tx_nocross).decimal(at(FIND.txnc)).text(F.ty_nocross).decimal(at(FIND.tync))
  json.text(F.txp).decimal(at(FIND.centreX)).text(F.typ).decimal(at(FIND.centreY))
  json.text(F.ta).decimal(at(FIND.area)).text(F.pts)
  for (let corner = 0; corner < 4; corner++) {
    if (corner > 0) json.text(F.nextPoint)
    json.array(rows, row + FIND.corners + 2 * corner, 2)
  }
  json.text(E.endOfList)
}

/** One element of each array. Where its target stands on the field, an outline does not say. */
const writeFind: Readonly<Record<FindKind, (snapshot: Snapshot, rows: Float64Array, n: number) => void>> = {
  Retro: (_, rows, n) => {
    const row = n * FIND_STRIDE
    const numbers = rows[row + FIND.hasPose] === 1 ? 6 : 0
    begin(n)
    writePlace(rows, row)
    json.text(E.t6c_ts).array(rows, row + FIND.t6c_ts, numbers)
    json.text(numbers === 0 ? E.nowhere : E.unknown)
    json.text(E.t6r_ts).array(rows, row + FIND.t6r_ts, numbers)
    json.text(F.t6t_cs).array(rows, row + FIND.t6t_cs, numbers)
    json.text(F.t6t_rs).array(rows, row + FIND.t6t_rs, numbers)
    json.text(F.end)
  },
  Detector: (snapshot, rows, n) => {
    begin(n)
    writePlace(rows, n * FIND_STRIDE)
    json.text(F.nextPoint)
    writeClass(snapshot, rows, n * FIND_STRIDE)
    json.text(F.end)
  },
  Classifier: (snapshot, rows, n) => {
    begin(n)
    writeClass(snapshot, rows, n * FIND_STRIDE)
    json.text(F.end)
  },
  Barcode: (snapshot, rows, n) => {
    begin(n)
    writePlace(rows, n * FIND_STRIDE)
    json.text(E.fam).text(CODES[rows[n * FIND_STRIDE + FIND.label] as number] ?? NO_CODE)
    json
      .text(E.data)
      .quoted(snapshot.findText(rows, n * FIND_STRIDE))
      .text(F.end)
  },
}

const typeTexts = new Map<string, Uint8Array>()

const typeText = (type: string): Uint8Array => {
  const text = typeTexts.get(type) ?? ascii(`,"pTYPE":"${type}"`)
  typeTexts.set(type, text)
  return text
}

const NOTHING_KNOWN: Hardware = {}

/** Made once for each reading, not for each frame. There is no accelerator to tell of. */
const hardwareText = (hardware: Hardware): Uint8Array => {
  const known = hardwareTexts.get(hardware)
  if (known) return known
  const { temp, cpu, ram, dfree, dtot } = hardware
  const figures = { temp: tenths(temp), cpu: tenths(cpu), ram: tenths(ram), dfree: whole(dfree), dtot: whole(dtot) }
  const text = ascii(JSON.stringify({ ...figures, cid: '', hailo: { present: 0 } }))
  hardwareTexts.set(hardware, text)
  return text
}

const hardwareTexts = new WeakMap<Hardware, Uint8Array>()

const tenths = (value: number | undefined): number => Math.round(knownOrZero(value) * 10) / 10
const whole = (value: number | undefined): number => Math.round(knownOrZero(value))
