// Persistent topics as they stand in the file, and back. Each entry is judged on its own: anybody may have edited the
// file.
import { decodeFrame, WIRE, type WireType, wireTypeOf } from '../codec.ts'
import type { JsonMap } from '../control.ts'
import { MessageEncoder } from '../encoder.ts'
import type { Nt4Value } from '../port.ts'

/**
 * A topic as it stands in the file. value: JSON; bytes as base64, integers beyond 2^53 and numbers that JSON lacks as
 * strings.
 */
export interface PersistentTopic {
  readonly name: string
  readonly type: string
  readonly value: unknown
  readonly properties: JsonMap
}

/** A topic of the file with its value as it was published. */
export type RestorableTopic = PersistentTopic & { readonly value: Nt4Value }

/** A value as JSON. */
export const toJson = (wireType: WireType, value: Nt4Value): unknown => {
  if (wireType === WIRE.bytes) return Buffer.from(value as Uint8Array).toString('base64')
  return Array.isArray(value) ? value.map(scalarToJson) : scalarToJson(value)
}

/** An entry of the file, or why it is none: after the name, as in "has no value that fits double". */
export const readEntry = (entry: unknown): RestorableTopic | { readonly reason: string } => {
  const { name, type, properties, value } = (entry ?? {}) as Record<string, unknown>
  if (typeof name !== 'string' || name === '') return { reason: 'has no name' }
  if (name.startsWith('$')) return { reason: "has a name of the server's own" }
  if (typeof type !== 'string') return { reason: 'has no type' }
  if (!isMap(properties) || properties.persistent !== true) return { reason: 'is not marked as persistent' }
  const read = fromJson(wireTypeOf(type), value)
  if (read === undefined || !canBeSent(wireTypeOf(type), read)) return { reason: `has no value that fits ${type}` }
  return { name, type, properties, value: read }
}

const isMap = (value: unknown): value is JsonMap => typeof value === 'object' && value !== null && !Array.isArray(value)

const scalarToJson = (value: unknown): unknown =>
  typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)) ? String(value) : value

const fromJson = (wireType: WireType, value: unknown): Nt4Value | undefined => {
  if (wireType === WIRE.bytes) return typeof value === 'string' ? Buffer.from(value, 'base64') : undefined
  return (
    Array.isArray(value) ? value.map((element) => scalarFromJson(wireType, element)) : scalarFromJson(wireType, value)
  ) as Nt4Value | undefined
}

const INTEGERS: readonly WireType[] = [WIRE.int, WIRE.ints]
const NUMBERS: readonly WireType[] = [WIRE.double, WIRE.float, WIRE.doubles, WIRE.floats]
const NOT_IN_JSON = ['NaN', 'Infinity', '-Infinity']

const scalarFromJson = (wireType: WireType, value: unknown): unknown => {
  if (typeof value !== 'string') return value
  if (INTEGERS.includes(wireType)) return /^-?\d{1,20}$/.test(value) ? BigInt(value) : value
  return NUMBERS.includes(wireType) && NOT_IN_JSON.includes(value) ? Number(value) : value
}

/** What subscribers could not read back must not become a topic's value. */
const canBeSent = (wireType: WireType, value: Nt4Value): boolean => {
  const encoder = new MessageEncoder()
  encoder.begin(true)
  return encoder.put(1, 1, wireType, value) && decodeFrame(encoder.take()).messages.length === 1
}
