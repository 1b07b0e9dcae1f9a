// One look at the other vision product: its page is told all its cameras over a WebSocket, and so are we. Where that
// does not work, the ports are looked at on which it serves pictures.
import type { LookupAddress } from 'node:dns'
import { connect, type Socket } from 'node:net'
import { Unpackr } from 'msgpackr'
import { WebSocket } from 'ws'
import type { BaseUrl } from '../../machines/discovery/base-url.ts'
import { baseUrlOf } from '../../machines/discovery/base-url.ts'
import {
  FIRST_STREAM_PORT,
  readVisionMessage,
  STREAM_PORTS,
  streamAtPort,
  type VisionSeen,
} from '../../machines/discovery/vision-streams.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { addressText } from '../../machines/nt4/target.ts'
import { PONGS } from '../../machines/websocket/pongs.ts'
import { findAllowedAddresses, lookupOf, type Refusal } from '../names/allowed-addresses.ts'
import type { Lookup } from '../names/lookup.ts'
import { readFramesInTurns, readInTurns } from '../sockets/reading.ts'
import { ask, isAnswer } from './ask.ts'
import { faultOf, isOfVisionProduct } from './probe.ts'
import { awaitWithin, startTimeLimit } from './time-limit.ts'

/**
 * How long each part of a look may take, and all of it, in milliseconds. portMs is kept free for the ports, also when
 * the name was found late.
 */
export interface VisionLimits {
  readonly connectMs: number
  readonly snapshotMs: number
  readonly portMs: number
  readonly allMs: number
}

export const DEFAULT_VISION_LIMITS: VisionLimits = {
  connectMs: 1_500,
  snapshotMs: 2_500,
  portMs: 1_000,
  allMs: 3_900, // of the 4 s that it may take; the rest is for answering on a busy device
}

const MAX_MESSAGE_BYTES = 1024 * 1024
const MAX_BYTES = 2 * MAX_MESSAGE_BYTES
const MAX_PAGE_BYTES = 64 * 1024

// No records: they would have a stranger's names compiled.
const unpackr = new Unpackr({ useRecords: false, int64AsType: 'number' })

/** What a look for other vision products works with. */
export interface VisionMeans {
  /** Says where names are. */
  readonly lookup: Lookup
  readonly limits: VisionLimits
  /** Of those with pictures. */
  readonly firstPort?: number
  /** Of a clock that never jumps. */
  readonly nowMs?: () => number
}

/** Looks, within 4 s. */
export const visionStreamsAt = async (
  at: BaseUrl,
  refusal: Refusal,
  { lookup, limits: { connectMs, snapshotMs, portMs, allMs }, firstPort = FIRST_STREAM_PORT, nowMs }: VisionMeans,
): Promise<VisionSeen | Fault> => {
  const left = startTimeLimit(nowMs)
  const judged = await awaitWithin(findAllowedAddresses(at.host, lookup, refusal), connectMs)
  if (judged?.refused) return judged.refused
  const { addresses = [] } = judged ?? {}
  if (addresses.length === 0)
    return nothing({ code: 'peer.unreachable', detail: `nobody knows where ${at.host} is; is the name right?` })
  const told = await toldBy(at, addresses, { connectMs, snapshotMs: Math.min(snapshotMs, left(allMs - portMs)) })
  return told ?? found(at, addresses, { portMs: Math.min(portMs, left(allMs)), firstPort })
}

const nothing = (fault: Fault): VisionSeen => ({
  is_extvision: false,
  product_version: null,
  hostname: null,
  method: null,
  streams: [],
  fault,
})

/** What its pages are told; undefined: nothing that is understood, in time. */
const toldBy = (
  at: BaseUrl,
  addresses: readonly LookupAddress[],
  { connectMs, snapshotMs }: Pick<VisionLimits, 'connectMs' | 'snapshotMs'>,
): Promise<VisionSeen | undefined> =>
  new Promise((resolve) => {
    let stream: Socket | undefined
    const socket = new WebSocket(`ws://${addressText(at)}/websocket_data`, {
      ...PONGS,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
      createConnection: () => {
        const where = { host: at.host, port: at.port, lookup: lookupOf(addresses), autoSelectFamily: true }
        stream = readInTurns(connect(where)).once('connect', () => clearTimeout(unconnected))
        return stream
      },
    })
    const end = (seen?: VisionSeen) => {
      clearTimeout(unconnected)
      clearTimeout(limit)
      resolve(seen)
      socket.terminate()
    }
    const unconnected = setTimeout(end, connectMs)
    const limit = setTimeout(end, snapshotMs)
    socket.on('error', () => end()) // the library would read on and wait for a goodbye
    socket.on('close', () => end())
    socket.on('open', () => {
      if (stream) readFramesInTurns(stream, () => end())
      stream?.on('data', () => {
        if ((stream?.bytesRead ?? 0) > MAX_BYTES) end()
      })
    })
    socket.on('message', (data, isBinary) => {
      const seen = isBinary ? readVisionMessage(unpacked(data as Buffer), at.host) : undefined
      if (seen) end(seen)
    })
  })

/** undefined: it is no MessagePack. */
const unpacked = (data: Buffer): unknown => {
  try {
    return unpackr.unpack(data)
  } catch {
    return undefined
  }
}

interface PortMeans {
  readonly portMs: number
  readonly firstPort: number
}

/** What its ports tell, each asked for what its pictures are like. */
const found = async (
  at: BaseUrl,
  addresses: readonly LookupAddress[],
  { portMs, firstPort }: PortMeans,
): Promise<VisionSeen> => {
  const asking = (port: number, path: string) =>
    ask({
      at: baseUrlOf(at.host, port),
      addresses,
      path,
      maxBytes: MAX_PAGE_BYTES,
      connectMs: portMs,
      totalMs: portMs,
    })
  const numbers = Array.from({ length: STREAM_PORTS }, (_, n) => n)
  const [status, page, ...ports] = await Promise.all([
    asking(at.port, '/api/status'),
    asking(at.port, '/'),
    ...numbers.map((n) => asking(firstPort + n, '/settings.json')),
  ])
  const answers = [status, page].filter(isAnswer)
  const isVision = answers.some(isOfVisionProduct)
  const streams = numbers.flatMap((n) => {
    const answer = ports[n]
    if (!answer || !isAnswer(answer) || !String(answer.headers.server).startsWith('CameraServer/')) return []
    return [streamAtPort(at.host, firstPort + n)]
  })
  if (streams.length > 0 || isVision)
    return {
      is_extvision: isVision,
      product_version: null,
      hostname: null,
      fault: null,
      method: 'ports' as const,
      streams,
    }
  const other: Fault = { code: 'peer.bad_answer', detail: `what answers at ${addressText(at)} is another product` }
  return nothing(isAnswer(status) || isAnswer(page) ? other : faultOf(at, status))
}
