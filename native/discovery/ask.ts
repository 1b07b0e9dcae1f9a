// One question over HTTP to a stranger: a connection of its own, to the addresses that were judged and no others,
// within a time and a number of bytes. No redirect is followed.
import type { LookupAddress } from 'node:dns'
import type { IncomingHttpHeaders } from 'node:http'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import type { BaseUrl } from '../../machines/discovery/base-url.ts'
import { fingerprintOf } from '../identity/certificate.ts'
import { lookupOf } from '../names/allowed-addresses.ts'
import { readInTurns } from '../sockets/reading.ts'

const { request } = process.getBuiltinModule('node:http') // an import would load the whole of fetch

const MAX_HEAD_BYTES = 16 * 1024

/** The request and its target. */
export interface Question {
  readonly at: BaseUrl
  readonly addresses: readonly LookupAddress[]
  readonly path: string
  /** Which of its certificates a server shows; its host's name if nothing is said. */
  readonly servername?: string
  /** Of the time in all, totalMs. */
  readonly connectMs: number
  readonly totalMs: number
  readonly maxBytes: number
}

/** An answer whose head came whole. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Of its body what came within the limits. */
  readonly text: string
  /** SHA-256 of the server's certificate; null without TLS. */
  readonly fingerprint: string | null
}

/** How far it came. error: what the system or the parser said; undefined: time was up, or there were too many bytes. */
export interface Unanswered {
  readonly stage: 'connecting' | 'securing' | 'waiting'
  readonly error: NodeJS.ErrnoException | undefined
}

export const isAnswer = (found: Answer | Unanswered): found is Answer => 'status' in found

/** Asks, and ends the connection whatever came of it. */
export const ask = (question: Question): Promise<Answer | Unanswered> =>
  new Promise((resolve) => {
    new Asking(question, resolve)
  })

class Asking {
  readonly #question: Question
  readonly #resolve: (found: Answer | Unanswered) => void
  readonly #socket: Socket
  readonly #connectLimit: NodeJS.Timeout
  readonly #limit: NodeJS.Timeout
  #secure: TLSSocket | undefined
  #stage: Unanswered['stage'] = 'connecting'
  #fingerprint: string | null = null
  #head: Pick<Answer, 'status' | 'headers'> | undefined
  readonly #chunks: Buffer[] = []
  #bytes = 0
  #isOver = false

  constructor(question: Question, resolve: (found: Answer | Unanswered) => void) {
    this.#question = question
    this.#resolve = resolve
    const { at, addresses, connectMs, totalMs } = question
    const where = { host: at.host, port: at.port, lookup: lookupOf(addresses), autoSelectFamily: true }
    this.#connectLimit = setTimeout(() => this.#end(), connectMs)
    this.#limit = setTimeout(() => this.#end(), totalMs)
    this.#socket = connect(where)
    this.#socket.on('error', (error) => this.#end(error))
    this.#socket.once('connect', () => {
      clearTimeout(this.#connectLimit)
      if (at.isTls) this.#makeSecure()
      else this.#send(this.#socket)
    })
  }

  /** Any certificate will do: what is asked is no secret, and the answer is not trusted. */
  #makeSecure(): void {
    this.#stage = 'securing'
    const { at, servername = isIP(at.host) ? '' : at.host } = this.#question
    const secure = connectTls({ socket: this.#socket, servername, rejectUnauthorized: false })
    this.#secure = secure
    secure.on('error', (error) => this.#end(error))
    secure.once('close', () => this.#end())
    secure.once('secureConnect', () => {
      const certificate = secure.getPeerX509Certificate()
      if (certificate) this.#fingerprint = fingerprintOf(certificate)
      this.#send(secure)
    })
  }

  #send(stream: Socket): void {
    readInTurns(stream)
    this.#stage = 'waiting'
    const { at, path, maxBytes } = this.#question
    // Without `agent`: together with one, even with `false`, the connection would be left aside.
    const asked = request({
      method: 'GET',
      path,
      createConnection: () => stream,
      maxHeaderSize: MAX_HEAD_BYTES,
      headers: { host: new URL(at.origin).host, accept: '*/*', connection: 'close' },
    })
    asked.on('error', (error) => this.#end(error))
    asked.on('information', () => {
      if (this.#socket.bytesRead > maxBytes) this.#end()
    })
    asked.on('upgrade', () => this.#end())
    asked.on('response', (response) => {
      this.#head = { status: response.statusCode ?? 0, headers: response.headers }
      response.on('data', (chunk: Buffer) => {
        this.#bytes += chunk.length
        this.#chunks.push(chunk)
        if (this.#bytes > maxBytes) this.#end()
      })
      response.on('error', () => this.#end())
      response.once('end', () => this.#end())
      response.once('close', () => this.#end())
    })
    asked.end()
  }

  /** With what came until now. */
  #end(error?: NodeJS.ErrnoException): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#connectLimit)
    clearTimeout(this.#limit)
    this.#secure?.destroy()
    this.#socket.destroy()
    const text = () => Buffer.concat(this.#chunks).subarray(0, this.#question.maxBytes).toString()
    this.#resolve(
      this.#head
        ? { ...this.#head, text: text(), fingerprint: this.#fingerprint }
        : { stage: this.#stage, error: firstOf(error) },
    )
  }
}

/** Of an attempt at several addresses. */
const firstOf = (error: NodeJS.ErrnoException | undefined): NodeJS.ErrnoException | undefined =>
  error instanceof AggregateError ? error.errors[0] : error
