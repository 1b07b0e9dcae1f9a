// The fault of one camera too many on a bus: which cameras share it, and in which mode another would fit.
import { type BusUser, bytesLeft, bytesPerSecond, modeText } from './bandwidth.ts'
import { bestMode, type ModeConditions } from './best-mode.ts'
import type { CameraMode } from './mode.ts'

/** A mode that a camera refused for want of bandwidth. */
export interface Refused {
  /** That had no room. */
  readonly mode: CameraMode
  /** Which the camera has. */
  readonly modes: readonly CameraMode[]
  /** Who has cameras on the same bus. */
  readonly others: readonly BusUser[]
  readonly conditions: ModeConditions
}

/**
 * The best mode that fits beside the others; undefined: there is none. What a camera really reserves, only the kernel
 * knows.
 */
export const fittingMode = ({ mode, modes, others, conditions }: Refused): CameraMode | undefined => {
  const left = bytesLeft(conditions.speed_mbit_s, others)
  const smaller = modes.filter((each) => bytesPerSecond(each) <= left && bytesPerSecond(each) < bytesPerSecond(mode))
  return bestMode(smaller, conditions)
}

/** One or two sentences. */
export const noBandwidthText = (refused: Refused): string => {
  const { others } = refused
  const sharing = others.map(({ stream_id, mode }) => `${stream_id} (${modeText(mode)})`).join(', ')
  const who =
    others.length > 0 ? `Its USB bus is shared with ${sharing}.` : 'No other stream of this service uses its USB bus.'
  const mode = fittingMode(refused)
  const fits = mode ? `${modeText(mode)} should fit` : 'None of its modes would fit beside them'
  return `${who} ${fits}; else plug it into a port of another controller.`
}
