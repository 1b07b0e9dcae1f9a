// Nodes of pipelines in JavaScript: a function that is called for each picture.
//
//   import { node } from 'vedette-plugin/node'
//
//   node.run(({ image }) => ({ values: { first: image.data[0] } }))
import { readSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'

const SOCKET = 3
const MEMORY = 4
const HEAD_BYTES = 16
const [START, REQUEST, PARAMS, READY, ANSWER, FAILURE] = [0, 1, 2, 16, 17, 18]
const FORMATS = ['gray', 'colour', 'mask']
const INPUTS_AT = 64
const INPUT_BYTES = 128
const OUTPUT_BYTES = 64
const MAX_SENTENCE_BYTES = 1000

/** Rows whose places are pixels of the camera's picture, not of the one that was given. */
class InSource {
  constructor(rows) {
    this.rows = rows
  }
}

/** undefined: the other side has closed. */
const receive = () => {
  const head = exactly(HEAD_BYTES)
  if (!head) return undefined
  const kind = head.readUInt32LE(0)
  const size = head.readUInt32LE(4)
  return { kind, number: head.readBigUInt64LE(8), body: size === 0 ? '' : String(exactly(size)) }
}

const exactly = (size) => {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at < size; ) {
    const got = readSync(SOCKET, bytes, at, size - at, null)
    if (got === 0) return undefined
    at += got
  }
  return bytes
}

const send = (kind, number, text = '') => {
  const body = Buffer.from(text)
  const message = Buffer.alloc(HEAD_BYTES + body.length)
  message.writeUInt32LE(kind, 0)
  message.writeUInt32LE(body.length, 4)
  message.writeBigUInt64LE(number, 8)
  body.copy(message, HEAD_BYTES)
  for (let at = 0; at < message.length; ) at += writeSync(SOCKET, message, at)
}

const sentenceOf = (error) =>
  Buffer.from(String(error?.message ?? error))
    .subarray(0, MAX_SENTENCE_BYTES)
    .toString()

/** The memory, and where everything stands in it. */
class Memory {
  constructor(order) {
    const { map } = createRequire(import.meta.url)(process.env.VEDETTE_SHARED_MEMORY)
    this.order = order
    this.buffer = map(MEMORY, order.memory_bytes)
    this.bytes = new Uint8Array(this.buffer)
    this.words = new DataView(this.buffer)
  }

  read() {
    const { words, order } = this
    const inputs = {
      seq: words.getFloat64(16, true),
      captured_us: words.getFloat64(24, true),
      width_px: words.getFloat64(32, true),
      height_px: words.getFloat64(40, true),
      /** Room for a picture that is given at a port: what is written there is not copied. */
      room: (port, width, height) => ({ data: this.room(this.portOf(port).port, width, height), width, height }),
    }
    for (const [n, port] of order.inputs.entries()) inputs[port.name] = this.readPort(port, INPUTS_AT + n * INPUT_BYTES)
    return inputs
  }

  readPort({ kind, at, fields }, head) {
    const { words } = this
    if (kind !== 'image') return this.rows(words.getUint32(head + 20, true), fields, at)
    const [width, height] = [words.getUint32(head, true), words.getUint32(head + 4, true)]
    const to_source = Array.from({ length: 9 }, (_, n) => words.getFloat64(head + 32 + 8 * n, true))
    const size = Number(words.getBigUint64(head + 24, true))
    return {
      width,
      height,
      format: FORMATS[words.getUint32(head + 12, true)],
      data: new Uint8Array(this.buffer, at, size),
      to_source,
      is_bent: words.getUint32(head + 16, true) !== 0,
    }
  }

  rows(count, fields, at) {
    const numbers = new Float64Array(this.buffer, at, count * fields.length)
    return Array.from({ length: count }, (_, row) =>
      Object.fromEntries(fields.map((field, n) => [field, numbers[row * fields.length + n]])),
    )
  }

  portOf(name) {
    const n = this.order.outputs.findIndex((port) => port.name === name)
    if (n < 0) throw new Error(`it gives ${name}; its outputs are ${this.order.outputs.map((each) => each.name)}`)
    return { n, port: this.order.outputs[n] }
  }

