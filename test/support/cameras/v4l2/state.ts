// What a test and an emulated camera tell each other while it runs: numbers of 8 bytes in a file, which the camera has
// mapped. The C++ side is shim/state.h.
import { closeSync, openSync, readSync, writeFileSync, writeSync } from 'node:fs'

/** By position. What the camera says begins with `streamer`. */
const FIELDS = [
  'is_gone',
  'is_hung',
  'is_paced_by_hand',
  'pictures_due',
  'pictures_version',
  'tag_id',
  'open_error',
  'set_format_error',
  'request_buffers_error',
  'stream_on_error',
  'query_delay_ms',
  'dequeue_error',
  'dequeue_errors',
  'short_pictures',
  'damaged_pictures',
  'lost_pictures',
  'padding_bytes',
  'stamps',
  'refused_control',
  'refused_error',
  'exposure_us',
  'keeps_pixels',
  'crop_step',
  'control_error',
  'controls_hang',
  'streamer',
  'opens',
  'streams',
  'pictures',
  'sequence',
  'width',
  'height',
  'fourcc',
  'fps_milli',
  'crop_x',
  'crop_y',
  'crop_width',
  'crop_height',
  'control_asks',
] as const
/** A field of the state; see shim/state.h for what it means. */
export type StateField = (typeof FIELDS)[number]

const MAX_CONTROLS = 64
const MAX_STAMPS = 256
const BYTES = 8

/** The state of one plugging-in. */
export class CameraState {
  readonly path: string
  readonly #fd: number

  constructor(path: string, controls: readonly number[]) {
    this.path = path
    writeFileSync(path, new Uint8Array(BYTES * (FIELDS.length + MAX_CONTROLS + 2 * MAX_STAMPS)))
    this.#fd = openSync(path, 'r+')
    controls.forEach((value, index) => {
      this.#write(FIELDS.length + index, value)
    })
  }

  get(field: StateField): number {
    return this.#read(FIELDS.indexOf(field))
  }

  set(field: StateField, value: number): void {
    this.#write(FIELDS.indexOf(field), value)
  }

  /** index: of the control in the description. */
  control(index: number): number {
    return this.#read(FIELDS.length + index)
  }

  /** When the exposure of a picture began, CLOCK_MONOTONIC us; undefined: it is not among the last 256. */
  exposedUs(sequence: number): number | undefined {
    const at = FIELDS.length + MAX_CONTROLS + 2 * (sequence % MAX_STAMPS)
    return this.#read(at) === sequence ? this.#read(at + 1) : undefined
  }

  close(): void {
    closeSync(this.#fd)
  }

  #read(index: number): number {
    const bytes = Buffer.alloc(BYTES)
    readSync(this.#fd, bytes, 0, BYTES, BYTES * index)
    return Number(bytes.readBigInt64LE())
  }

  #write(index: number, value: number): void {
    const bytes = Buffer.alloc(BYTES)
    bytes.writeBigInt64LE(BigInt(value))
    writeSync(this.#fd, bytes, 0, BYTES, BYTES * index)
  }
}
