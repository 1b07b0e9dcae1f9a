// How the kernel lays out the samples of an IIO buffer: which channel lies where, of which type, and the numbers in it.

/** The type of a channel, as `le:s16/16>>0` says it. */
export interface ScanType {
  readonly isBigEndian: boolean
  readonly isSigned: boolean
  /** That count. */
  readonly bits: number
  /** That it takes: 8, 16, 32 or 64. */
  readonly storageBits: number
  readonly shift: number
  /** How many of them lie in a row; only the first is read. */
  readonly repeat: number
}

const FORM = /^(be|le):([su])(\d{1,2})\/(\d{1,3})(?:X(\d{1,2}))?(?:>>(\d{1,2}))?$/
const STORAGE: ReadonlySet<number> = new Set([8, 16, 32, 64])

/** Reads one; null: it is of no form that is known. */
export const parseScanType = (text: string): ScanType | null => {
  const [, endian, sign, bits, storage, repeat = '1', shift = '0'] = FORM.exec(text.trim()) ?? []
  if (endian === undefined) return null
  const type = {
    isBigEndian: endian === 'be',
    isSigned: sign === 's',
    bits: Number(bits),
    storageBits: Number(storage),
    shift: Number(shift),
    repeat: Math.max(1, Number(repeat)),
  }
  const fits = STORAGE.has(type.storageBits) && type.bits >= 1 && type.bits + type.shift <= type.storageBits
  return fits ? type : null
}

/** A channel that is in the samples. */
export interface ScanChannel {
  /** `accel_x`, `anglvel_z`, `timestamp`. */
  readonly name: string
  readonly index: number
  readonly type: ScanType
}

/** Where a channel lies within a sample. */
export interface PlacedChannel extends ScanChannel {
  /** Bytes from the start of a sample. */
  readonly offset: number
}

/** A whole sample. */
export interface ScanLayout {
  readonly bytes: number
  readonly channels: readonly PlacedChannel[]
}

const BITS_IN_BYTE = 8
const aligned = (offset: number, to: number): number => Math.ceil(offset / to) * to

/** In the order of their indices, each aligned to its size, and the whole to the largest. */
export const layoutOf = (channels: readonly ScanChannel[]): ScanLayout => {
  let [offset, largest] = [0, 1]
  const placed = [...channels]
    .sort((a, b) => a.index - b.index)
    .map((channel) => {
      const bytes = (channel.type.storageBits / BITS_IN_BYTE) * channel.type.repeat
      const at = aligned(offset, bytes)
      offset = at + bytes
      largest = Math.max(largest, bytes)
      return { ...channel, offset: at }
    })
  return { bytes: aligned(offset, largest), channels: placed }
}

/** The number of a channel in the sample that begins at this byte, as it would stand in its `_raw` file. */
export const rawAt = (view: DataView, sample: number, { offset, type }: PlacedChannel): number => {
  const at = sample + offset
  const isLittle = !type.isBigEndian
  if (type.storageBits === 64) return wideAt(view, at, type)
  const stored =
    type.storageBits === 16
      ? view.getUint16(at, isLittle)
      : type.storageBits === 8
        ? view.getUint8(at)
        : view.getUint32(at, isLittle)
  const value = (stored >>> type.shift) & (type.bits === 32 ? 0xffffffff : 2 ** type.bits - 1)
  const away = 32 - type.bits
  return type.isSigned ? (value << away) >> away : value >>> 0
}

const wideAt = (view: DataView, at: number, { isBigEndian, isSigned, bits, shift }: ScanType): number => {
  if (bits === 64 && isSigned) {
    // times: as exact as a number can be, and nothing is allocated
    const high = view.getInt32(isBigEndian ? at : at + 4, !isBigEndian)
    return high * 2 ** 32 + view.getUint32(isBigEndian ? at + 4 : at, !isBigEndian)
  }
  const stored = view.getBigUint64(at, !isBigEndian) >> BigInt(shift)
  return Number(isSigned ? BigInt.asIntN(bits, stored) : BigInt.asUintN(bits, stored))
}

/** A channel's numbers in the unit of its kind: (raw + offset) · scale. */
export interface Scaling {
  readonly offset: number
  readonly scale: number
}

/** The largest number that it can say, in its unit. */
export const rangeOf = ({ bits, isSigned }: ScanType, { scale }: Scaling): number =>
  Math.abs(scale) * 2 ** (isSigned ? bits - 1 : bits)
