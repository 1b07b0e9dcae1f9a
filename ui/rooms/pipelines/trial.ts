// A pipeline tried on a stream: what is on the page runs there, each change as soon as the one before is through. The
// service stores nothing of it and runs what is stored again at the end, also when this page is not heard of any more.
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
  /** As it is stored. */
  readonly pipeline: Graph
  /** The slot that is active; null: it runs a pipeline of its own. */
  readonly slot: number | null
  /** What is tried on it; null: nothing. */
  readonly tried: Graph | null
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

/** So long the stream runs it when this page falls silent: browsers let a hidden page run once a minute. */
export const TRIAL_S = 90
const RENEW_EVERY_MS = 30_000

const STALE = 'revision.stale'

const OTHERS_CHANGED: Problem = {
  code: STALE,
  detail: 'Somebody else has given the stream another pipeline. It runs theirs, and nothing is tried on it any more.',
}

const OVER: Problem = {
  code: 'trial.over',
  detail: `It runs what is stored again: somebody has chosen that, or this page was not heard of for ${TRIAL_S} s.`,
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
  /** What the stream runs, as far as is known. */
  let last: Graph | undefined
  /** Whether the stream tries it, and does not just run it. */
  let isTried = false
  let wanted: Graph | undefined
  let isSending = false
  let sending = Promise.resolve()
  let renewing: ReturnType<typeof setInterval> | undefined
  /** How often it was started or stopped: what a start has waited for is of no interest to a later one. */
  let turn = 0

  const isOn = () => store.getSnapshot().context.state.is === 'on'

  const end = (state: TrialState): void => {
    clearInterval(renewing)
    isTried = false
    wanted = undefined
    become(state)
  }

  const orderOf = (graph: Graph): Change => {
    const { layout: _, ...rest } = graph
    return isKept ? { graph } : { graph: rest, trial_s: TRIAL_S }
  }

  /** Whether nobody but this page has changed what the stream runs. */
  const isOurs = ({ tried, pipeline }: Running): boolean =>
    isTried
      ? tried !== null && last !== undefined && doesSame(tried, last)
      : doesSame(tried ?? pipeline, last ?? before?.tried ?? before?.pipeline ?? pipeline)

  /** Takes up the revision of a stream that is. */
  const isStillOurs = async (): Promise<boolean> => {
    const now = await read()
    if (!now.ok || !isOurs(now.value)) return false
    revision = now.value.revision
    return true
  }

  const send = async (graph: Graph, isAgain = false): Promise<void> => {
    onSending?.(graph)
    const answer = await change({ ...orderOf(graph), expected_revision: revision }, false)
    if (answer.ok) {
      revision = answer.revision ?? revision
      last = graph
      isTried = !isKept
      if (isOn()) become({ is: 'on', problem: undefined })
      onRuns?.(graph, revision)
      return
    }
    if (!isOn()) return
    if (answer.problem.code !== STALE) return become({ is: 'on', problem: answer.problem })
    if (!isAgain && (await isStillOurs())) return send(graph, true)
    end({ is: 'ended', problem: OTHERS_CHANGED })
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

  /** Looks whether the stream still tries what this page has sent, and ends the trial here if not. */
  const look = async (): Promise<boolean> => {
    if (!isOn() || !isTried || isSending) return false
    const looked = last
    const now = await read()
    if (!now.ok || !isOn() || isSending || last !== looked) return false
    revision = now.value.revision
    if (isOurs(now.value)) return true
    end({ is: 'ended', problem: now.value.tried ? OTHERS_CHANGED : OVER })
    return false
  }

  /** What runs goes on, also while what is on the page by now cannot. */
  const renew = async (): Promise<void> => {
    if (!(await look()) || !last) return
    isSending = true
    // where somebody has stored something since it was looked, the next time is soon enough
    sending = change({ ...orderOf(last), expected_revision: revision }, false).then(sendAll)
    await sending
  }

  /** Has the stream run a graph; of several that come at once the newest. */
  const put = (graph: Graph): void => {
    wanted = graph
    if (isOn() && !isSending) sending = sendAll()
  }

  const start = async (graph: Graph): Promise<void> => {
    turn += 1
    const own = turn
    become({ is: 'starting' })
    const now = await read()
    if (own !== turn) return
    if (!now.ok) return end({ is: 'ended', problem: now.problem })
    before = now.value
    revision = before.revision
    last = before.slot === null && !before.tried ? before.pipeline : undefined
    become({ is: 'on', problem: undefined })
    if (!isKept) renewing = setInterval(() => void renew(), RENEW_EVERY_MS)
    put(wanted ?? graph)
  }

  /** Ends it. isLeaving: the page is being left, where nothing can be waited for. */
  const stop = async (isLeaving = false): Promise<void> => {
    turn += 1
    const own = turn
    clearInterval(renewing)
    wanted = undefined
    become({ is: 'off' })
    if (!isLeaving) await sending
    if (own !== turn) return
    const mayBeTried = isTried || (isSending && !isKept)
    isTried = false
    if (!mayBeTried) return
    const answer = await change({ trial_s: null }, isLeaving)
    if (!answer.ok) become({ is: 'ended', problem: answer.problem })
  }

  return { store, start, put, look, stop, settled: () => sending }
}
export type Trial = ReturnType<typeof createTrial>
