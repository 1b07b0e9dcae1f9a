// JSON answers as they travel: large ones packed for whoever takes that, and those that hardly ever change known again
// by their tag. Nothing else is touched: streams, pictures, files and tunnels are sent as their rows make them.
import { createHash } from 'node:crypto'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addVary, type Coding, hasTag, takesCoding } from '../endpoints/negotiation.ts'
import { SUCCESS } from '../problems/faults.ts'
import { endpointOf } from './routes.ts'

/** Below this a packed answer saves no packet. */
const MIN_PACKED_CHARACTERS = 2_048

/**
 * Packing runs beside the loop, on the threads that also read files. A request that comes while this many answers are
 * being packed is answered unpacked, so that file reads are not kept waiting for these threads.
 */
const MAX_PACKED_AT_ONCE = 2

/** Of the answers that hardly ever change; there are a dozen, and more where somebody reads them in pages. */
const MAX_KEPT = 32

/** Level 4 takes half the time of the default, for answers that are one twentieth larger. */
const GZIP = { level: 4 }

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

type Done = (error: Error | null, payload?: unknown) => void

/** Packs what is sent from now on. */
export const packAnswers = (app: FastifyInstance): void => {
  const packer = new Packer()
  app.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' || !isJson(reply)) return done(null, payload)
    const isLasting = endpointOf(request)?.isLasting === true && reply.statusCode === SUCCESS.ok
    const etag = isLasting ? tagOf(payload) : undefined
    if (etag !== undefined) {
      reply.headers({ etag, 'cache-control': 'no-cache' })
      if (hasTag(request.headers['if-none-match'], etag)) return sendUnchanged(reply, done)
    }
    if (payload.length < MIN_PACKED_CHARACTERS) return done(null, payload)
    addVary(reply, 'accept-encoding')
    packer.pack(payload, codingFor(request, etag), etag, (packed, coding) => {
      if (!packed) return done(null, payload)
      reply.header('content-encoding', coding)
      done(null, packed)
    })
  })
}

const isJson = (reply: FastifyReply): boolean =>
  /^application\/(?:[\w.-]+\+)?json\b/.test(String(reply.getHeader('content-type') ?? '')) &&
  reply.getHeader('content-encoding') === undefined

/** Weak, as it is the same document in each coding. */
const tagOf = (text: string): string => `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`

const sendUnchanged = (reply: FastifyReply, done: Done): void => {
  reply.code(SUCCESS.unchanged).removeHeader('content-type')
  addVary(reply, 'accept-encoding')
  done(null, '')
}

/** Brotli takes its time, so it is for what is packed once. */
const codingFor = ({ headers }: FastifyRequest, etag: string | undefined): Coding | undefined => {
  const accepted = headers['accept-encoding']
  if (etag !== undefined && takesCoding(accepted, 'br')) return 'br'
  return takesCoding(accepted, 'gzip') ? 'gzip' : undefined
}

type Packed = (packed: Buffer | undefined, coding: Coding) => void

class Packer {
  readonly #kept = new Map<string, Buffer>()
  #running = 0

  /**
   * Calls back with undefined where the answer is to go unpacked. etag: under which the packed form is kept; undefined:
   * it is not kept.
   */
  pack(text: string, coding: Coding | undefined, etag: string | undefined, done: Packed): void {
    const key = `${coding} ${etag}`
    const kept = etag !== undefined ? this.#kept.get(key) : undefined
    if (coding === undefined || kept || this.#running >= MAX_PACKED_AT_ONCE) {
      done(kept, coding ?? 'gzip')
      return
    }
    this.#running += 1
    const packed = (error: Error | null, bytes: Buffer) => {
      this.#running -= 1
      if (!error && etag !== undefined) this.#keep(key, bytes)
      done(error ? undefined : bytes, coding)
    }
    if (coding === 'br') brotliCompress(text, BROTLI, packed)
    else gzip(text, GZIP, packed)
  }

  #keep(key: string, bytes: Buffer): void {
    if (this.#kept.size >= MAX_KEPT) this.#kept.delete(this.#kept.keys().next().value ?? '')
    this.#kept.set(key, bytes)
  }
}
