// How the adapter finds and trusts the rows of a result: outputs by kind, and only numbers that can be computed with.
import { type OutputKind, RESULT_FIELDS, type Result, type Rows, rowsOf } from '../engine/result.ts'

/** Where in a row of a kind a field stands. */
export const column = (kind: OutputKind, field: string): number =>
  (RESULT_FIELDS[kind] as readonly string[]).indexOf(field)

/** The first output of a kind: a user's graph may name its ports as it likes. */
export const firstOfKind = (result: Result, kind: OutputKind): Rows | undefined => {
  const output = result.layout.outputs.find((candidate) => candidate.kind === kind)
  return output && rowsOf(result, output.port)
}

/** Whether all of `length` numbers can be computed with: no NaN, no infinity, nothing that overflows when squared. */
export const areSane = (data: Float64Array, offset: number, length: number): boolean => {
  for (let i = offset; i < offset + length; i++) {
    const value = data[i] as number
    if (!(value > -1e6 && value < 1e6)) return false
  }
  return true
}

/** Whether seven numbers are a pose; the engine leaves zeros where it found none. */
export const isPose = (data: Float64Array, offset: number): boolean => {
  if (!areSane(data, offset, 7)) return false
  let norm = 0
  for (let i = offset + 3; i < offset + 7; i++) norm += (data[i] as number) ** 2
  return Math.abs(norm - 1) < 1e-3
}
