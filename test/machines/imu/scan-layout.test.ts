// Samples of IIO buffers, of every type that the kernel can say.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SampleStream } from '../../../machines/imu/sample-stream.ts'
import { layoutOf, parseScanType, rawAt, type ScanType } from '../../../machines/imu/scan-layout.ts'
import { mulberry32 } from '../../support/mulberry32.ts'

const typeOf = (text: string): ScanType => {
  const type = parseScanType(text)
  assert.ok(type, text)
  return type
}

const channel = (name: string, index: number, type: string) => ({ name, index, type: typeOf(type) })

test('the sample of the dummy driver is laid out as it was seen: four of 16 bits, and the time at 8', () => {
  const layout = layoutOf([
    channel('timestamp', 5, 'le:s64/64>>0'),
    channel('voltage0', 0, 'le:u13/16>>0'),
    channel('accel_x', 3, 'le:s16/16>>0'),
    channel('voltage1-voltage2', 1, 'le:s12/16>>0'),
    channel('voltage3-voltage4', 2, 'le:s11/16>>0'),
  ])

  assert.equal(layout.bytes, 16)
  assert.deepEqual(
    layout.channels.map(({ name, offset }) => [name, offset]),
    [
      ['voltage0', 0],
      ['voltage1-voltage2', 2],
      ['voltage3-voltage4', 4],
      ['accel_x', 6],
      ['timestamp', 8],
    ],
  )
})

test('six of 16 bits leave a gap before the time, and one of 32 bits is aligned', () => {
  const six = [0, 1, 2, 3, 4, 5].map((index) => channel(`c${index}`, index, 'be:s16/16>>0'))

  assert.deepEqual(layoutOf([...six, channel('timestamp', 6, 'le:s64/64>>0')]).bytes, 24)
  assert.deepEqual(
    layoutOf([channel('a', 0, 'le:u8/8>>0'), channel('b', 1, 'le:s24/32>>8')]).channels.map(({ offset }) => offset),
    [0, 4],
  )
  assert.equal(layoutOf([channel('quat', 0, 'le:s16/16X4>>0'), channel('c', 1, 'le:s16/16>>0')]).bytes, 16)
})

test('a type that is none is not read', () => {
  for (const text of ['', 'le:s16', 'me:s16/16>>0', 'le:s16/24>>0', 'le:s12/16>>8', 'le:s0/16>>0', 'le:s99/64>>0'])
    assert.equal(parseScanType(text), null, text)
})

test('a number that was laid down in any type is read as it was', () => {
  const chance = mulberry32(3)
  for (const storage of [8, 16, 32, 64])
    for (let n = 0; n < 200; n++) {
      const bits = 1 + Math.floor(chance() * Math.min(storage, 52))
      const shift = Math.floor(chance() * (storage - bits + 1))
      const [isSigned, isBigEndian] = [chance() < 0.5, chance() < 0.5]
      const span = 2 ** bits
      const value = Math.floor(chance() * span) - (isSigned ? span / 2 : 0)
      const text = `${isBigEndian ? 'be' : 'le'}:${isSigned ? 's' : 'u'}${bits}/${storage}>>${shift}`
      // what lies around the bits is anything
      const noise = BigInt.asUintN(storage, BigInt(Math.floor(chance() * 2 ** 32)) * 0x1_0000_0001n)
      const mask = ((1n << BigInt(bits)) - 1n) << BigInt(shift)
      const stored = (noise & ~mask) | ((BigInt.asUintN(bits, BigInt(value)) << BigInt(shift)) & mask)
      const bytes = new Uint8Array(8 + storage / 8)
      for (let at = 0; at < storage / 8; at++) {
        const byte = Number((stored >> BigInt(8 * at)) & 0xffn)
        bytes[8 + (isBigEndian ? storage / 8 - 1 - at : at)] = byte
      }

      const read = rawAt(new DataView(bytes.buffer), 3, { ...channel('c', 0, text), offset: 5 })

      assert.equal(read + 0, value + 0, text)
    }
})

test('a stream that is cut anywhere gives the same samples', () => {
  const layout = layoutOf([channel('a', 0, 'le:u16/16>>0'), channel('timestamp', 1, 'le:s64/64>>0')])
  const count = 50
  const bytes = new Uint8Array(layout.bytes * count)
  for (let n = 0; n < count; n++) new DataView(bytes.buffer).setUint16(n * layout.bytes, n, true)
  const chance = mulberry32(11)

  for (let round = 0; round < 100; round++) {
    const stream = new SampleStream(layout)
    const seen: number[] = []
    for (let from = 0; from < bytes.length; ) {
      const to = from + 1 + Math.floor(chance() * 40)
      stream.feed(bytes.slice(from, to), (view, at) => seen.push(view.getUint16(at, true)))
      from = to
    }
    assert.deepEqual(
      seen,
      Array.from({ length: count }, (_, n) => n),
    )
  }
})
