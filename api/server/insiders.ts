// Requests that come from inside this service: they take the way that all others take, and are known by a word that is
// told to nobody and holds for one request.
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AskInside, InsideAnswer, InsideCaller, InsideRequest } from '../../machines/http/inside.ts'
import { SUCCESS } from '../problems/faults.ts'
import { fault, PROBLEM_MEDIA_TYPE, problemOf } from '../problems/problem.ts'

const HEADER = 'x-vedette-inside'
const LIMIT_MS = 10_000

/** Of an answer; a picture, a document of whatever length, but no recording. */
const MAX_ANSWER_BYTES = 3 * 1024 * 1024

export class Insiders {
  readonly #app: FastifyInstance
  readonly #callers = new Map<string, InsideCaller>()

  constructor(app: FastifyInstance) {
    this.#app = app
  }

  /** Who asks; undefined: the request came from elsewhere. */
  callerOf({ headers }: FastifyRequest): InsideCaller | undefined {
    const word = headers[HEADER]
    return typeof word === 'string' ? this.#callers.get(word) : undefined
  }

  readonly ask: AskInside = async (request, caller) => {
    const word = randomBytes(24).toString('base64url')
    this.#callers.set(word, caller)
    try {
      return await this.#inject(request, word)
    } catch (error) {
      const detail = `the request was not answered: ${error instanceof Error ? error.message : error}`
      const problem = problemOf(fault('plugin.too_slow', detail), request.path, '')
      const body = Buffer.from(JSON.stringify(problem))
      return { ok: false, status: problem.status, media_type: PROBLEM_MEDIA_TYPE, body }
    } finally {
      this.#callers.delete(word)
    }
  }

  async #inject({ method, path, body }: InsideRequest, word: string): Promise<InsideAnswer> {
    const answer = await this.#app.inject({
      method,
      url: path,
      headers: {
        host: 'localhost',
        [HEADER]: word,
        'accept-encoding': 'identity',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
      payloadAsStream: true,
      signal: AbortSignal.timeout(LIMIT_MS),
    })
    const pieces: Buffer[] = []
    let length = 0
    try {
      for await (const piece of answer.stream() as AsyncIterable<Buffer>) {
        length += piece.length
        if (length > MAX_ANSWER_BYTES) throw new Error('the answer is longer than 3 MiB')
        pieces.push(piece)
      }
    } finally {
      answer.raw.res.destroy() // else the file of one that is not read to its end would stay open
    }
    const type = answer.headers['content-type']
    return {
      ok: answer.statusCode <= SUCCESS.partial,
      status: answer.statusCode,
      media_type: length === 0 || typeof type !== 'string' ? null : type,
      body: Buffer.concat(pieces),
    }
  }
}
