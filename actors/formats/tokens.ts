// The tokens of formats.
import { token } from '../../machines/token.ts'
import type { FormatBenches } from './format-benches.ts'

/** Measures the modes of cameras. */
export const FORMAT_BENCHES = token<FormatBenches>('format benches')
