// WebSocket as bytes, for tests in which one side says what no library would.
import { createHash } from 'node:crypto'

/** opcode: 2 binary, 1 text, 0 goes on, 8 close, 9 ping. */
export interface FrameParts {
  readonly opcode?: number
  readonly isLast?: boolean
}

/** A frame as a server sends it. */
export const frame = (content: Uint8Array, { opcode = 2, isLast = true }: FrameParts = {}): Buffer => {
  const { length } = content
  const first = (isLast ? 0x80 : 0) | opcode
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10)
  head[0] = first
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127
  if (head.length === 4) head.writeUInt16BE(length, 2)
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, content])
}

/** The answer that opens a WebSocket which was asked for with this head. */
export const openingOf = (request: string, more = ''): string => {
  const key = /sec-websocket-key: *(\S+)/i.exec(request)?.[1]
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
  return [
    'HTTP/1.1 101 Switching Protocols',
    'upgrade: websocket',
    'connection: upgrade',
    `sec-websocket-accept: ${accept}`,
    `${more}\r\n`,
  ].join('\r\n')
}
