// A camera that is plugged in: its device file as the system describes it, and the answer of its driver.
import type { Static } from 'typebox'
import Type from '../schema/type.ts'
import { type CameraMode, modeFields } from './mode.ts'

/** A USB device, as sysfs describes it. */
export interface UsbFacts {
  readonly vendor_id: string
  readonly product_id: string
  readonly serial: string | null
  readonly manufacturer: string | null
  readonly product: string | null
  /** Along the hubs, as `1.3`. */
  readonly port: string
  readonly interface: string
  /** Its number now, which is what shares a bandwidth. */
  readonly bus: number
  readonly speed_mbit_s: number | null
  /** In sysfs. */
  readonly folder: string
}

/** A device file for video. */
export interface VideoNode {
  readonly device: string
  /** Another one each time something is plugged in. */
  readonly plugged: string
  readonly name: string
  /** Among the files of one interface. */
  readonly index: number
  /** Where its bus, or the device itself, sits in this machine; the same after each start. */
  readonly controller: string
  readonly usb: UsbFacts | null
}

/** Sizes of one format, with the rates that each can have. */
export const ModeRates = Type.Object(
  {
    ...modeFields,
    fps: Type.Array(modeFields.fps, { description: 'The rates in which it comes, pictures per second.' }),
  },
  {
    additionalProperties: false,
    title: 'ModeRates',
    description: 'A format and size, with the rates that it can have.',
  },
)
export type ModeRates = Static<typeof ModeRates>

/** As it is printed by the program that asks the drivers, as much of it as is used here. A newer one may say more. */
const Asked = Type.Object({
  device: Type.String(),
  ok: Type.Literal(true),
  driver: Type.String(),
  card: Type.String(),
  is_capture: Type.Boolean(),
  modes: Type.Array(ModeRates),
  other_formats: Type.Optional(Type.Array(Type.String())),
  controls: Type.Optional(Type.Array(Type.Unknown())),
  busy: Type.Optional(Type.Boolean()),
})

const Unasked = Type.Object({
  device: Type.String(),
  ok: Type.Literal(false),
  errno: Type.Optional(Type.Integer()),
  detail: Type.String(),
})

/** The answer of a driver, or why there is none. busy: whether another program streamed from it then. */
export const CameraAnswer = Type.Union([Asked, Unasked])
export type CameraAnswer = Static<typeof CameraAnswer>

/** A device file with the answer of its driver. */
export interface AskedNode extends VideoNode {
  readonly answer: CameraAnswer
}

/** Whether it is a camera that gives pictures; one whose driver did not answer may be. */
// further files of an interface are nearly always metadata
export const isCamera = ({ answer, index }: AskedNode): boolean => (answer.ok ? answer.is_capture : index === 0)

/** Each mode by itself. */
export const modesOf = ({ answer }: AskedNode): readonly CameraMode[] =>
  answer.ok ? answer.modes.flatMap(({ fps, ...mode }) => fps.map((each) => ({ ...mode, fps: each }))) : []

// What a device says that is still being set up, or whose permissions are not there yet: EIO, EACCES, ENODEV, EBUSY,
// EPROTO, ETIMEDOUT.
const PASSING: readonly unknown[] = [5, 13, 16, 19, 71, 110]

/** Whether it is worth asking again in a moment. */
export const mayAnswerSoon = (answer: CameraAnswer): boolean => !answer.ok && PASSING.includes(answer.errno)
