// Live video as a client reads it, by the format that the documents say.

import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { get as getOverTls } from 'node:https'
import type { TestContext } from 'node:test'
import { arrival } from '../until.ts'

/** timeUs: since 1970. */
export interface Packet {
  readonly timeUs: bigint
  readonly isKey: boolean
  readonly hasConfiguration: boolean
  readonly isPlaceholder: boolean
  /** By which its frame is known among results; null: it does not say. */
  readonly capturedUs: number | null
  readonly payload: Buffer
}

/** Cuts what came into whole packets. */
export const packetsIn = (bytes: Buffer): readonly Packet[] => {
  const packets: Packet[] = []
  for (let at = 0; at + 4 <= bytes.length; ) {
    const end = at + 4 + bytes.readUInt32BE(at)
    if (end > bytes.length) break
    const flags = bytes.readUInt8(at + 12)
    packets.push({
      timeUs: bytes.readBigUInt64BE(at + 4),
      isKey: (flags & 1) > 0,
      hasConfiguration: (flags & 2) > 0,
      isPlaceholder: (flags & 4) > 0,
      capturedUs: flags & 16 ? Number(bytes.readBigUInt64BE(at + 13)) : null,
      payload: bytes.subarray(flags & 16 ? at + 21 : at + 13, end),
    })
    at = end
  }
  return packets
}

/** Somebody who watches, until the test ends or he leaves. */
export interface VideoViewer {
  readonly response: IncomingMessage
  readonly packets: () => readonly Packet[]
  readonly isOpen: () => boolean
  readonly leave: () => void
}

/** Opens the video of a stream. localAddress: of this machine, from which it comes. */
export const videoViewer = async (t: TestContext, url: string, localAddress?: string): Promise<VideoViewer> => {
  const request = url.startsWith('https:')
    ? getOverTls(url, { agent: false, rejectUnauthorized: false })
    : get(url, { agent: false, ...(localAddress !== undefined && { localAddress }) })
  const leave = () => void request.destroy()
  request.on('error', () => {})
  t.after(leave)
  const [response] = (await arrival(`an answer from ${url}`, once(request, 'response'))) as [IncomingMessage]
  const chunks: Buffer[] = []
  let isOpen = true
  response.on('error', () => {})
  response.on('data', (chunk: Buffer) => chunks.push(chunk))
  response.on('close', () => {
    isOpen = false
  })
  return { response, packets: () => packetsIn(Buffer.concat(chunks)), isOpen: () => isOpen, leave }
}
