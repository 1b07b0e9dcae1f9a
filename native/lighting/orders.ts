// What the process that holds lamps is told: its command line, and the bytes of its orders, whose form stands in
// native/addon/lamps/lamp_orders.h.
import type { PlacedOutput } from './find.ts'
import type { LampFrame, OutputSetup } from './port.ts'

const PLAY = 1
const ALIVE = 2
const LENGTH_BYTES = 4
const PLAY_HEAD = 7
const MOMENT_BYTES = 8

/** A sign of life. */
export const ALIVE_ORDER: Uint8Array = Uint8Array.of(1, 0, 0, 0, ALIVE)

/** An order to play frames of equal length. */
export const playOrder = (frames: readonly LampFrame[], hold_ms: number): Uint8Array => {
  const frameBytes = MOMENT_BYTES + (frames[0]?.bytes.length ?? 0)
  const length = PLAY_HEAD + frames.length * frameBytes
  const order = new Uint8Array(LENGTH_BYTES + length)
  const view = new DataView(order.buffer)
  view.setUint32(0, length, true)
  view.setUint8(LENGTH_BYTES, PLAY)
  view.setUint32(LENGTH_BYTES + 1, Math.round(hold_ms), true)
  view.setUint16(LENGTH_BYTES + 5, frames.length, true)
  let at = LENGTH_BYTES + PLAY_HEAD
  for (const { at_us, bytes } of frames) {
    view.setBigInt64(at, BigInt(Math.round(at_us)), true)
    order.set(bytes, at + MOMENT_BYTES)
    at += frameBytes
  }
  return order
}

/** Bytes of an output in a frame. */
export const bytesOf = ({ pixels, channels }: OutputSetup): number => pixels * channels

/** What is wrong with the setup of an output, as a sentence; null: nothing. */
export const wrongSetup = (
  { pixels, channels, order }: OutputSetup,
  { kind, ...found }: PlacedOutput,
): string | null => {
  if (kind === 'strip')
    return channels === 1 || (order.length === channels && isOrder(order))
      ? null
      : `${channels} channels cannot come in the order ${order}; GRB and GRBW are usual`
  if (pixels !== 1) return `it is one lamp, and is set up as ${pixels} pixels`
  return channels === found.channels ? null : `it has ${found.channels} channels, and is set up with ${channels}`
}

const isOrder = (order: string): boolean =>
  ['RGB', 'RGBW'].some((all) => all.length === order.length && [...all].every((each) => order.includes(each)))

/** The words for one output. */
export const outputWords = (setup: OutputSetup, { kind, words }: PlacedOutput): readonly string[] => [
  '--max-level',
  String(setup.max_level),
  ...(setup.active_low ? ['--active-low'] : []),
  ...words,
  ...(kind === 'strip' ? [String(setup.pixels), setup.channels === 1 ? 'W' : setup.order] : []),
]
