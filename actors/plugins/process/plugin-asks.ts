// What a plugin asks of the API, as far as it was granted: so many a second, and so many at once.
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import type { AskInside, InsideAnswer } from '../../../machines/http/inside.ts'
import type { Latest } from '../../../machines/latest.ts'
import type { InstalledPlugin } from '../../../machines/plugins/installed.ts'
import type { FromPlugin, ToPlugin } from '../../../machines/plugins/process/messages.ts'
import { jsonIn } from '../../../machines/schema/json.ts'
import type { PluginProgram } from '../../../native/plugins/process/port.ts'
import { Allowance } from './allowance.ts'

type Asked = Extract<FromPlugin, { readonly type: 'ask' }>

export interface PluginAsksParts {
  readonly inside: Latest<AskInside | undefined>
  /** CLOCK_MONOTONIC. */
  readonly nowUs: () => number
}

const BUSY: Fault = {
  code: 'service.busy',
  detail: 'the plugin asks more than 50 times a second, or has 8 questions open; it is to wait for its answers',
}
const UNREAD: Fault = {
  code: 'service.busy',
  detail:
    'the plugin has not read what it was told before, so that the answer has no room; what it asked for may be done',
}
const DOWN: Fault = { code: 'actor.unavailable', detail: 'the API is being started; ask again in a second' }

const ASKS_PER_S = 50
const MAX_AT_ONCE = 8

export class PluginAsks {
  readonly #plugin: InstalledPlugin
  readonly #program: Pick<PluginProgram, 'send'>
  readonly #parts: PluginAsksParts
  readonly #allowance: Allowance
  #open = 0
  #isClosed = false

  constructor(plugin: InstalledPlugin, program: Pick<PluginProgram, 'send'>, parts: PluginAsksParts) {
    this.#plugin = plugin
    this.#program = program
    this.#parts = parts
    this.#allowance = new Allowance(ASKS_PER_S, parts.nowUs)
  }

  ask({ ask, method, path, body }: Asked): void {
    void this.#answer({ method, path, ...(body !== undefined && { body }) }).then((answer) => this.#tell(ask, answer))
  }

  close(): void {
    this.#isClosed = true
  }

  async #answer(request: Parameters<AskInside>[0]): Promise<InsideAnswer | Fault> {
    const { inside } = this.#parts
    if (this.#open >= MAX_AT_ONCE || !this.#allowance.take()) return BUSY
    if (!inside.value) return DOWN
    this.#open += 1
    const { manifest, granted } = this.#plugin
    const answer = await inside.value(request, { plugin: manifest.name, granted })
    this.#open -= 1
    return answer
  }

  #tell(ask: number, answer: InsideAnswer | Fault): void {
    if (this.#isClosed) return
    if (isFault(answer)) this.#program.send(refusal(ask, answer))
    else if (!this.#pass(ask, answer)) this.#program.send(refusal(ask, UNREAD))
  }

  #pass(ask: number, { ok, status, media_type, body }: InsideAnswer): boolean {
    const isJson = media_type !== null && /[/+]json\b/.test(media_type)
    const message = { type: 'answer', ask, ok, status, media_type } as const
    if (isJson) return this.#program.send({ ...message, body: jsonIn(new TextDecoder().decode(body)) ?? null })
    return this.#program.send({ ...message, body: null }, body.length > 0 ? body : undefined)
  }
}

/** The answer to what was not done. */
export const refusal = (ask: number, { code, detail }: Fault): ToPlugin => ({
  type: 'answer',
  ask,
  ok: false,
  status: 0,
  media_type: 'application/json',
  body: { code, detail },
})
