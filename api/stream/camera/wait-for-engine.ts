// Waits until the engine of a stream has applied what was stored.
import type { StreamRuntime } from '../../../actors/stream/stream-runtime.ts'
import type { StreamState } from '../../../machines/stream/status.ts'

const LIMIT_MS = 12_000 // as long as an engine may take to open a camera, and a little more

/** In these states nothing is applied before something else happens. */
const WAITING: readonly StreamState[] = ['paused', 'backing-off', 'resetting', 'failed']

/**
 * Waits until a stream's camera goes by that revision, or a later one. Answers why it has not; null: it has, or is
 * disabled.
 */
export const waitForEngine = (stream: StreamRuntime, revision: number): Promise<string | null> =>
  new Promise((resolve) => {
    const answer = (why: string | null) => {
      clearTimeout(timer)
      for (const unsubscribe of subscriptions) unsubscribe()
      resolve(why)
    }
    const look = () => {
      if (hasTakenUp(stream, revision) || stream.isDeleted) return answer(null)
      const { state, fault } = stream.status()
      if (WAITING.includes(state) && hasHeard(stream, revision)) answer(fault?.detail ?? `its state is ${state}`)
    }
    const timer = setTimeout(() => answer(`its state is ${stream.status().state}`), LIMIT_MS)
    const subscriptions = [stream.engine.applied.subscribe(look), stream.onMoved(look), stream.onDeleted(look)]
    if (hasTakenUp(stream, revision)) answer(null)
    else if (stream.pause) look() // nothing moves it
  })

/** Whatever pipeline runs. */
const hasTakenUp = ({ state, engine: { applied } }: StreamRuntime, revision: number): boolean =>
  state === 'disabled' || (applied.value?.cameraRevision ?? 0) >= revision

/** One that is down when it is told reads what is stored when it comes back. */
const hasHeard = ({ child }: StreamRuntime, revision: number): boolean =>
  (child?.snapshot()?.context.stored?.revision ?? revision) >= revision
