// MessagePack (https://github.com/msgpack/msgpack/blob/master/spec.md), as far as the wire of plugins has it: JSON, and
// bytes beside it.

/** A frame: its length, then a list of a message and its bytes. */
export const encodeFrame = (message, bytes) => {
  const out = new Writer()
  out.byte(bytes ? 0x92 : 0x91)
  out.value(message)
  if (bytes) {
    out.byte(0xc6)
    out.number(4, (view, at) => view.setUint32(at, bytes.length))
    out.bytes(bytes)
  }
  const frame = Buffer.allocUnsafe(4 + out.length)
  frame.writeUInt32LE(out.length, 0)
  frame.set(out.taken(), 4)
  return frame
}

class Writer {
  #room = Buffer.allocUnsafe(1024)
  length = 0

  taken() {
    return this.#room.subarray(0, this.length)
  }

  byte(value) {
    this.#need(1)
    this.#room[this.length++] = value
  }

  bytes(value) {
    this.#need(value.length)
    this.#room.set(value, this.length)
    this.length += value.length
  }

  number(size, write) {
    this.#need(size)
    write(new DataView(this.#room.buffer, this.#room.byteOffset, this.#room.byteLength), this.length)
    this.length += size
  }

  value(value) {
    if (value === null || value === undefined) this.byte(0xc0)
    else if (typeof value === 'boolean') this.byte(value ? 0xc3 : 0xc2)
    else if (typeof value === 'number') this.#numeric(value)
    else if (typeof value === 'string') {
      const text = Buffer.from(value)
      this.#head(text.length, 0xa0, 31, [0xd9, 0xda, 0xdb])
      this.bytes(text)
    } else if (Array.isArray(value) || ArrayBuffer.isView(value)) {
      const list = Array.from(value)
      this.#head(list.length, 0x90, 15, [undefined, 0xdc, 0xdd])
      for (const each of list) this.value(each)
    } else if (typeof value === 'object') {
      const entries = Object.entries(value).filter(([, each]) => each !== undefined)
      this.#head(entries.length, 0x80, 15, [undefined, 0xde, 0xdf])
      for (const [key, each] of entries) {
        this.value(key)
        this.value(each)
      }
    } else throw new TypeError(`a ${typeof value} cannot be sent; send numbers, texts, lists and objects`)
  }

  #numeric(value) {
    if (Number.isInteger(value) && value >= -32 && value < 128) this.byte(value & 0xff)
    else if (Number.isInteger(value) && Math.abs(value) < 2 ** 31) {
      this.byte(0xd2)
      this.number(4, (view, at) => view.setInt32(at, value))
    } else {
      this.byte(0xcb)
      this.number(8, (view, at) => view.setFloat64(at, value))
    }
  }

  #head(count, fixed, most, [of8, of16, of32]) {
    if (count <= most) this.byte(fixed | count)
    else if (of8 !== undefined && count < 0x100) {
      this.byte(of8)
      this.byte(count)
    } else if (count < 0x1_0000) {
      this.byte(of16)
      this.number(2, (view, at) => view.setUint16(at, count))
    } else {
      this.byte(of32)
      this.number(4, (view, at) => view.setUint32(at, count))
    }
  }

  #need(count) {
    if (this.length + count <= this.#room.length) return
    const larger = Buffer.allocUnsafe(2 * (this.length + count))
    larger.set(this.taken())
    this.#room = larger
  }
}

/** The value in these bytes. */
export const unpack = (bytes) => new Reader(bytes).value()

class Reader {
  #bytes
  #view
  #at = 0

  constructor(bytes) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  value() {
    const first = this.#view.getUint8(this.#at++)
    if (first < 0x80) return first
    if (first >= 0xe0) return first - 0x100
    if (first < 0x90) return this.#map(first & 0x0f)
    if (first < 0xa0) return this.#list(first & 0x0f)
    if (first < 0xc0) return this.#text(first & 0x1f)
    switch (first) {
      case 0xc0:
        return null
      case 0xc2:
        return false
      case 0xc3:
        return true
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return Uint8Array.from(this.#take(this.#count(first - 0xc4)))
      case 0xca:
        return this.#number(4, 'getFloat32')
      case 0xcb:
        return this.#number(8, 'getFloat64')
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.#count(first - 0xcc)
      case 0xcf:
        return Number(this.#number(8, 'getBigUint64'))
      case 0xd0:
        return this.#number(1, 'getInt8')
      case 0xd1:
        return this.#number(2, 'getInt16')
      case 0xd2:
        return this.#number(4, 'getInt32')
      case 0xd3:
        return Number(this.#number(8, 'getBigInt64'))
      case 0xd4:
        this.#at += 2 // JavaScript's undefined
        return undefined
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#text(this.#count(first - 0xd9))
      case 0xdc:
      case 0xdd:
        return this.#list(this.#count(first - 0xdb))
      case 0xde:
      case 0xdf:
        return this.#map(this.#count(first - 0xdd))
      default:
        throw new RangeError(`the byte 0x${first.toString(16)} begins nothing here`)
    }
  }

  #number(size, read) {
    const value = this.#view[read](this.#at)
    this.#at += size
    return value
  }

  #count(width) {
    return this.#number(1 << width, ['getUint8', 'getUint16', 'getUint32'][width])
  }

  #take(count) {
    this.#at += count
    return this.#bytes.subarray(this.#at - count, this.#at)
  }

  #text(count) {
    return Buffer.from(this.#take(count)).toString('utf8')
  }

  #list(count) {
    return Array.from({ length: count }, () => this.value())
  }

  #map(count) {
    const entries = []
    for (let n = 0; n < count; n += 1) entries.push([this.value(), this.value()])
    return Object.fromEntries(entries)
  }
}
