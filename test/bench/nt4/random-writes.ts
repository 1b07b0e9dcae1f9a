// Random MessagePack as a robot may write it: values that fit the type of their topic, those that do not, and what is
// no value of NT4 at all. The same for equal seeds.
import { Packr } from 'msgpackr'
import { WIRE } from '../../../native/nt4/codec.ts'
import type { Random } from '../../support/engine/random-graphs.ts'

/** The types under which a robot may publish a key. */
export const TYPES = [
  'double',
  'int',
  'float',
  'boolean',
  'string',
  'raw',
  'double[]',
  'int[]',
  'string[]',
  'json',
] as const
export type WrittenType = (typeof TYPES)[number]

const WIRE_OF = {
  double: WIRE.double,
  int: WIRE.int,
  float: WIRE.float,
  boolean: WIRE.boolean,
  string: WIRE.string,
  raw: WIRE.bytes,
  'double[]': WIRE.doubles,
  'int[]': WIRE.ints,
  'string[]': WIRE.strings,
  json: WIRE.string,
} as const

/** What is to be written. */
export interface Written {
  /** Of the topic, as it was announced, with its type. */
  readonly id: number
  readonly type: WrittenType
  /** The server's time. */
  readonly nowUs: number
  /** Whether numbers above 0 may be among it. */
  readonly isPositive: boolean
}

/** One message. */
export const randomWrite = (random: Random, { id, type, nowUs, isPositive }: Written): Buffer => {
  const fits = random(10) < 6
  const value = fits ? fitting(random, type) : anything(random, MAX_NESTED)
  const wireType = fits || random(2) === 0 ? WIRE_OF[type] : random(24)
  const written = isPositive ? value : withoutPositive(value)
  const message = packr.pack([id, stampOf(random, nowUs), wireType, written])
  return !fits && isPositive && random(8) === 0
    ? Buffer.concat([message.subarray(0, message.length >> 1), bytes(random, 20)])
    : message
}

const MAX_NESTED = 3
const packr = new Packr({ useRecords: false, variableMapSize: true })

const stampOf = (random: Random, nowUs: number): number => {
  const kind = random(10)
  if (kind === 0) return 0
  if (kind === 1) return -random(2 ** 40)
  return kind === 2 ? nowUs + random(2 ** 40) : nowUs
}

const fitting = (random: Random, type: WrittenType): unknown => {
  switch (type) {
    case 'double':
    case 'float':
      return numberOf(random)
    case 'int':
      return wholeOf(random)
    case 'boolean':
      return random(2) === 0
    case 'string':
    case 'json':
      return textOf(random)
    case 'raw':
      return bytes(random, 40)
    case 'double[]':
      return listOf(random, numberOf)
    case 'int[]':
      return listOf(random, wholeOf)
    case 'string[]':
      return listOf(random, textOf)
  }
}

const anything = (random: Random, nested: number): unknown => {
  switch (random(nested > 0 ? 9 : 7)) {
    case 0:
      return null
    case 1:
      return random(2) === 0
    case 2:
      return numberOf(random)
    case 3:
      return wholeOf(random)
    case 4:
      return textOf(random)
    case 5:
      return bytes(random, 40)
    case 6:
      return BigInt(random(2 ** 31)) * 2n ** 32n
    case 7:
      return listOf(random, () => anything(random, nested - 1))
    default:
      return Object.fromEntries(listOf(random, textOf).map((key) => [key, anything(random, nested - 1)]))
  }
}

const ODD = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, Number.MAX_VALUE, Number.MIN_VALUE]

/** Half of them of the size that a robot means. */
const numberOf = (random: Random): number => {
  const kind = random(8)
  if (kind === 0) return ODD[random(ODD.length)] as number
  if (kind < 5) return random(2000) / 500 - 2
  return (random(2 ** 32) - 2 ** 31) * 10 ** (random(20) - 10)
}

const wholeOf = (random: Random): number => (random(2) === 0 ? random(12) - 1 : random(2 ** 32) - 2 ** 31)

const LENGTHS = [0, 1, 2, 3, 4, 6, 6, 17]

const listOf = <Value>(random: Random, one: (random: Random) => Value): Value[] =>
  Array.from({ length: LENGTHS[random(LENGTHS.length)] as number }, () => one(random))

const textOf = (random: Random): string => String.fromCodePoint(...listOf(random, () => 32 + random(1000)))

const bytes = (random: Random, most: number): Buffer =>
  Buffer.from(Array.from({ length: random(most) }, () => random(256)))

const withoutPositive = (value: unknown): unknown => {
  if (typeof value === 'number') return value > 0 ? -value : value
  if (typeof value === 'bigint') return -value
  return Array.isArray(value) ? value.map(withoutPositive) : value
}