  channelsOf({ format }) {
    if (format !== 'same') return format === 'colour' ? 3 : 1
    const first = this.order.inputs.findIndex(({ kind }) => kind === 'image')
    return FORMATS[this.words.getUint32(INPUTS_AT + first * INPUT_BYTES + 12, true)] === 'colour' ? 3 : 1
  }

  room(port, width, height) {
    const size = width * height * this.channelsOf(port)
    if (!(size > 0 && size <= port.bytes)) throw new Error(`a picture of ${width}x${height} pixels has no room`)
    return new Uint8Array(this.buffer, port.at, size)
  }

  write(number, given) {
    for (const name of Object.keys(given)) this.portOf(name)
    const { answer_at, outputs } = this.order
    this.words.setBigUint64(answer_at, number, true)
    for (const [n, port] of outputs.entries()) {
      const head = this.writePort(port, given[port.name])
      for (const [at, word] of head.entries())
        this.words.setUint32(answer_at + 64 + n * OUTPUT_BYTES + 4 * at, word, true)
    }
  }

  /** width, height, stride, in_source, rows, bytes. */
  writePort(port, value) {
    if (port.kind === 'image') return this.writePicture(port, value)
    if (port.kind === 'values') {
      const text = Buffer.from(value === undefined || value === null ? '' : JSON.stringify(value))
      return [0, 0, 0, 0, 0, this.put(port, text)]
    }
    const isInSource = value instanceof InSource
    const rows = (isInSource ? value.rows : value) ?? []
    const numbers = Float64Array.from(rows.flatMap((row) => port.fields.map((field) => Number(row[field]))))
    return [0, 0, 0, Number(isInSource), rows.length, this.put(port, new Uint8Array(numbers.buffer))]
  }

  writePicture(port, value) {
    if (!value) throw new Error(`it gives no picture ${port.name}`)
    const { data, width, height } = value
    const room = this.room(port, width, height)
    if (data.length !== room.length) throw new Error(`the picture ${port.name} has ${data.length} bytes`)
    if (data.buffer !== this.buffer || data.byteOffset !== port.at) room.set(data)
    return [width, height, width * this.channelsOf(port), 0, 0, room.length]
  }

  put(port, bytes) {
    if (bytes.length > port.bytes) throw new Error(`it gives ${bytes.length} bytes; ${port.bytes} at most`)
    this.bytes.set(bytes, port.at)
    return bytes.length
  }
}

/**
 * Calls `fn(inputs, params)` for each picture, until the service has no use for it any more.
 *
 * inputs: by the names of the ports a picture ({ width, height, format, data, to_source, is_bent }; data: a Uint8Array,
 * not copied, over which the next picture is written) or rows; and seq, captured_us, width_px, height_px of the frame.
 * It returns, or promises, an object: for a port of pictures { data, width, height }, for `values` an object, for rows a
 * list. What is left out is empty. Places are pixels of the first picture that it was given, or of the camera's for
 * `node.inSource(rows)`. While it waits for the next picture nothing else of this program runs.
 *
 * prepare: called with the parameters before the first picture. labels: names of classes, by the label of rows. What a
 * call throws costs that picture this step's results, and is shown as a warning.
 */
const run = async (fn, { prepare, labels = [] } = {}) => {
  const begun = receive()
  if (begun?.kind !== START) throw new Error('this program is started by the service, as a node of a pipeline')
  const order = JSON.parse(begun.body)
  const memory = new Memory(order)
  let { timeout_ms: _, ...params } = order.params
  try {
    await prepare?.(params)
  } catch (error) {
    send(FAILURE, 0n, sentenceOf(error))
    throw error
  }
  send(READY, 0n, JSON.stringify({ labels }))
  for (let message = receive(); message; message = receive()) {
    if (message.kind === PARAMS) params = JSON.parse(message.body)
    if (message.kind !== REQUEST) continue
    try {
      const given = fn(memory.read(), params)
      memory.write(message.number, (given instanceof Promise ? await given : given) ?? {})
    } catch (error) {
      send(FAILURE, message.number, sentenceOf(error))
      continue
    }
    send(ANSWER, message.number)
  }
  process.exit(0)
}

/** What a node is made of. */
export const node = { run, inSource: (rows) => new InSource(rows) }
