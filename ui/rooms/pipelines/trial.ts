// A pipeline tried on a stream: what is on the page runs there, each change as soon as the one before is through, and
// what the stream ran before comes back at the end.
import { createStore } from '@xstate/store'
import type { Documents } from '../../api/documents.ts'
import type { Graph } from './graph.ts'

type Change = Documents['PipelineChangeOrder']

/** Why something was not done, as the service says it. */
interface Problem {
  readonly code: string
  readonly detail: string
  readonly context?: Readonly<Record<string, unknown>>
}

/** What came of a request. */
type Answer<T> =
  | { readonly ok: true; readonly value: T; readonly revision: number | null }
  | { readonly ok: false; readonly problem: Problem }

/** What of a stream tells what it runs. */
export interface Running {
  readonly revision: number
  readonly pipeline: Graph
  /** The slot that is active; null: it runs a pipeline of its own. */
  readonly slot: number | null
  /** Its own, while a slot is active. */
  readonly own: Graph | undefined
}

/** By what a trial reaches its stream. */
export interface TrialParts {
  readonly read: () => Promise<Answer<Running>>
  readonly change: (change: Change, isLeaving: boolean) => Promise<Answer<unknown>>
  readonly doesSame: (a: Graph, b: Graph) => boolean
  /** Whether what is tried is kept: it is the pipeline of the stream that is being edited. */
  readonly isKept: boolean
  readonly onSending?: (graph: Graph) => void
  readonly onRuns?: (graph: Graph, revision: number) => void
}

/** How a trial is. */
export type TrialState =
  | { readonly is: 'off' }
  | { readonly is: 'starting' }
  /** problem: why the newest graph does not run; the previous one goes on. */
  | { readonly is: 'on'; readonly problem: Problem | undefined }
  /** It has ended by itself. */
  | { readonly is: 'ended'; readonly problem: Problem }

const STALE = 'revision.stale'

const OTHERS_CHANGED: Problem = {
  code: STALE,
  detail: 'Somebody else has given the stream another pipeline. It runs theirs, and nothing is tried on it any more.',
}

/** Makes one, which is off. */
export const createTrial = ({ read, change, doesSame, isKept, onSending, onRuns }: TrialParts) => {
  const store = createStore({
    context: { state: { is: 'off' } as TrialState },
    on: { became: (_, { state }: { state: TrialState }) => ({ state }) },
  })
  const become = (state: TrialState) => store.trigger.became({ state })
  let before: Running | undefined
  let revision = 0
  let last: Graph | undefined
  let wanted: Graph | undefined
  let isSending = false
  let sending = Promise.resolve()

  const isOn = () => store.getSnapshot().context.state.is === 'on'

  /** Whether nobody but this page has changed what the stream runs; takes up its revision then. */
  const isStillOurs = async (): Promise<boolean> => {
    const now = await read()
    if (!now.ok || !doesSame(now.value.pipeline, last ?? before?.pipeline ?? now.value.pipeline)) return false
    revision = now.value.revision
    return true
  }

  const send = async (graph: Graph, isAgain = false): Promise<void> => {
    onSending?.(graph)
    const { layout: _, ...rest } = graph
    const answer = await change({ graph: isKept ? graph : rest, expected_revision: revision }, false)
    if (answer.ok) {
      revision = answer.revision ?? revision
      last = graph
      become({ is: 'on', problem: undefined })
      onRuns?.(graph, revision)
      return
    }
    if (answer.problem.code !== STALE) return become({ is: 'on', problem: answer.problem })
    if (!isAgain && (await isStillOurs())) return send(graph, true)
    become({ is: 'ended', problem: OTHERS_CHANGED })
  }

  const sendAll = async (): Promise<void> => {
    isSending = true
    while (wanted && isOn()) {
      const graph = wanted
      wanted = undefined
      if (graph.nodes.length > 0 && !(last && doesSame(graph, last))) await send(graph)
    }
    isSending = false
  }

  /** Has the stream run a graph; of several that come at once the newest. */
  const put = (graph: Graph): void => {
    wanted = graph
    if (isOn() && !isSending) sending = sendAll()
  }

  const start = async (graph: Graph): Promise<void> => {
    become({ is: 'starting' })
    const now = await read()
    if (!now.ok) return become({ is: 'ended', problem: now.problem })
    before = now.value
    revision = before.revision
    last = before.slot === null ? before.pipeline : undefined
    become({ is: 'on', problem: undefined })
    put(wanted ?? graph)
  }

  /** Ends it. isLeaving: the page is being left, where nothing can be waited for. */
  const stop = async (isLeaving = false): Promise<void> => {
    const wasOn = isOn()
    become({ is: 'off' })
    wanted = undefined
    if (!isLeaving) await sending
    const given = before
    before = undefined
    if (!wasOn || isKept || !given || !last || doesSame(last, given.pipeline)) return
    const { slot, pipeline, own } = given
    // a page that is being left gets one request through: what runs comes back, its own pipeline under the slot does
    // not
    const back: readonly Change[] =
      slot === null ? [{ graph: pipeline }] : own && !isLeaving ? [{ graph: own }, { slot }] : [{ slot }]
    for (const each of back) {
      const answer = await change(each, isLeaving)
      if (!answer.ok) return become({ is: 'ended', problem: answer.problem })
    }
  }

  return { store, start, put, stop, settled: () => sending }
}
export type Trial = ReturnType<typeof createTrial>
