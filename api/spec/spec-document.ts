// A description as it is sent: made when it is first asked for, in steps between which others have their turn, packed
// once, and known again by its tag.
import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { addVary, hasTag, takesCoding } from '../endpoints/negotiation.ts'
import { SUCCESS } from '../problems/faults.ts'

const packed = promisify(gzip)
const packedTighter = promisify(brotliCompress)
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } } // beyond it takes a second and saves a tenth

/** The document in two forms. etag: weak, as both are the same document. */
interface Made {
  readonly plain: Buffer
  readonly gzip: Buffer
  readonly etag: string
}

/** The making of a document. */
type Steps = Iterator<undefined, object, undefined>

/** One description. */
export class SpecDocument {
  readonly #make: () => Steps
  #made: Promise<Made> | undefined
  /** Made for the first that takes it: browsers do so over TLS alone. */
  #brotli: Promise<Buffer> | undefined

  constructor(make: () => Steps) {
    this.#make = make
  }

  /** Sends it as the request would have it, or the word that it has it. */
  async send({ headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    this.#made ??= madeOf(this.#make())
    const { plain, gzip: bytes, etag } = await this.#made
    addVary(reply, 'accept-encoding')
    reply.headers({ etag, 'cache-control': 'no-cache' })
    if (hasTag(headers['if-none-match'], etag)) return reply.code(SUCCESS.unchanged).send()
    reply.code(SUCCESS.ok).type('application/json')
    const accepted = headers['accept-encoding']
    if (takesCoding(accepted, 'br')) {
      this.#brotli ??= packedTighter(plain, BROTLI)
      return reply.header('content-encoding', 'br').send(await this.#brotli)
    }
    return takesCoding(accepted, 'gzip') ? reply.header('content-encoding', 'gzip').send(bytes) : reply.send(plain)
  }
}

const madeOf = async (steps: Steps): Promise<Made> => {
  let step = steps.next()
  for (; !step.done; step = steps.next()) await nextTurn()
  await nextTurn()
  const plain = Buffer.from(JSON.stringify(step.value))
  const digest = createHash('sha256').update(plain).digest('base64url').slice(0, 22)
  return { plain, gzip: await packed(plain), etag: `W/"${digest}"` }
}
