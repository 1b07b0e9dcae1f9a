// What was found in one frame, all outputs together: for those who draw it onto the picture of that very frame.
import type { Static, TSchema } from 'typebox'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'
import { header, type OutputKind, type Result } from './result.ts'
import { roundResult } from './round-result.ts'
import { rowDocuments } from './row-documents.ts'
import { RowDocument } from './rows.ts'

const strict = { additionalProperties: false } as const

/** `FrameDetections` of `detections`. */
const titleOf = (kind: string) => `Frame${kind.replace(/(?:^|_)([a-z])/g, (_, first: string) => first.toUpperCase())}`

const outputOf = ([kind, row]: readonly [string, TSchema]) =>
  Type.Object(
    { kind: Type.Literal(kind), rows: Type.Array(row) },
    { ...strict, title: titleOf(kind), description: `The value of an output of kind ${kind} for one frame.` },
  )

type FrameOutputs = {
  readonly [Kind in OutputKind]: { readonly kind: Kind; readonly rows: readonly Static<(typeof RowDocument)[Kind]>[] }
}

/** The value of an output for one frame. */
export type FrameOutput = FrameOutputs[OutputKind]

const FrameOutput = Type.Unsafe<FrameOutput>(
  Type.Union(Object.entries(RowDocument).map(outputOf), {
    title: 'FrameOutput',
    description: 'The value of an output for one frame; what its rows are is told by its kind.',
  }),
)

/** The fields of FrameResults. */
export const frameResultFields = {
  seq: Type.Integer({ minimum: 0, description: 'The number of the frame, since the camera was opened.' }),
  captured_us: Type.Number({ description: 'Mid-exposure, CLOCK_MONOTONIC.' }),
  width_px: Type.Integer({ minimum: 1, description: 'Of the picture that pixels of the rows are in.' }),
  height_px: Type.Integer({ minimum: 1, description: 'Of the picture that pixels of the rows are in.' }),
  too_full: Type.Boolean({
    description: oneLine`
      There was more in the picture than can be looked at in time (\`picture.too_full\`): what is small in it may be
      missed.
    `,
  }),
  outputs: Type.Record(Type.String(), FrameOutput, {
    description: 'By the names of the outputs. Pictures are none of them.',
  }),
}

/** What was found in one frame. */
export const FrameResults = Type.Object(frameResultFields, {
  ...strict,
  title: 'FrameResults',
  description: oneLine`
    What was found in one frame. Pixels are rounded to 0.01, metres to 0.0001, degrees to 0.001, quaternions to
    0.00001.
  `,
})
export type FrameResults = Static<typeof FrameResults>

const known = new WeakMap<Result, FrameResults>()

/** Rounded, and made once for everybody. */
export const frameResults = (result: Result): FrameResults => {
  const found = known.get(result) ?? makeFrameResults(result)
  known.set(result, found)
  return found
}

const texts = new WeakMap<Result, Map<string, string>>()

/** The same as JSON, made once for all who want the same. outputs: the names of those that are in it; default all. */
export const frameResultsText = (result: Result, outputs?: readonly string[]): string => {
  const key = outputs?.join() ?? ALL
  const ofResult = texts.get(result) ?? new Map<string, string>()
  texts.set(result, ofResult)
  const text = ofResult.get(key) ?? JSON.stringify(outputs ? makeFrameResults(result, outputs) : frameResults(result))
  ofResult.set(key, text)
  return text
}

const ALL = '*'

/** wanted: the names of the outputs that are made; nothing is done for the others. Default: all. */
const makeFrameResults = (result: Result, wanted?: readonly string[]): FrameResults => {
  const made = result.layout.outputs.filter(({ port }) => wanted?.includes(port) ?? true)
  const rounded = roundResult(
    result,
    made.map(({ port }) => port),
  )
  const outputs = made.map(({ port, kind }) => [port, { kind, rows: rowDocuments(rounded, port, kind) ?? [] }])
  return {
    seq: header(result, 'seq'),
    captured_us: header(result, 'captured_us'),
    width_px: header(result, 'width_px'),
    height_px: header(result, 'height_px'),
    too_full: header(result, 'too_full') === 1,
    outputs: Object.fromEntries(outputs),
  }
}
