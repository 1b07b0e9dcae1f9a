// Which codecs this device has.
import type { Codecs } from '../../machines/codecs/codec.ts'
import { token } from '../../machines/token.ts'

/** Never rejects: where nothing can be found out, the note says so. */
export interface CodecsPort {
  readonly found: () => Promise<Codecs>
  /** Why this device neither writes nor reads videos, and what to do; null: it does. Asked at any time. */
  readonly whyNoVideos: () => string | null
}

/** The codecs of this device. */
export const CODECS = token<CodecsPort>('codecs')
