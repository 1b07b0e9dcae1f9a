// A viewer of live pictures, as a browser is one.
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { TestContext } from 'node:test'
import { arrival } from './until.ts'

/** A part of the answer: one picture. */
export interface ShownPicture {
  readonly seq: number
  readonly jpeg: Buffer
}

/** What a viewer has seen so far. isOpen: its connection stands. */
export interface Viewer {
  readonly response: IncomingMessage
  readonly shown: readonly ShownPicture[]
  readonly isOpen: () => boolean
}

/** Opens a preview and reads every part by its Content-Length, until the test ends. */
export const viewer = async (t: TestContext, url: string): Promise<Viewer> => {
  const request = get(url, { agent: false })
  request.on('error', () => {})
  t.after(() => request.destroy())
  const [response] = (await arrival(`an answer from ${url}`, once(request, 'response'))) as [IncomingMessage]
  const shown: ShownPicture[] = []
  let waiting = Buffer.alloc(0)
  let isOpen = true
  response.on('error', () => {})
  response.on('close', () => {
    isOpen = false
  })
  response.on('data', (chunk: Buffer) => {
    waiting = Buffer.concat([waiting, chunk])
    for (let part = firstPart(waiting); part; part = firstPart(waiting)) {
      shown.push(part.picture)
      waiting = waiting.subarray(part.end)
    }
  })
  return { response, shown, isOpen: () => isOpen }
}

const firstPart = (bytes: Buffer): { readonly picture: ShownPicture; readonly end: number } | undefined => {
  const body = bytes.indexOf('\r\n\r\n') + 4
  if (body < 4) return undefined
  const head = bytes.toString('latin1', 0, body)
  const end = body + Number(/^Content-Length: (\d+)\r$/m.exec(head)?.[1])
  if (!(end <= bytes.length)) return undefined
  return { picture: { seq: Number(/^X-Sequence: (\d+)\r$/m.exec(head)?.[1]), jpeg: bytes.subarray(body, end) }, end }
}

/** Whether it begins and ends as a JPEG does. */
export const isJpeg = (bytes: Uint8Array): boolean =>
  bytes.length > 4 && bytes[0] === 0xff && bytes[1] === 0xd8 && bytes.at(-2) === 0xff && bytes.at(-1) === 0xd9
