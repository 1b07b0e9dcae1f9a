// The rows of a result flat, by the names of their fields: what tests and measurements compare.
import { RESULT_FIELDS, type Result, rowsOf } from '../../../machines/engine/result.ts'

/** The rows of an output; undefined when there is none of that name. */
export const rowObjects = (result: Result, port: string): Record<string, number>[] | undefined => {
  const rows = rowsOf(result, port)
  if (!rows) return undefined
  const fields = RESULT_FIELDS[rows.kind]
  return Array.from({ length: rows.count }, (_, row) =>
    Object.fromEntries(fields.map((field, i) => [field, result.data[rows.offset + row * rows.stride + i] as number])),
  )
}
