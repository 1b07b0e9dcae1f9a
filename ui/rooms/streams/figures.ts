// How the streams of this device are doing: told once a second at most, all streams in one event.
import { createStore } from '@xstate/store'
import { useSelector } from '@xstate/store-react'
import { onEvent, onReset } from '../../api/feed.ts'

/** How a stream is doing. */
export interface StreamFigures {
  readonly id: string
  readonly fps: number | null
  readonly latency_ms: number | null
  readonly viewers: number
  readonly restarts: number
  readonly recording: null | {
    readonly size_bytes: number
    readonly duration_ms: number
    readonly frames: number
    readonly frames_lost: number
  }
}

const store = createStore({
  context: { byId: new Map<string, StreamFigures>(), atMs: 0 },
  on: {
    told: (_, { streams }: { streams: readonly StreamFigures[] }) => ({
      byId: new Map(streams.map((each) => [each.id, each])),
      atMs: Date.now(),
    }),
    forgotten: () => ({ byId: new Map<string, StreamFigures>(), atMs: 0 }),
  },
})

onEvent(({ kind, data }) => {
  if (kind === 'stream_figures') store.trigger.told(data as { readonly streams: readonly StreamFigures[] })
})
onReset(() => store.trigger.forgotten())

/** Those of a stream; undefined: nothing was told yet. */
export const useFigures = (id: string): StreamFigures | undefined =>
  useSelector(store, ({ context }) => context.byId.get(id))

/** Called whenever figures were told; returns what ends that. */
export const onFigures = (listener: () => void): (() => void) => {
  const { unsubscribe } = store.subscribe(listener)
  return unsubscribe
}
