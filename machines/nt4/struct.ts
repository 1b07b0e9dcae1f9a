// WPILib structs: fixed layouts of plain numbers, described by a text that is published beside the values. Little
// endian, packed, no padding.

/** The name of the topic under which the layout of a struct is published. */
export const schemaTopic = (struct: string): string => `/.schema/struct:${struct}`

/** The struct that a topic's type names, and whether its values are arrays of it; undefined: it names none. */
export const structIn = (type: string): { readonly name: string; readonly isArray: boolean } | undefined => {
  const [, name, array] = /^struct:([^[\]]+)(\[\])?$/.exec(type) ?? []
  return name === undefined ? undefined : { name, isArray: array !== undefined }
}

/**
 * The structs that are still to be asked for before values of one can be read: itself and those within it, as far as
 * the known layouts tell.
 */
export const missingStructs = (name: string, layouts: ReadonlyMap<string, string>): readonly string[] => {
  const seen = new Set([name])
  for (const each of seen) {
    const fields = fieldsOf(layouts.get(each) ?? '')
    if (typeof fields === 'string') continue
    for (const { type } of fields) if (!PRIMITIVES.has(type) && seen.size < MAX_STRUCTS) seen.add(type)
  }
  return [...seen].filter((each) => !layouts.has(each))
}

/** What is in a field: a number (of 64-bit integers a bigint), a text (of `char[n]`), a struct, an array. */
export type StructValue = boolean | number | bigint | string | StructObject | readonly StructValue[]
export interface StructObject {
  readonly [field: string]: StructValue
}

/** reason: why the bytes cannot be read, as a sentence without subject. */
export type ReadStruct =
  | { readonly ok: true; readonly value: StructValue }
  | { readonly ok: false; readonly reason: string }

/**
 * Reads a value of a topic of type `struct:<name>` or `struct:<name>[]`. layouts: by name, as published. Never throws.
 */
export const readStruct = (type: string, bytes: Uint8Array, layouts: ReadonlyMap<string, string>): ReadStruct => {
  const struct = structIn(type)
  if (!struct) return { ok: false, reason: `${type} is no struct` }
  const sizes = new Map<string, Layout>()
  const layout = layoutOf(struct.name, layouts, sizes, [])
  if (typeof layout === 'string') return { ok: false, reason: layout }
  const fits = struct.isArray ? bytes.length % layout.bytes === 0 : bytes.length === layout.bytes
  if (!fits) return { ok: false, reason: `its ${bytes.length} bytes are no ${type}, which takes ${layout.bytes} each` }
  const count = bytes.length / layout.bytes
  if (count * layout.values > MAX_VALUES)
    return { ok: false, reason: `it has more than ${MAX_VALUES} numbers, which are not spelt out` }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const all = Array.from({ length: count }, (_, n) => readLayout(view, n * layout.bytes, layout))
  return { ok: true, value: struct.isArray ? all : (all[0] as StructValue) }
}

const MAX_STRUCTS = 64
const MAX_VALUES = 20_000
const MAX_LAYOUT_LENGTH = 4_096 // characters; the longest that WPILib has takes a few hundred
const MAX_ARRAY_LENGTH = 1_000_000

/** count: of an array; undefined: one alone. */
interface Field {
  readonly type: string
  readonly name: string
  readonly count: number | undefined
}

interface Primitive {
  readonly bytes: number
  readonly read: (view: DataView, at: number) => boolean | number | bigint | string
}

const float32: Primitive = { bytes: 4, read: (view, at) => view.getFloat32(at, true) }
const float64: Primitive = { bytes: 8, read: (view, at) => view.getFloat64(at, true) }

const PRIMITIVES: ReadonlyMap<string, Primitive> = new Map<string, Primitive>([
  ['bool', { bytes: 1, read: (view, at) => view.getUint8(at) !== 0 }],
  ['char', { bytes: 1, read: (view, at) => String.fromCharCode(view.getUint8(at)) }],
  ['int8', { bytes: 1, read: (view, at) => view.getInt8(at) }],
  ['uint8', { bytes: 1, read: (view, at) => view.getUint8(at) }],
  ['int16', { bytes: 2, read: (view, at) => view.getInt16(at, true) }],
  ['uint16', { bytes: 2, read: (view, at) => view.getUint16(at, true) }],
  ['int32', { bytes: 4, read: (view, at) => view.getInt32(at, true) }],
  ['uint32', { bytes: 4, read: (view, at) => view.getUint32(at, true) }],
  ['int64', { bytes: 8, read: (view, at) => view.getBigInt64(at, true) }],
  ['uint64', { bytes: 8, read: (view, at) => view.getBigUint64(at, true) }],
  ['float', float32],
  ['float32', float32],
  ['double', float64],
  ['float64', float64],
])

