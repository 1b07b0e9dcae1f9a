// Packed results and pictures as an engine would send them.

import {
  type OutputKind,
  RESULT_FIELDS,
  RESULT_HEADER,
  type Result,
  TEXT_KINDS,
} from '../../../machines/engine/result.ts'
import type { Picture } from '../../../machines/stream/picture.ts'

/** An output with its rows; a field that a row leaves out is 0. text: behind the rows of a kind that has some. */
export interface PackedOutput {
  readonly port: string
  readonly kind: OutputKind
  readonly rows: readonly Readonly<Record<string, number>>[]
  readonly text?: string
}

/** A result; header fields that are left out are 0. */
export const packed = (
  header: Readonly<Record<string, number>>,
  outputs: readonly PackedOutput[],
  stages = ['tags'],
): Result => ({
  layout: { stages, outputs: outputs.map(({ port, kind }) => ({ port, kind })) },
  data: Float64Array.from([
    ...RESULT_HEADER.map((field) => header[field] ?? 0),
    ...stages.map(() => 1000),
    ...outputs.flatMap(({ kind, rows, text = '' }) => [
      rows.length,
      ...rows.flatMap((row) => RESULT_FIELDS[kind].map((field) => row[field] ?? 0)),
      ...(TEXT_KINDS.includes(kind) ? packedText(text) : []),
    ]),
  ]),
})

const packedText = (text: string): number[] => {
  const bytes = Buffer.from(text)
  const doubles = new Float64Array(Math.ceil(bytes.length / 8))
  new Uint8Array(doubles.buffer).set(bytes)
  return [doubles.length, ...doubles]
}

/** A picture of the given kind; its bytes are a JPEG in name only. */
export const pictureOf = (key: string, seq: number, captured_us: number, bytes = 2000): Picture => ({
  key,
  seq,
  captured_us,
  width_px: 1280,
  height_px: 800,
  passthrough: false,
  jpeg: new Uint8Array(bytes).fill(seq % 256),
})
