// Learned models made up on the spot: files of ONNX whose answers follow from their pictures in a way that can be
// computed by hand. The numbers of fields are those of onnx.proto of the ONNX project.
import { PbfWriter } from 'pbf'

/** A dimension with a name is left open. */
type Dimensions = readonly (number | string)[]
type Element = 'float32' | 'uint8' | 'int64' | 'float16'

/** Something that a model takes or gives. */
export interface Described {
  readonly name: string
  readonly element?: Element
  readonly dims: Dimensions
}

/** A tensor that is a part of the model. */
export interface Constant {
  readonly dims: readonly number[]
  readonly numbers: Float32Array | BigInt64Array
  /** Instead of its numbers. */
  readonly raw?: Uint8Array
  /** Where they are instead. */
  readonly file?: string
}

/** An operation. */
export interface Operation {
  readonly op: string
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  readonly attributes?: Readonly<Record<string, number | readonly number[]>>
}

/** A model. metadata: what programs note down about it. */
export interface OnnxParts {
  readonly inputs: readonly Described[]
  readonly outputs: readonly Described[]
  readonly operations: readonly Operation[]
  readonly constants?: Readonly<Record<string, Constant>>
  readonly opset?: number
  readonly metadata?: Readonly<Record<string, string>>
}

const ELEMENTS: Readonly<Record<Element, number>> = { float32: 1, uint8: 2, int64: 7, float16: 10 }
const ATTRIBUTE = { int: 2, ints: 7 }

/** The bytes of a message that `write` fills. */
const message = (write: (pbf: PbfWriter) => void): Uint8Array => {
  const pbf = new PbfWriter()
  write(pbf)
  return pbf.finish()
}

const text = (pbf: PbfWriter, field: number, value: string): void => bytes(pbf, field, Buffer.from(value))

const bytes = (pbf: PbfWriter, field: number, value: Uint8Array): void => {
  pbf.writeTag(field, 2)
  pbf.writeBytes(value)
}

const number = (pbf: PbfWriter, field: number, value: number): void => {
  pbf.writeTag(field, 0)
  pbf.writeVarint(value)
}

const described = ({ name, element = 'float32', dims }: Described): Uint8Array => {
  const dimension = (length: number | string) =>
    message((pbf) => (typeof length === 'number' ? number(pbf, 1, length) : text(pbf, 2, length)))
  const shape = message((pbf) => {
    for (const length of dims) bytes(pbf, 1, dimension(length))
  })
  const tensor = message((pbf) => {
    number(pbf, 1, ELEMENTS[element])
    bytes(pbf, 2, shape)
  })
  return message((pbf) => {
    text(pbf, 1, name)
    bytes(
      pbf,
      2,
      message((type) => bytes(type, 1, tensor)),
    )
  })
}

const constant = (name: string, { dims, numbers, raw, file }: Constant): Uint8Array =>
  message((pbf) => {
    for (const length of dims) number(pbf, 1, length)
    number(pbf, 2, numbers instanceof Float32Array ? ELEMENTS.float32 : ELEMENTS.int64)
    text(pbf, 8, name)
    if (file !== undefined) {
      bytes(pbf, 13, entry('location', file))
      bytes(pbf, 13, entry('length', String(numbers.byteLength)))
      number(pbf, 14, 1)
    } else bytes(pbf, 9, raw ?? new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength))
  })

const attribute = (name: string, value: number | readonly number[]): Uint8Array =>
  message((pbf) => {
    text(pbf, 1, name)
    if (typeof value === 'number') number(pbf, 3, value)
    else for (const each of value) number(pbf, 8, each)
    number(pbf, 20, typeof value === 'number' ? ATTRIBUTE.int : ATTRIBUTE.ints)
  })

const operation = ({ op, inputs, outputs, attributes = {} }: Operation): Uint8Array =>
  message((pbf) => {
    for (const name of inputs) text(pbf, 1, name)
    for (const name of outputs) text(pbf, 2, name)
    text(pbf, 4, op)
    for (const [name, value] of Object.entries(attributes)) bytes(pbf, 5, attribute(name, value))
  })

const entry = (key: string, value: string): Uint8Array =>
  message((pbf) => {
    text(pbf, 1, key)
    text(pbf, 2, value)
  })

/** The file of a model. */
export const onnxFile = (parts: OnnxParts): Buffer => {
  const { inputs, outputs, operations, constants = {}, opset = 13, metadata = {} } = parts
  const graph = message((pbf) => {
    for (const each of operations) bytes(pbf, 1, operation(each))
    text(pbf, 2, 'graph')
    for (const [name, value] of Object.entries(constants)) bytes(pbf, 5, constant(name, value))
    for (const each of inputs) bytes(pbf, 11, described(each))
    for (const each of outputs) bytes(pbf, 12, described(each))
  })
  return Buffer.from(
    message((pbf) => {
      number(pbf, 1, 8) // the version of the format
      text(pbf, 2, 'tests')
      bytes(pbf, 7, graph)
      bytes(
        pbf,
        8,
        message((of) => number(of, 2, opset)),
      )
      for (const [key, value] of Object.entries(metadata)) bytes(pbf, 14, entry(key, value))
    }),
  )
}
