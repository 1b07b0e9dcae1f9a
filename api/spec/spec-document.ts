// A description as it is sent: made when it is first asked for, in steps between which others have their turn, packed
// once, and known again by its tag.
import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SUCCESS } from '../problems/faults.ts'

const packed = promisify(gzip)

/** The document in both forms. etag: weak, as both are the same document. */
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

  constructor(make: () => Steps) {
    this.#make = make
  }

  /** Sends it as the request would have it, or the word that it has it. */
  async send({ headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    this.#made ??= madeOf(this.#make())
    const { plain, gzip: bytes, etag } = await this.#made
    reply.headers({ etag, vary: 'accept-encoding', 'cache-control': 'no-cache' })
    if (isKnown(headers['if-none-match'], etag)) return reply.code(SUCCESS.unchanged).send()
    reply.code(SUCCESS.ok).type('application/json')
    return takesGzip(headers['accept-encoding'])
      ? reply.header('content-encoding', 'gzip').send(bytes)
      : reply.send(plain)
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

const bare = (tag: string): string => tag.trim().replace(/^W\//, '')

const isKnown = (header: string | undefined, etag: string): boolean =>
  header !== undefined && (header.trim() === '*' || header.split(',').some((tag) => bare(tag) === bare(etag)))

/** Whether it is named, and not with a weight of nothing. */
const takesGzip = (header: string | string[] | undefined): boolean =>
  String(header ?? '')
    .split(',')
    .some((each) => /^\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*$)[\d.]+\s*)?$/i.test(each))
