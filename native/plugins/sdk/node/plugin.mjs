// What the JavaScript program of a plugin speaks to Vedette with.
//
//   import { plugin } from 'vedette-plugin'
//
//   plugin.start({ onRequest: ({ path }) => ({ path }) })
import { Socket } from 'node:net'
import { encodeFrame, unpack } from './message-pack.mjs'

const WIRE = 3
const MAX_FRAME_BYTES = 4 * 1024 * 1024
const ASK_LIMIT_MS = 15_000
const MAX_TEXT = 2000

/** Vedette did not do what was asked. */
export class PluginError extends Error {
  constructor(status, code, detail) {
    super(detail)
    this.name = 'PluginError'
    this.status = status
    this.code = code
  }
}

/** What a route answers, where it is not just a document. */
export class Answer {
  constructor({ status = 200, body, media_type } = {}) {
    this.status = status
    this.body = body
    this.media_type = media_type
  }
}

class Plugin {
  #socket
  #handlers = {}
  #asks = new Map()
  #jobs = new Map()
  #watches = new Map()
  #last = 0
  #parts = []
  #length = 0
  #hasEnded = false
  info = {}

  start(handlers = {}) {
    this.#handlers = handlers
    this.#socket = new Socket({ fd: WIRE, readable: true, writable: true })
    this.#socket.on('data', (chunk) => this.#take(chunk))
    this.#socket.on('error', () => {}) // `close` follows
    this.#socket.on('close', () => this.#end())
    process.on('SIGTERM', () => this.#end())
  }

  publish(topic, nt_type, value) {
    if (nt_type === 'raw') this.#send({ type: 'publish', topic, nt_type, value: null }, value)
    else this.#send({ type: 'publish', topic, nt_type, value })
  }

  unpublish(topic) {
    this.#send({ type: 'unpublish', topic })
  }

  event(kind, data = null) {
    this.#send({ type: 'event', kind, data })
  }

  log(level, text) {
    this.#send({ type: 'log', level, text: String(text).slice(0, MAX_TEXT) })
  }

  panel(message) {
    this.#send({ type: 'panel', message })
  }

  ask(method, path, body) {
    return this.#ask({ type: 'ask', method, path, ...(body !== undefined && { body }) })
  }

  watch(stream_id, max_fps = 10) {
    const watch = this.#next()
    this.#watches.set(stream_id, watch)
    this.#send({ type: 'watch', watch, stream_id, max_fps })
  }

  unwatch(stream_id) {
    const watch = this.#watches.get(stream_id)
    this.#watches.delete(stream_id)
    if (watch !== undefined) this.#send({ type: 'unwatch', watch })
  }

  async startJob(kind, params = null) {
    const { job_id } = await this.#ask({ type: 'job_start', kind, params })
    return job_id
  }

  #next() {
    this.#last += 1
    return this.#last
  }

  #ask(message) {
    const ask = this.#next()
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => {
        this.#asks.delete(ask)
        reject(new PluginError(0, 'timeout', `no answer within ${ASK_LIMIT_MS / 1000} s`))
      }, ASK_LIMIT_MS)
      this.#asks.set(ask, (answer, bytes) => {
        clearTimeout(limit)
        this.#asks.delete(ask)
        if (answer.ok) resolve(bytes ?? answer.body)
        else reject(new PluginError(answer.status, answer.body?.code ?? '', answer.body?.detail ?? 'it was not done'))
      })
      this.#send({ ...message, ask })
    })
  }

  #send(message, bytes) {
    this.#socket.write(encodeFrame(message, bytes))
  }

  #take(chunk) {
    this.#parts.push(chunk)
    this.#length += chunk.length
    while (this.#length >= 4) {
      const whole = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts)
      this.#parts = [whole]
      const length = whole.readUInt32LE(0)
      if (length > MAX_FRAME_BYTES) return this.#end()
      if (whole.length < 4 + length) return
      this.#parts = [whole.subarray(4 + length)]
      this.#length -= 4 + length
      const [message, bytes] = unpack(whole.subarray(4, 4 + length))
      this.#heed(message, bytes)
    }
  }

  #heed(message, bytes) {
    const { onStart, onPanel, onResults } = this.#handlers
    switch (message.type) {
      case 'start': {
        const { type: _, ...info } = message
        this.info = info
        void Promise.resolve(info)
          .then(onStart)
          .then(
            () => this.#send({ type: 'ready' }),
            (error) => {
              console.error(error)
              process.exit(1)
            },
          )
        return
      }
      case 'request':
        void this.#answer(message, bytes)
        return
      case 'job':
        void this.#doJob(message)
        return
      case 'job_cancel':
        this.#jobs.get(message.job)?.abort()
        return
      case 'panel':
        void this.#guarded(onPanel, message.message)
        return
      case 'results':
        void this.#guarded(onResults, { stream_id: message.stream_id, ...message.results })
        return
      case 'answer':
        this.#asks.get(message.ask)?.(message, bytes)
        return
      case 'stop':
        void this.#end()
        return
    }
  }

  async #guarded(handler, given) {
    try {
      await handler?.(given)
    } catch (error) {
      console.error(error)
    }
  }

  async #answer({ request, method, path, query, media_type }, bytes) {
    const { onRequest } = this.#handlers
    const reply = { type: 'reply', request }
    try {
      if (!onRequest) throw Object.assign(new Error('this plugin has no such route'), { status: 404 })
      const isJson = media_type !== null && /^application\/json\b/.test(media_type) && bytes?.length > 0
      const body = isJson ? JSON.parse(Buffer.from(bytes).toString()) : bytes
      const given = { method, path, query: Object.fromEntries(new URLSearchParams(query)), media_type, body }
      const found = await onRequest(given)
      const answer =
        found instanceof Answer ? found : new Answer({ status: found === undefined ? 204 : 200, body: found })
      const head = { ...reply, status: answer.status, ...(answer.media_type && { media_type: answer.media_type }) }
      if (answer.body instanceof Uint8Array) this.#send(head, answer.body)
      else if (typeof answer.body === 'string' && answer.media_type) this.#send(head, Buffer.from(answer.body))
      else this.#send({ ...head, body: answer.body })
    } catch (error) {
      if (!error?.status) console.error(error)
      this.#send({ ...reply, status: error?.status ?? 500, body: { detail: `${error?.message ?? error}` } })
    }
  }

  async #doJob({ job, kind, params }) {
    const { onJob } = this.#handlers
    const controller = new AbortController()
    this.#jobs.set(job, controller)
    const progress = (percent = null, message = '') =>
      this.#send({ type: 'job_progress', job, percent, message: String(message).slice(0, 200) })
    try {
      if (!onJob) throw new Error('this plugin does no jobs')
      const result = await onJob({ id: job, kind, params, progress, signal: controller.signal })
      this.#send({ type: 'job_done', job, result: result ?? null })
    } catch (error) {
      console.error(error)
      this.#send({ type: 'job_done', job, error: String(error?.message ?? error).slice(0, 1000) })
    } finally {
      this.#jobs.delete(job)
    }
  }

  async #end() {
    if (this.#hasEnded) return
    this.#hasEnded = true
    await this.#guarded(this.#handlers.onStop)
    process.exit(0)
  }
}

/** This program's side of the wire. */
export const plugin = new Plugin()
