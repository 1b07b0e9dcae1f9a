// From what groups show to what outputs are told: gamma, the limit of duty, and the channels that an output has.
import type { LightingConfig } from './config.ts'

/** An output as it is held: its channels are known. */
export interface HeldOutput {
  readonly id: string
  readonly pixels: number
  readonly channels: 1 | 3 | 4
  /** It is on or off, and nothing between. */
  readonly isSwitched: boolean
}

/**
 * One byte for each channel, in the order of the outputs, their pixels, and red, green, blue, white. rows: what a group
 * shows, three values from 0 to 1 for each pixel, as on a screen; undefined: it is dark. A white light takes the
 * brightest of the three; a pixel with white takes what its three colours have in common as white. One that is switched
 * is on from half of the brightness on, whatever gamma and duty are.
 */
export const bytesOf = (
  { groups, gamma, max_duty }: Pick<LightingConfig, 'groups' | 'gamma' | 'max_duty'>,
  outputs: readonly HeldOutput[],
  rows: (group: string) => Float64Array | undefined,
): Uint8Array => {
  const starts = new Map<string, number>()
  let length = 0
  for (const { id, pixels, channels } of outputs) {
    starts.set(id, length)
    length += pixels * channels
  }
  const bytes = new Uint8Array(length)
  const dimmed = (value = 0) => Math.min(1, Math.max(0, value)) ** gamma * max_duty
  const switched = (value = 0) => (value >= 0.5 && max_duty > 0 ? 1 : 0)
  for (const { name, parts } of groups) {
    const shown = rows(name)
    if (!shown) continue
    let pixel = 0
    for (const { output, from, count, reversed } of parts) {
      const held = outputs.find(({ id }) => id === output)
      for (let step = 0; held && step < count; step++) {
        const place = reversed ? from + count - 1 - step : from + step
        const at = 3 * (pixel + step)
        const light = held.isSwitched ? switched : dimmed
        const colours = [light(shown[at]), light(shown[at + 1]), light(shown[at + 2])] as const
        if (place < held.pixels)
          bytes.set(channelsOf(held.channels, colours), (starts.get(output) ?? 0) + place * held.channels)
      }
      pixel += count
    }
  }
  return bytes
}

const channelsOf = (channels: 1 | 3 | 4, colours: readonly [number, number, number]): readonly number[] => {
  if (channels === 1) return [byte(Math.max(...colours))]
  const white = channels === 4 ? Math.min(...colours) : 0
  const [red, green, blue] = colours
  const own = [byte(red - white), byte(green - white), byte(blue - white)]
  return channels === 4 ? [...own, byte(white)] : own
}

const byte = (share: number): number => Math.round(255 * share)
