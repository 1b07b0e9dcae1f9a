// NT4 values on the wire: the MessagePack form of each type string, and the reading of binary frames. Writing is in
// encoder.ts.
import { Unpackr } from 'msgpackr'
import type { Nt4Type, Nt4Value } from './port.ts'

/** The numbers that name a value's form in a binary message. */
export const WIRE = {
  boolean: 0,
  double: 1,
  int: 2,
  float: 3,
  string: 4,
  bytes: 5,
  booleans: 16,
  doubles: 17,
  ints: 18,
  floats: 19,
  strings: 20,
} as const

/** A number of WIRE. */
export type WireType = (typeof WIRE)[keyof typeof WIRE]

/** The id under which both sides exchange clock readings. */
export const TIME_SYNC_ID = -1

/**
 * One complete message `[id, timestamp, type, value]` whose value fits its type. id: pubuid, topic id or TIME_SYNC_ID.
 */
export interface Nt4Message {
  readonly id: number
  readonly timestampUs: number
  readonly wireType: WireType
  readonly value: Nt4Value
}

/** What a binary frame held. bad: messages that were cut off, misshapen or did not fit their type. */
export interface Nt4Frame {
  readonly messages: readonly Nt4Message[]
  readonly bad: number
}

/** The form in which values of a type travel; a type string nobody has heard of travels as bytes. */
export const wireTypeOf = (type: Nt4Type): WireType => wireTypes.get(type) ?? WIRE.bytes

/**
 * Reads a binary frame, each message on its own; never throws.
 *
 * MessagePack has no marks to find the next message by, so what follows bytes that cannot be read counts as one bad
 * message. Bytes are copied: the frame may be a window on a larger buffer.
 */
export const decodeFrame = (frame: Uint8Array): Nt4Frame => {
  if (frame.length === 0) return { messages: [], bad: 0 }
  const { messages, bad } = decodePart(frame, 0, Number.POSITIVE_INFINITY)
  return { messages, bad }
}

/** Reads on in a frame, from a byte on, up to so many messages. next: where the message after them begins. */
export const decodePart = (frame: Uint8Array, from: number, most: number): Nt4Frame & { readonly next: number } => {
  const values: unknown[] = []
  let next = from
  let unreadable = 0
  try {
    unpackr.unpackMultiple(frame.subarray(from), (value: unknown, _start?: number, end = 0) => {
      next = from + end
      return values.push(value) < most
    })
  } catch {
    next = frame.length
    unreadable = 1
  }
  const messages = values.map(messageOf).filter((message) => message !== undefined)
  return { messages, bad: unreadable + values.length - messages.length, next }
}

const wireTypes = new Map<string, WireType>([
  ['boolean', WIRE.boolean],
  ['double', WIRE.double],
  ['int', WIRE.int],
  ['float', WIRE.float],
  ['string', WIRE.string],
  ['json', WIRE.string],
  ['boolean[]', WIRE.booleans],
  ['double[]', WIRE.doubles],
  ['int[]', WIRE.ints],
  ['float[]', WIRE.floats],
  ['string[]', WIRE.strings],
])

// 'auto' (a number when exact, else a bigint) is missing from msgpackr's type declarations.
const unpackr = new Unpackr({ useRecords: false, copyBuffers: true, int64AsType: 'auto' as 'number' })

const messageOf = (read: unknown): Nt4Message | undefined => {
  if (!Array.isArray(read) || read.length !== 4) return undefined
  const [id, timestampUs, wireType] = read
  if (!Number.isSafeInteger(id) || !Number.isSafeInteger(timestampUs)) return undefined
  const value = fitting(wireType, read[3])
  return value === undefined ? undefined : { id, timestampUs, wireType, value }
}

/**
 * The value as its type wants it; undefined when it does not fit. Integers are taken where a double is expected, never
 * the reverse.
 */
const fitting = (wireType: unknown, value: unknown): Nt4Value | undefined => {
  switch (wireType) {
    case WIRE.boolean:
      return typeof value === 'boolean' ? value : undefined
    case WIRE.double:
    case WIRE.float:
      return numberOf(value)
    case WIRE.int:
      return isInt(value) ? value : undefined
    case WIRE.string:
      return typeof value === 'string' ? value : undefined
    case WIRE.bytes:
      return value instanceof Uint8Array ? value : undefined
    case WIRE.booleans:
      return isArrayOf(value, (element) => typeof element === 'boolean') ? (value as boolean[]) : undefined
    case WIRE.doubles:
    case WIRE.floats:
      return numbersOf(value)
    case WIRE.ints:
      return isArrayOf(value, isInt) ? (value as number[]) : undefined
    case WIRE.strings:
      return isArrayOf(value, (element) => typeof element === 'string') ? (value as string[]) : undefined
    default:
      return undefined
  }
}

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : undefined

const numbersOf = (value: unknown): readonly number[] | undefined => {
  if (isArrayOf(value, (element) => typeof element === 'number')) return value as number[]
  return isArrayOf(value, (element) => numberOf(element) !== undefined) ? (value as unknown[]).map(Number) : undefined
}

const INT64_MAX = 2n ** 63n - 1n

const isInt = (value: unknown): value is number | bigint =>
  typeof value === 'bigint' ? value <= INT64_MAX : Number.isInteger(value) && Math.abs(value as number) <= 2 ** 53

const isArrayOf = (value: unknown, fits: (element: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(fits)
