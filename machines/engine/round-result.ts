// Results with no more digits than mean something, for those who get them as text.
import { type OutputKind, RESULT_FIELDS, type Result, rowsOf } from './result.ts'

// What is finer nobody can see: corners are found to some hundredths of a pixel, and poses follow from them. A
// quaternion is given to 0.001 degrees. How sharp a picture is has no scale.
const STEPS_BY_UNIT: readonly (readonly [unit: RegExp, perUnit: number])[] = [
  [/_px$/, 1e2],
  [/_m$/, 1e4],
  [/_deg$/, 1e3],
  [/(^|_)q[wxyz]$/, 1e5],
  [/^[xy]\d$/, 1e5],
  [/^(sharpness|best)$/, 1e6],
]
const STEPS_OF_OTHERS = 1e4

const stepsOf = (field: string): number => STEPS_BY_UNIT.find(([unit]) => unit.test(field))?.[1] ?? STEPS_OF_OTHERS

const STEPS = Object.fromEntries(
  Object.entries(RESULT_FIELDS).map(([kind, fields]) => [kind, Float64Array.from(fields, stepsOf)]),
) as Record<OutputKind, Float64Array>

/**
 * A copy whose rows are rounded: pixels to 0.01, metres to 0.0001, degrees to 0.001. Header and texts are as they were.
 * ports: the outputs whose rows are; default all.
 */
export const roundResult = (result: Result, ports = result.layout.outputs.map(({ port }) => port)): Result => {
  const data = result.data.slice()
  for (const port of ports) {
    const rows = rowsOf(result, port)
    if (!rows) continue
    const steps = STEPS[rows.kind]
    const end = rows.offset + rows.count * rows.stride
    for (let at = rows.offset, field = 0; at < end; at++, field = (field + 1) % rows.stride) {
      const perUnit = steps[field] as number
      data[at] = Math.round((data[at] as number) * perUnit) / perUnit
    }
  }
  return { layout: result.layout, data }
}