/**
 * The fields of a layout's text, or why it cannot be read: `double x;enum {a=1} int8 mode;Translation2d corners[4]`.
 */
const fieldsOf = (text: string): readonly Field[] | string => {
  if (text.length > MAX_LAYOUT_LENGTH) return 'the published layout is too long'
  const fields: Field[] = []
  for (const declaration of text.split(';')) {
    const line = declaration.trim()
    if (line === '') continue
    const [, type, name, length, bits] = DECLARATION.exec(line) ?? []
    if (type === undefined || name === undefined)
      return `the published layout has ${JSON.stringify(line.slice(0, 80))} in it, which cannot be read`
    if (bits !== undefined) return `the field ${name} is one of some bits, which are not taken apart`
    if (fields.some((field) => field.name === name)) return `the published layout has two fields ${name}`
    fields.push({ type, name, count: length === undefined ? undefined : Number(length) })
  }
  return fields
}

const ENUM = String.raw`(?:(?:enum\s*)?\{[^{}]*\}\s*)?`
const TYPE_AND_NAME = String.raw`([A-Za-z_][\w.:-]{0,63})\s+([A-Za-z_]\w{0,63})`
const COUNT_OR_BITS = String.raw`(?:\[\s*(\d{1,7})\s*\]|:\s*(\d{1,2}))?`
const DECLARATION = new RegExp(String.raw`^${ENUM}${TYPE_AND_NAME}\s*${COUNT_OR_BITS}$`)

/** A field with what its type means. */
type Part = Field & { readonly of: Primitive | Layout }

interface Layout {
  /** Of one. */
  readonly bytes: number
  /** How many numbers are in it. */
  readonly values: number
  readonly parts: readonly Part[]
}

/** outer: the structs that it is within. known: those that were worked out before. */
const layoutOf = (
  name: string,
  layouts: ReadonlyMap<string, string>,
  known: Map<string, Layout>,
  outer: readonly string[],
): Layout | string => {
  const before = known.get(name)
  if (before) return before
  if (outer.includes(name)) return `the struct ${name} would hold itself`
  if (outer.length >= MAX_STRUCTS) return 'its structs are nested too deep'
  const text = layouts.get(name)
  if (text === undefined) return `nobody publishes its layout, ${schemaTopic(name)}`
  const fields = fieldsOf(text)
  if (typeof fields === 'string') return fields
  const parts: Part[] = []
  let bytes = 0
  let values = 0
  for (const field of fields) {
    const primitive = PRIMITIVES.get(field.type)
    const of = primitive ?? layoutOf(field.type, layouts, known, [...outer, name])
    if (typeof of === 'string') return of
    const count = field.count ?? 1
    if (count > MAX_ARRAY_LENGTH) return `the field ${field.name} is too long`
    bytes += count * of.bytes
    values += Math.max(1, count * ('values' in of ? of.values : 1)) // an array of none takes its place too
    parts.push({ ...field, of })
  }
  if (bytes === 0) return `the struct ${name} holds nothing`
  const layout = { bytes, values, parts }
  known.set(name, layout)
  return layout
}

const readLayout = (view: DataView, start: number, { parts }: Layout): StructObject => {
  let at = start
  const read: [string, StructValue][] = []
  for (const { name, type, count, of } of parts) {
    const one = (n: number): StructValue =>
      'parts' in of ? readLayout(view, at + n * of.bytes, of) : of.read(view, at + n * of.bytes)
    if (count === undefined) read.push([name, one(0)])
    else if (type === 'char') read.push([name, textOf(view, at, count)])
    else read.push([name, Array.from({ length: count }, (_, n) => one(n))])
    at += (count ?? 1) * of.bytes
  }
  return Object.fromEntries(read)
}

/** What fills an array of characters, up to the zeros behind it. UTF-8; what is none is shown as such. */
const textOf = (view: DataView, at: number, count: number): string =>
  new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset + at, count)).replace(/\0+$/, '')
