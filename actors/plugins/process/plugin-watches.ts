// The results of streams that a plugin watches. One that is slow misses some: nothing waits for it.
import { frameResults } from '../../../machines/engine/frame-results.ts'
import { header, type Result } from '../../../machines/engine/result.ts'
import { type FromPlugin, MAX_WATCHES } from '../../../machines/plugins/process/messages.ts'
import type { PluginProgram } from '../../../native/plugins/process/port.ts'
import type { StreamRegistry } from '../../stream/stream-registry.ts'

type Watched = Extract<FromPlugin, { readonly type: 'watch' }>

export interface PluginWatchesParts {
  readonly streams: Pick<StreamRegistry, 'get'>
}

const DEFAULT_FPS = 10

export class PluginWatches {
  readonly #program: Pick<PluginProgram, 'send'>
  readonly #parts: PluginWatchesParts
  readonly #watches = new Map<number, () => void>()

  constructor(program: Pick<PluginProgram, 'send'>, parts: PluginWatchesParts) {
    this.#program = program
    this.#parts = parts
  }

  /** Why nothing came of it. */
  watch({ watch, stream_id, max_fps = DEFAULT_FPS }: Watched): string | undefined {
    this.unwatch(watch)
    if (this.#watches.size >= MAX_WATCHES) return `it watches more than ${MAX_WATCHES} streams`
    const stream = this.#parts.streams.get(stream_id)
    if (!stream) return `there is no stream ${stream_id} that could be watched`
    const minUs = 0.95 * (1e6 / max_fps) // a camera is never quite on time
    let lastUs = Number.NEGATIVE_INFINITY
    const stops = [
      stream.results.subscribe((result: Result) => {
        const capturedUs = header(result, 'captured_us')
        if (capturedUs - lastUs < minUs && capturedUs >= lastUs) return
        const message = { type: 'results', watch, stream_id, results: frameResults(result) } as const
        if (this.#program.send(message, undefined, true)) lastUs = capturedUs
      }),
      stream.onDeleted(() => this.unwatch(watch)),
    ]
    this.#watches.set(watch, () => {
      for (const stop of stops) stop()
    })
    return undefined
  }

  unwatch(watch: number): void {
    this.#watches.get(watch)?.()
    this.#watches.delete(watch)
  }

  close(): void {
    for (const watch of [...this.#watches.keys()]) this.unwatch(watch)
  }
}
