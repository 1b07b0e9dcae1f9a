// How a tool of the robot reads packed poses, by their schema alone.
import { POSE_SCHEMAS } from '../../../machines/own-table/structs.ts'

/** The numbers of a struct in their order, by the texts of the schemas. */
const numbersOf = (type: string, schemas: ReadonlyMap<string, string>): number => {
  if (type === 'double') return 1
  const fields = (schemas.get(type) ?? '').split(';').map((field) => field.trim().split(' ')[0] as string)
  return fields.reduce((sum, field) => sum + numbersOf(field, schemas), 0)
}

/** Packed structs as lists of numbers. schemas: by name; default: ours. */
export const posesIn = (
  bytes: Uint8Array,
  schemas: ReadonlyMap<string, string> = new Map(POSE_SCHEMAS.map(({ name, text }) => [name, text])),
): readonly (readonly number[])[] => {
  const count = numbersOf('Pose3d', schemas)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: bytes.byteLength / (8 * count) }, (_, pose) =>
    Array.from({ length: count }, (_, n) => view.getFloat64(8 * (pose * count + n), true)),
  )
}
