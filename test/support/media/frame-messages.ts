// Pictures as messages of a WebSocket, as a client reads them by the format that the documents say.
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import WebSocket from 'ws'
import type { FrameResults } from '../../../machines/engine/frame-results.ts'
import { arrival } from '../until.ts'

/** One message. */
export interface FrameMessage {
  readonly timeUs: bigint
  readonly isPicture: boolean
  readonly isPlaceholder: boolean
  /** What was found in its frame; null: nothing is said of that. */
  readonly results: FrameResults | null
  /** Of the JSON. */
  readonly resultBytes: number
  readonly jpeg: Buffer
}

const HEAD_BYTES = 13

/** Fails when it is not exactly one whole packet. */
export const frameMessageIn = (message: Buffer): FrameMessage => {
  if (message.readUInt32BE(0) !== message.length - 4) throw new Error(`${message.length} bytes are no packet`)
  const flags = message.readUInt8(12)
  const resultBytes = flags & 8 ? message.readUInt32BE(HEAD_BYTES) : 0
  const resultsAt = flags & 8 ? HEAD_BYTES + 4 : HEAD_BYTES
  const jpegAt = resultsAt + resultBytes
  return {
    timeUs: message.readBigUInt64BE(4),
    isPicture: (flags & 1) > 0,
    isPlaceholder: (flags & 4) > 0,
    results: flags & 8 ? JSON.parse(message.toString('utf8', resultsAt, jpegAt)) : null,
    resultBytes,
    jpeg: message.subarray(jpegAt),
  }
}

/** Somebody who watches, until the test ends or they leave. */
export interface FrameWatcher {
  readonly socket: WebSocket
  readonly messages: FrameMessage[]
}

/** Opens the frames at an address (`http:`). told: called with each. */
export const watchFrames = async (
  t: Pick<TestContext, 'after'>,
  url: string,
  told: (message: FrameMessage) => void = () => {},
): Promise<FrameWatcher> => {
  const socket = new WebSocket(url.replace('http', 'ws'), { perMessageDeflate: false })
  t.after(() => socket.terminate())
  const messages: FrameMessage[] = []
  socket.on('message', (data: Buffer) => {
    const message = frameMessageIn(data)
    messages.push(message)
    told(message)
  })
  await arrival(`an open socket to ${url}`, once(socket, 'open'))
  return { socket, messages }
}
