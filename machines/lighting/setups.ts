// How outputs that were found are held as the configuration says.
import type { LightingConfig } from './config.ts'
import type { HeldOutput } from './output-bytes.ts'

/** As much of an output that was found as that takes. */
interface Found {
  readonly id: string
  readonly channels: 1 | 3 | 4 | null
  readonly levels: number
}

/** A held output, and how it is told so. */
export interface Setup extends HeldOutput {
  readonly order: string
  readonly max_level: number
  readonly active_low: boolean
}

const STRIP_CHANNELS = 3

/** Those outputs of the configuration that are there. */
export const setupsOf = ({ outputs, max_duty }: LightingConfig, found: readonly Found[]): readonly Setup[] =>
  outputs.flatMap(({ id, pixels, channels, order, active_low }) => {
    const there = found.find((each) => each.id === id)
    if (!there) return []
    const isStrip = there.channels === null
    const isSwitched = there.levels === 2
    const held = isStrip ? (channels ?? STRIP_CHANNELS) : there.channels
    return {
      id,
      pixels: isStrip ? pixels : 1,
      channels: held,
      order: order.length === held ? order : ORDERS[held],
      isSwitched,
      max_level: isSwitched && max_duty > 0 ? 255 : Math.ceil(255 * max_duty),
      active_low,
    }
  })

const ORDERS = { 1: 'W', 3: 'RGB', 4: 'RGBW' } as const
