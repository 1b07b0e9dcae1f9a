// What a stream keeps of its last pictures, so that they can be saved when it turns out that they matter.
import { withDefault } from '../schema/defaults.ts'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'

const MEBIBYTE = 1024 * 1024

/**
 * Five seconds of a camera that gives JPEGs of 100 KB, 30 a second; 16 streams that keep so much take 256 MiB of the 2
 * GiB that such devices have.
 */
const DEFAULT_BYTES = 16 * MEBIBYTE

/**
 * Half a second of large pictures, without which there is nothing to be saved; and what one stream may take of the
 * memory of all. The engines go by it too (native/addon/binding/recorded.cc).
 */
const MIN_BYTES = MEBIBYTE
export const MAX_REWIND_BYTES = 64 * MEBIBYTE

/** The fields of `rewind` in a manifest. */
export const rewindFields = {
  enabled: withDefault(Type.Boolean({ description: 'Whether the last pictures are kept.' }), true),
  max_bytes: withDefault(
    Type.Integer({
      minimum: MIN_BYTES,
      maximum: MAX_REWIND_BYTES,
      description: oneLine`
        How much of them, with their results. A clip holds as many seconds as fit: a camera that gives JPEGs of 100
        KB, 30 a second, fills 16 MiB in five.`,
    }),
    DEFAULT_BYTES,
  ),
}

/** As much of a manifest as says what is kept. */
export interface Rewinding {
  readonly rewind?: { readonly enabled: boolean; readonly max_bytes: number }
}

/** How many bytes of a stream its engine is to keep; 0: nothing. */
export const rewindBytes = ({ rewind }: Rewinding): number => (rewind?.enabled ? rewind.max_bytes : 0)
