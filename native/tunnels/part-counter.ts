// The parts of a multipart answer, found by counting: the head of each says how long it is, and its bytes are never
// looked at.
import { MAX_HEAD_BYTES, MAX_PICTURE_BYTES } from './limits.ts'

const [CR, LF] = [0x0d, 0x0a]
const END_OF_HEAD_BYTES = 4 // both, twice
const HEADER_LINE = /^[\w!#$%&'*+.^`|~-]+:[\t\x20-\x7e\x80-\xff]*$/
const TYPE_LINE = /^content-type:/i
const JPEG_LINE = /^content-type:[\t ]*image\/jpeg[\t ]*$/i
const LENGTH_LINE = /^content-length:[\t ]*(\d{1,15})[\t ]*$/i
/**
 * A head as this service writes it, read in one step: of the lines that count each once, in this order, and others
 * behind them. All other heads are read line by line.
 */
const OTHER_FIELD = String.raw`\r\n(?!content-)[\w!#$%&'*+.^${'`'}|~-]+:[\t\x20-\x7e\x80-\xff]*`
const DEFAULT_HEAD = new RegExp(
  String.raw`^content-type: image\/jpeg\r\ncontent-length: (\d{1,15})(?:${OTHER_FIELD})*$`,
  'i',
)

/**
 * Of one read, which has 256 KiB at most: as many would have 260 bytes each with their heads, and no picture is so
 * small. Each costs a write to every viewer, so empty ones would keep all others waiting.
 */
const MAX_PARTS_AT_ONCE = 1_000

/** Who is told of the parts. */
export interface PartSink {
  /** A part begins, whose head is whole and makes sense. */
  readonly begin: () => void
  /**
   * Bytes of the present part as they came, uncopied; all of them together are its head, what it holds, and the next
   * boundary.
   */
  readonly pass: (bytes: Buffer) => void
  /** The part is whole. */
  readonly end: () => void
}

/**
 * Where it stands: before the first boundary, in the head of a part, in what it holds, in the boundary behind it, or
 * behind the last one.
 */
type Place = 'opening' | 'head' | 'content' | 'boundary' | 'over'

/** Reads the body of one multipart answer, as it comes. */
export class PartCounter {
  readonly #sink: PartSink
  readonly #next: Buffer
  readonly #last: Buffer
  #place: Place = 'opening'
  #expected: Buffer // the boundary that comes next
  #matched = 0 // bytes of it
  #left = 0 // bytes of the content
  #head: Buffer = NOTHING // the beginning of one that is not whole

  /** boundary: as the media type names it, without the dashes before it. */
  constructor(boundary: string, sink: PartSink) {
    this.#sink = sink
    this.#next = Buffer.from(`\r\n--${boundary}\r\n`, 'latin1')
    this.#last = Buffer.from(`\r\n--${boundary}--`, 'latin1')
    this.#expected = Buffer.from(`--${boundary}\r\n`, 'latin1')
  }

  /** Whether something is begun and not whole. */
  get isWithin(): boolean {
    if (this.#place === 'head') return this.#head.length > 0
    return this.#place === 'opening' ? this.#matched > 0 : this.#place !== 'over'
  }

  /** Whether the last part was said to be the last one. */
  get isOver(): boolean {
    return this.#place === 'over'
  }

  /** Takes what came next. Returns why that makes no sense; nothing may be given to it after that. */
  take(chunk: Buffer): string | undefined {
    let at = 0 // of the chunk: where reading goes on
    let from = 0 // where that begins which belongs to the part and was not passed on
    let parts = 0
    while (at < chunk.length) {
      switch (this.#place) {
        case 'opening':
          if (!this.#isBoundary(chunk[at] as number)) return 'it does not begin with the boundary that its head names'
          at += 1
          if (this.#matched === this.#expected.length) this.#place = 'head'
          break
        case 'head': {
          from = at
          const read = this.#readHead(chunk, at)
          if (typeof read === 'string') return read
          at = read
          break
        }
        case 'content': {
          const taken = Math.min(this.#left, chunk.length - at)
          at += taken
          this.#left -= taken
          if (this.#left === 0) this.#place = 'boundary'
          break
        }
        case 'boundary': {
          const behind = this.#behindNext(chunk, at)
          if (behind > at) at = behind
          else if (this.#isBoundary(chunk[at] as number)) at += 1
          else return 'a part is not as long as its head says'
          if (this.#matched < this.#expected.length) break
          this.#sink.pass(from === 0 && at === chunk.length ? chunk : chunk.subarray(from, at))
          this.#sink.end()
          parts += 1
          if (parts > MAX_PARTS_AT_ONCE) return 'it sends more parts at once than there can be pictures'
          this.#place = this.#expected === this.#last ? 'over' : 'head'
          break
        }
        case 'over':
          return undefined // what is behind the last part means nothing
      }
    }
    if (this.#place === 'content' || this.#place === 'boundary')
      this.#sink.pass(from === 0 ? chunk : chunk.subarray(from))
    return undefined
  }

  /**
   * Takes the boundary between two parts where all of it is there, as it is nearly always. Returns where that ends; or
   * `at`.
   */
  #behindNext(chunk: Buffer, at: number): number {
    const next = this.#next
    if (this.#matched > 0 || chunk.length - at < next.length) return at
    for (let n = 0; n < next.length; n++) if (chunk[at + n] !== next[n]) return at
    this.#matched = next.length
    return at + next.length
  }

  /** Takes one byte of a boundary. That of the last part differs from the others in its end. */
  #isBoundary(byte: number): boolean {
    const isEnd = this.#expected === this.#next && this.#matched === this.#next.length - 2
    if (isEnd && byte === this.#last[this.#matched]) this.#expected = this.#last
    if (byte !== this.#expected[this.#matched]) return false
    this.#matched += 1
    return true
  }

  /**
   * Takes of a head what is there, and begins the part when it is whole. Returns where that ends, or why it makes no
   * sense.
   */
  #readHead(chunk: Buffer, at: number): number | string {
    const came = this.#head.length
    const most = Math.min(chunk.length, at + MAX_HEAD_BYTES - came)
    const whole = came === 0 ? chunk : Buffer.concat([this.#head, chunk.subarray(at, most)])
    const start = came === 0 ? at : 0
    const stop = came === 0 ? most : whole.length
    const end = endOfHead(whole, Math.max(start, start + came - END_OF_HEAD_BYTES + 1), stop)
    if (end < 0) {
      if (stop - start === MAX_HEAD_BYTES) return `the head of a part has no end within ${MAX_HEAD_BYTES} bytes`
      this.#head = came === 0 ? Buffer.from(whole.subarray(start, stop)) : whole
      return chunk.length
    }
    const length = lengthIn(whole.toString('latin1', start, end))
    if (typeof length === 'string') return length
    this.#sink.begin()
    if (came > 0) this.#sink.pass(this.#head)
    this.#head = NOTHING
    this.#left = length
    this.#expected = this.#next
    this.#matched = 0
    this.#place = length === 0 ? 'boundary' : 'content'
    return at + end - start + END_OF_HEAD_BYTES - came
  }
}

const NOTHING = Buffer.alloc(0)

/**
 * Where the empty line behind a head begins, between two places; or -1. A loop, since what is called once a picture is
 * never at hand: `indexOf` takes 12 us of each.
 */
const endOfHead = (bytes: Buffer, from: number, to: number): number => {
  for (let at = from; at + END_OF_HEAD_BYTES <= to; at++)
    if (bytes[at] === CR && bytes[at + 1] === LF && bytes[at + 2] === CR && bytes[at + 3] === LF) return at
  return -1
}

/** How many bytes a part holds; or why nobody can tell. */
const lengthIn = (head: string): number | string => {
  const usual = DEFAULT_HEAD.exec(head)
  const length = usual ? Number(usual[1]) : lengthByLines(head)
  if (typeof length === 'string' || length <= MAX_PICTURE_BYTES) return length
  return `a part is to have ${length} bytes; at most ${MAX_PICTURE_BYTES} are passed on`
}

const lengthByLines = (head: string): number | string => {
  let length: number | undefined
  for (const line of head.split('\r\n')) {
    if (!HEADER_LINE.test(line)) return 'the head of a part has a line that is no header'
    if (TYPE_LINE.test(line) && !JPEG_LINE.test(line)) return 'a part is no JPEG'
    const said = LENGTH_LINE.exec(line)?.[1]
    if (said === undefined) continue
    if (length !== undefined && length !== Number(said)) return 'the head of a part says two lengths'
    length = Number(said)
  }
  return length ?? 'the head of a part does not say how long it is (Content-Length)'
}
