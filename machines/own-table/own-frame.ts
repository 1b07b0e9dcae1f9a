// What one frame brings to its stream's own table. Kept and used again frame after frame.
import { type Result, type ResultLayout, rowsOf } from '../engine/result.ts'
import { areSane, column, isPose } from '../extcam/rows.ts'
import type { FieldMap } from '../localization/field-map.ts'
import { poseFromDocument } from '../localization/pose.ts'
import { idOfKey, keyInMap, tagKey } from '../localization/tag-key.ts'
import { POSE_BYTES, writePose3d } from './structs.ts'

const FIELD_ROBOT = column('field_pose', 'field_robot_x_m')
const FIELD_STD = column('field_pose', 'std_x_m')
const ID = column('tag_poses', 'id') // the same place in a row of detections
const NO_POSE = column('tag_poses', 'no_pose')

/** More tags are in no picture. */
const MAX_TAGS = 128

interface Ports {
  readonly layout: ResultLayout
  readonly pose: string | undefined
  readonly tags: string | undefined
}

const portsOf = (layout: ResultLayout): Ports => {
  const portOf = (kind: string) => layout.outputs.find((output) => output.kind === kind)?.port
  return { layout, pose: portOf('field_pose'), tags: portOf('tag_poses') ?? portOf('detections') }
}

/** The tags of a map as they are published, by family and id (tagKey). */
const packedTags = (map: FieldMap): ReadonlyMap<number, Uint8Array> =>
  new Map(
    map.tags.map((tag) => {
      const bytes = new Uint8Array(POSE_BYTES)
      const { x, y, z, qw, qx, qy, qz } = poseFromDocument(tag.pose)
      writePose3d(new DataView(bytes.buffer), 0, [x, y, z, qw, qx, qy, qz], 0)
      return [keyInMap(map, tag), bytes]
    }),
  )

/** The newest frame of a stream, in the forms of its table. What is handed out is good until the next one is read. */
export class OwnFrame {
  /** Whether the robot's place is known of it. robotPose and stdDevs belong to the newest frame of which it was. */
  hasPose = false
  readonly robotPose = new Uint8Array(POSE_BYTES)
  readonly stdDevs = new Float64Array(6)
  readonly tagIds: number[] = []
  readonly #robotPose = new DataView(this.robotPose.buffer)
  readonly #tags = new Uint8Array(MAX_TAGS * POSE_BYTES)
  readonly #keys: number[] = []
  readonly #double: number[] = []
  #ports: Ports = portsOf({ stages: [], outputs: [] })
  #map: FieldMap | undefined
  #packed: ReadonlyMap<number, Uint8Array> = new Map()

  /** As many packed poses as there are tagIds. */
  get tags(): Uint8Array {
    return this.#tags.subarray(0, POSE_BYTES * this.tagIds.length)
  }

  /** No frame, or one that shows nothing. */
  clear(): void {
    this.hasPose = false
    this.tagIds.length = 0
  }

  read(result: Result, map: FieldMap): void {
    this.clear()
    if (result.layout !== this.#ports.layout) this.#ports = portsOf(result.layout)
    this.#readPose(result)
    if (this.hasPose) this.#readTags(result, map)
  }

  #readPose(result: Result): void {
    const solved = this.#ports.pose === undefined ? undefined : rowsOf(result, this.#ports.pose)
    if (!solved || solved.count === 0) return
    const { data } = result
    const { offset } = solved
    if (!isPose(data, offset + FIELD_ROBOT) || !areSane(data, offset + FIELD_STD, 6)) return
    writePose3d(this.#robotPose, 0, data, offset + FIELD_ROBOT)
    for (let i = 0; i < 6; i++) this.stdDevs[i] = data[offset + FIELD_STD + i] as number
    this.hasPose = true
  }

  /** A field has each id once: of one that is seen twice nobody knows which it is. */
  #readTags(result: Result, map: FieldMap): void {
    const seen = this.#ports.tags === undefined ? undefined : rowsOf(result, this.#ports.tags)
    if (!seen) return
    this.#use(map)
    const { data } = result
    const keys = this.#keys
    const doubles = this.#double
    keys.length = 0
    doubles.length = 0
    for (let n = 0; n < seen.count && keys.length < MAX_TAGS; n++) {
      const at = seen.offset + n * seen.stride
      const key = tagKey(data[at] as number, data[at + ID] as number)
      if (!this.#packed.has(key)) continue
      if (seen.kind === 'tag_poses' && data[at + NO_POSE] !== 0) continue
      if (keys.includes(key)) doubles.push(key)
      else keys.push(key)
    }
    for (const key of doubles) if (keys.includes(key)) keys.splice(keys.indexOf(key), 1)
    for (const key of keys) {
      this.#tags.set(this.#packed.get(key) as Uint8Array, this.tagIds.length * POSE_BYTES)
      this.tagIds.push(idOfKey(key))
    }
  }

  #use(map: FieldMap): void {
    if (map === this.#map) return
    this.#map = map
    this.#packed = packedTags(map)
  }
}
