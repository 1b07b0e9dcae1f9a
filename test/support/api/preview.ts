// A viewer of live pictures, as a browser is one.
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { get as getOverTls } from 'node:https'
import type { Readable } from 'node:stream'
import type { TestContext } from 'node:test'
import { arrival } from '../until.ts'

/** A part of the answer: one picture, or what stands for pictures that do not come. */
export interface ShownPicture {
  /** NaN for the latter. */
  readonly seq: number
  /** Unix time. */
  readonly timeS: number
  /** CLOCK_MONOTONIC of the device that took it. */
  readonly capturedUs: number
  readonly isPlaceholder: boolean
  readonly jpeg: Buffer
}

/** What a viewer has seen so far. isOpen: its connection stands. */
export interface Viewer {
  readonly response: IncomingMessage
  readonly shown: readonly ShownPicture[]
  readonly isOpen: () => boolean
}

/**
 * Opens a preview and reads every part by its Content-Length, until the test ends. localAddress: of this machine, from
 * which it comes.
 */
export const viewer = async (t: TestContext, url: string, localAddress?: string): Promise<Viewer> => {
  const request = url.startsWith('https:')
    ? getOverTls(url, { agent: false, rejectUnauthorized: false })
    : get(url, { agent: false, ...(localAddress !== undefined && { localAddress }) })
  request.on('error', () => {})
  t.after(() => request.destroy())
  const [response] = (await arrival(`an answer from ${url}`, once(request, 'response'))) as [IncomingMessage]
  const shown = parts(response)
  let isOpen = true
  response.on('error', () => {})
  response.on('close', () => {
    isOpen = false
  })
  return { response, shown, isOpen: () => isOpen }
}

/** Reads the parts of an answer as they come. */
export const parts = (answer: Readable, boundary = '--vedette-picture\r\n'): readonly ShownPicture[] => {
  const shown: ShownPicture[] = []
  let chunks: Buffer[] = []
  let [bytes, needed] = [0, 0] // a part of megabytes comes in many pieces
  answer.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes < needed) return
    let waiting = Buffer.concat(chunks)
    for (let part = firstPart(waiting, boundary); part; part = firstPart(waiting, boundary)) {
      needed = part.end
      if (!part.picture) break
      shown.push(part.picture)
      waiting = waiting.subarray(part.end)
      needed = 0
    }
    chunks = [waiting]
    bytes = waiting.length
  })
  return shown
}

/**
 * Trusts the length of each part: what follows is the next boundary, or the answer is broken. picture: none while it is
 * not here whole.
 */
const firstPart = (
  bytes: Buffer,
  boundary: string,
): { readonly picture: ShownPicture | undefined; readonly end: number } | undefined => {
  const body = bytes.indexOf('\r\n\r\n') + 4
  if (body < 4) return undefined
  const head = bytes.toString('latin1', 0, body)
  if (!head.replace(/^\r\n/, '').startsWith(`${boundary}Content-Type: image/jpeg\r\n`))
    throw new Error(`no part begins with ${head}`)
  const header = (name: string): number => Number(new RegExp(`^${name}: ([0-9.]+)\\r$`, 'm').exec(head)?.[1])
  const end = body + header('Content-Length')
  if (!(end <= bytes.length)) return { picture: undefined, end }
  const picture = {
    seq: header('X-Sequence'),
    timeS: header('X-Timestamp'),
    capturedUs: header('X-Captured-Us'),
    isPlaceholder: header('X-Placeholder') === 1,
    jpeg: Buffer.from(bytes.subarray(body, end)),
  }
  return { picture, end }
}

/** Without those that stand for others: a stream that a busy machine keeps from running shows them, too. */
export const pictures = (shown: readonly ShownPicture[]): readonly ShownPicture[] =>
  shown.filter(({ isPlaceholder }) => !isPlaceholder)

/** Whether it begins and ends as a JPEG does. */
export const isJpeg = (bytes: Uint8Array): boolean =>
  bytes.length > 4 && bytes[0] === 0xff && bytes[1] === 0xd8 && bytes.at(-2) === 0xff && bytes.at(-1) === 0xd9
