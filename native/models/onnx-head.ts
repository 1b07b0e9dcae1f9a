// What a file of ONNX says of itself and the runtime does not tell. The format is a protocol buffer, onnx.proto of the
// ONNX project; the numbers here are its own.
import { PbfReader } from 'pbf'
import { MAX_CLASS_NAME_LENGTH, MAX_CLASSES } from '../../machines/models/model.ts'

/** What the head of a model's file says. */
export interface OnnxHead {
  /** Of the default operators. */
  readonly opset: number | null
  readonly producer: string | null
  /** Names, where the program that wrote the model noted them down as YOLO's do. */
  readonly classes: readonly string[]
}

const MODEL = { producerName: 2, producerVersion: 3, opsetImport: 8, metadata: 14 } as const
const OPSET = { domain: 1, version: 2 } as const
const ENTRY = { key: 1, value: 2 } as const

const MAX_PRODUCER_LENGTH = 100
/** A thousand names with their numbers. */
const MAX_NAMES_LENGTH = 200_000

/** Throws for what is no protocol buffer. The operations and weights are not read. */
export const onnxHead = (bytes: Uint8Array): OnnxHead => {
  const pbf = new PbfReader(bytes)
  const producer = ['', '']
  let opset: number | null = null
  let classes: readonly string[] = []
  for (let field = pbf.nextField(); field !== 0; field = pbf.nextField()) {
    if (field === MODEL.producerName) producer[0] = pbf.readString()
    else if (field === MODEL.producerVersion) producer[1] = pbf.readString()
    else if (field === MODEL.opsetImport) opset = opsetOf(pbf.readBytes()) ?? opset
    else if (field === MODEL.metadata) classes = classesOf(pbf.readBytes()) ?? classes
    else pbf.skip(pbf.type)
  }
  return { opset, producer: producer.filter(Boolean).join(' ').slice(0, MAX_PRODUCER_LENGTH) || null, classes }
}

const opsetOf = (bytes: Uint8Array): number | undefined => {
  const pbf = new PbfReader(bytes)
  const found = { domain: '', version: 0 }
  pbf.readFields((field, of) => {
    if (field === OPSET.domain) of.domain = pbf.readString()
    if (field === OPSET.version) of.version = pbf.readVarint()
  }, found)
  return found.domain === '' || found.domain === 'ai.onnx' ? found.version : undefined
}

const classesOf = (bytes: Uint8Array): readonly string[] | undefined => {
  const pbf = new PbfReader(bytes)
  const found = { key: '', value: '' }
  pbf.readFields((field, of) => {
    if (field === ENTRY.key) of.key = pbf.readString()
    if (field === ENTRY.value) of.value = pbf.readString()
  }, found)
  return found.key === 'names' && found.value.length <= MAX_NAMES_LENGTH ? namesIn(found.value) : undefined
}

/**
 * Everything in it has a bound: what a model says of itself must not take minutes to be read. What is longer is no
 * name.
 */
const NAMED = /(\d{1,4})\s{0,8}:\s{0,8}(['"])(.{0,200}?)\2\s{0,8}[,}]/g

/** As Python prints them: {0: 'person', 1: "driver's station"}. */
const namesIn = (text: string): readonly string[] => {
  const names: string[] = []
  for (const [, number, , name = ''] of text.matchAll(NAMED)) {
    if (Number(number) < MAX_CLASSES) names[Number(number)] = name.slice(0, MAX_CLASS_NAME_LENGTH)
  }
  return Array.from(names, (name, number) => name ?? String(number))
}
