// Requests to the routes of a plugin that wait for their answers.
import type { Fault } from '../../../machines/errors/fault.ts'
import { type FromPlugin, MAX_ROUTE_BODY_BYTES } from '../../../machines/plugins/process/messages.ts'
import {
  isShownMediaType,
  type PluginAnswer,
  type PluginRequest,
  ROUTE_LIMIT_MS,
} from '../../../machines/plugins/process/route.ts'
import type { PluginProgram } from '../../../native/plugins/process/port.ts'
import { startTimer } from '../../timer.ts'

type Reply = Extract<FromPlugin, { readonly type: 'reply' }>

/** More at once are a queue that nobody works off. */
const MAX_REQUESTS = 32

/** What is told where the program takes nothing more. */
export const notTaken = (name: string): Fault => ({
  code: 'plugin.not_running',
  detail: `the plugin ${name} has not read what it was told before, or has ended; try it again in a second`,
})

const NOTHING = new Uint8Array(0)

export class PluginRequests {
  readonly #name: string
  readonly #program: Pick<PluginProgram, 'send'>
  readonly #waiting = new Map<number, (answer: PluginAnswer | Fault) => void>()
  #last = 0

  constructor(name: string, program: Pick<PluginProgram, 'send'>) {
    this.#name = name
    this.#program = program
  }

  ask({ body, ...request }: PluginRequest): Promise<PluginAnswer | Fault> {
    if (this.#waiting.size >= MAX_REQUESTS)
      return Promise.resolve({
        code: 'plugin.not_running',
        detail: `${MAX_REQUESTS} requests wait for the plugin ${this.#name} already; try it again in a second`,
      })
    this.#last += 1
    const number = this.#last
    return new Promise((resolve) => {
      const answer = (found: PluginAnswer | Fault) => {
        stop()
        this.#waiting.delete(number)
        resolve(found)
      }
      const stop = startTimer(ROUTE_LIMIT_MS, () =>
        answer({
          code: 'plugin.too_slow',
          detail: `the plugin ${this.#name} did not answer within ${ROUTE_LIMIT_MS / 1000} s; it may have done it`,
        }),
      )
      this.#waiting.set(number, answer)
      if (!this.#program.send({ type: 'request', request: number, ...request }, body)) answer(notTaken(this.#name))
    })
  }

  /** Why a reply is none; the one who asked is told so too. A reply that comes too late is nobody's. */
  reply({ request, status, media_type, body }: Reply, bytes: Uint8Array | undefined): string | undefined {
    const answer = this.#waiting.get(request)
    if (!answer) return undefined
    const content = bytes ?? (body === undefined ? NOTHING : new TextEncoder().encode(JSON.stringify(body)))
    const type = content.length === 0 ? null : (media_type ?? (bytes ? 'application/octet-stream' : 'application/json'))
    const wrong =
      content.length > MAX_ROUTE_BODY_BYTES
        ? 'an answer is longer than 1 MiB'
        : type !== null && !isShownMediaType(type)
          ? 'an answer is of a media type that is not passed on'
          : undefined
    answer(
      wrong === undefined
        ? { status, media_type: type, body: content }
        : { code: 'plugin.bad_answer', detail: `the plugin ${this.#name} answered what makes no sense: ${wrong}` },
    )
    return wrong
  }

  close(why: Fault): void {
    for (const answer of [...this.#waiting.values()])
      answer({ code: 'plugin.not_running', detail: `the plugin ${this.#name} has ended: ${why.detail}` })
  }
}
