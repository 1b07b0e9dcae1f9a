// What somebody sends who wants to cost others their time: little to send, much to deal with.

/** What somebody sends without end. */
export interface Flood {
  /** Sent once. */
  readonly first?: Buffer
  /** From then on without end. */
  readonly again: Buffer
  /** In frames, after the handshake. */
  readonly isWebSocket: boolean
  /** Takes what it is sent. */
  readonly reads: boolean
}

interface Side {
  /** Whose frames have a mask. */
  readonly isClient: boolean
  /** What is asked for. */
  readonly path: string
}

const BYTES = 128 * 1024 // at once
const [TEXT, BINARY, PING, PONG, GOES_ON, FINAL] = [1, 2, 9, 10, 0, 0x80]
const MASK = 0x80
const NOTHING: Buffer = Buffer.alloc(0)
const [LENGTH_16, LENGTH_64] = [126, 127]

/** A frame, with a mask of zeros where it has one. */
const frame = (isClient: boolean, first: number, payload = NOTHING, length = payload.length): Buffer => {
  const mark = isClient ? MASK : 0
  const mask = Buffer.alloc(isClient ? 4 : 0)
  if (length < LENGTH_16) return Buffer.concat([Buffer.from([first, mark | length]), mask, payload])
  if (length < 0x1_0000)
    return Buffer.concat([Buffer.from([first, mark | LENGTH_16, length >> 8, length]), mask, payload])
  const long = Buffer.alloc(8)
  long.writeBigUInt64BE(BigInt(length))
  return Buffer.concat([Buffer.from([first, mark | LENGTH_64]), long, mask, payload])
}

const many = (piece: Buffer | string): Buffer => {
  const bytes = Buffer.from(piece)
  return Buffer.concat(Array.from({ length: Math.ceil(BYTES / bytes.length) }, () => bytes))
}

const frames = ({ isClient }: Side, first: number, payload: Buffer = NOTHING): Flood => ({
  again: many(frame(isClient, first, payload)),
  isWebSocket: true,
  reads: true,
})

const requests = (text: string, reads = true): Flood => ({ again: many(text), isWebSocket: false, reads })

const SUBSCRIBE = '{"method":"subscribe","params":{"topics":[""],"subuid":1,"options":{"prefix":true}}}'
const TINY_VALUE = Buffer.from([0x94, 0, 0, 0, 0xc2]) // [0, 0, boolean, false]
const MAX_MESSAGE_BYTES = 60_000

const of = (piece: Buffer): Buffer => many(piece).subarray(0, MAX_MESSAGE_BYTES - (MAX_MESSAGE_BYTES % piece.length))

/** Live pictures have this between them. */
export const BOUNDARY = 'picture'

/** Every flood, by what it is of. */
export const FLOODS = {
  pings: (side) => frames(side, FINAL | PING),
  'pings that are long, and whose answers are not read': (side) => ({
    ...frames(side, FINAL | PING, Buffer.alloc(125)),
    reads: false,
  }),
  pongs: (side) => frames(side, FINAL | PONG),
  'empty texts': (side) => frames(side, FINAL | TEXT),
  'empty messages': (side) => frames(side, FINAL | BINARY),
  'empty fragments': (side) => ({ ...frames(side, GOES_ON), first: frame(side.isClient, TEXT) }),
  values: (side) => frames(side, FINAL | BINARY, of(TINY_VALUE)),
  subscriptions: (side) =>
    frames(side, FINAL | TEXT, Buffer.from(`[${Array.from({ length: 600 }, () => SUBSCRIBE).join(',')}]`)),
  'a message without an end': (side) => ({
    first: frame(side.isClient, FINAL | BINARY, NOTHING, 2 ** 40),
    again: Buffer.alloc(BYTES),
    isWebSocket: true,
    reads: true,
  }),
  'a text that is none': (side) => ({
    ...frames(side, FINAL | PONG),
    first: frame(side.isClient, FINAL | TEXT, Buffer.alloc(100, 0xff)),
  }),
  'empty pictures': () => requests(`--${BOUNDARY}\r\ncontent-type: image/jpeg\r\ncontent-length: 0\r\n\r\n\r\n`),
  requests: ({ path }) => requests(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`),
  'requests whose answers are not read': ({ path }) =>
    requests(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`, false),
  'requests with many headers': ({ path }) =>
    requests(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${'a:b\r\n'.repeat(1_000)}\r\n`),
  'a body in single bytes': ({ path }) => ({
    ...requests('1\r\n \r\n'),
    first: Buffer.from(
      `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n` +
        'transfer-encoding: chunked\r\n\r\n',
    ),
  }),
} as const satisfies Readonly<Record<string, (side: Side) => Flood>>

/** The name of a flood. */
export type FloodName = keyof typeof FLOODS
