// The page's side of one panel: what it may have, it gets; everything else it is told about in words. It ends with its
// frame.
import { problemOf } from '../../api/client.ts'
import type { FrameResults } from '../../api/outputs.ts'
import {
  asJson,
  type FromPanel,
  mayRead,
  type PanelProblem,
  readMessage,
  type Theme,
  type ToPanel,
} from './panel-protocol.ts'

/** What a panel speaks to. */
export interface PanelHostParts {
  /** What its plugin may do. */
  readonly granted: readonly string[]
  readonly port: MessagePort
  /** Hands a message to the program of the plugin; why it could not be. */
  readonly send: (message: unknown) => Promise<PanelProblem | undefined>
  /** Has the results of a stream told; returns what ends that. */
  readonly watch: (streamId: string, hear: (results: FrameResults) => void) => () => void
  readonly setHeight: (heightPx: number) => void
  /** The panel says too much, or what nobody understands, and is ended. */
  readonly onMisuse: (why: string) => void
}

const MAX_WATCHES = 8
const MAX_READS_AT_ONCE = 4

/** In a second; what comes beyond that is no person, and no drawing. */
const MAX_MESSAGES_PER_S = 200

const MAX_NONSENSE = 20

const HEIGHT_PX = { least: 80, most: 2000 }

const NOT_GRANTED: PanelProblem = {
  code: 'panel.not_granted',
  detail: 'The plugin of this panel has not been granted to read what this device knows (read).',
}

export class PanelHost {
  readonly #parts: PanelHostParts
  readonly #watches = new Map<number, () => void>()
  #reads = 0
  #nonsense = 0
  #second = { atMs: 0, count: 0 }

  constructor(parts: PanelHostParts) {
    this.#parts = parts
    parts.port.onmessage = ({ data }) => this.#hear(data)
  }

  /** Says something to the panel. */
  tell(message: ToPanel): void {
    this.#parts.port.postMessage(message)
  }

  showTheme(theme: Theme): void {
    this.tell({ type: 'theme', theme })
  }

  end(): void {
    this.#parts.port.close()
    for (const stop of this.#watches.values()) stop()
    this.#watches.clear()
  }

  #hear(data: unknown): void {
    const nowMs = performance.now()
    if (nowMs - this.#second.atMs > 1000) this.#second = { atMs: nowMs, count: 0 }
    this.#second.count += 1
    const message = readMessage(data)
    if (!message) this.#nonsense += 1
    if (this.#second.count > MAX_MESSAGES_PER_S) this.#misuse('it sends more messages than anybody needs')
    else if (message) this.#take(message)
    else if (this.#nonsense > MAX_NONSENSE) this.#misuse('it sends what this page does not understand')
  }

  #take(message: FromPanel): void {
    if (message.type === 'read') void this.#read(message.id, message.path)
    else if (message.type === 'watch') this.#watch(message.id, message.stream_id)
    else if (message.type === 'unwatch') this.#unwatch(message.id)
    else if (message.type === 'send') void this.#send(message.id, message.message)
    else this.#parts.setHeight(Math.min(HEIGHT_PX.most, Math.max(HEIGHT_PX.least, Math.round(message.height_px))))
  }

  async #read(id: number, path: string): Promise<void> {
    if (!this.#parts.granted.includes('read')) return this.#refuse(id, NOT_GRANTED)
    if (!mayRead(path))
      return this.#refuse(id, { code: 'panel.not_readable', detail: `Panels of plugins may not read ${path}.` })
    if (this.#reads >= MAX_READS_AT_ONCE)
      return this.#refuse(id, {
        code: 'panel.too_much',
        detail: `${MAX_READS_AT_ONCE} answers are on their way; wait for one of them.`,
      })
    this.#reads += 1
    try {
      const response = await fetch(path, { headers: { accept: 'application/json' } })
      const isJson = response.headers.get('content-type')?.includes('json')
      const value: unknown = isJson ? await response.json() : undefined
      if (!response.ok) return this.#refuse(id, problemOf(value, response))
      if (value === undefined)
        return this.#refuse(id, { code: 'panel.not_readable', detail: `${path} is no JSON; panels read JSON.` })
      this.tell({ type: 'answer', id, ok: true, value })
    } catch {
      this.#refuse(id, { code: 'service.away', detail: 'The device does not answer.' })
    } finally {
      this.#reads -= 1
    }
  }

  #watch(id: number, streamId: string): void {
    if (!this.#parts.granted.includes('read') || this.#watches.size >= MAX_WATCHES) return
    this.#unwatch(id)
    const hear = (results: FrameResults) =>
      this.tell({ type: 'results', id, results: { stream_id: streamId, ...results } })
    this.#watches.set(id, this.#parts.watch(streamId, hear))
  }

  #unwatch(id: number): void {
    this.#watches.get(id)?.()
    this.#watches.delete(id)
  }

  async #send(id: number, message: unknown): Promise<void> {
    const value = asJson(message)
    if (value === undefined)
      return this.#refuse(id, { code: 'panel.too_much', detail: 'A message is JSON of at most 64 KiB.' })
    const problem = await this.#parts.send(value)
    if (problem) this.#refuse(id, problem)
    else this.tell({ type: 'answer', id, ok: true, value: null })
  }

  #refuse(id: number, { code, detail }: PanelProblem): void {
    this.tell({ type: 'answer', id, ok: false, problem: { code, detail } })
  }

  #misuse(why: string): void {
    this.end()
    this.#parts.onMisuse(why)
  }
}
