// Trying what is on the page on a stream: which one, and how that goes.
import { useSelector } from '@xstate/store-react'
import { FlaskConical, Square } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { onEvent, onReset } from '../../api/feed.ts'
import { Button, ProblemNote } from '../../parts/parts.tsx'
import { readStream, type Stream, useOwnStreams } from '../../state/streams.ts'
import { type Edited, graphOf } from './edit.ts'
import { useEditor } from './editor-context.ts'
import { doesSame, type Graph } from './graph.ts'
import { changePipeline } from './stored.ts'
import { createTrial, type Running, TRIAL_S, type Trial, type TrialState } from './trial.ts'

const runningOf = ({ revision, spec, status }: Stream): Running => ({
  revision,
  pipeline: spec.pipeline,
  slot: spec.active_slot ?? null,
  tried: status.pipeline.trial?.graph ?? null,
})

/** A trial on a stream, off until it is started; it ends with the page. isKept: it is the stream that is edited. */
export const useTrial = (streamId: string | undefined, isKept: boolean): Trial | undefined => {
  const { edit, types } = useEditor()
  const trial = useMemo(
    () =>
      streamId === undefined
        ? undefined
        : createTrial({
            read: async () => {
              const answer = await readStream(streamId)
              return answer.ok ? { ...answer, value: runningOf(answer.value) } : answer
            },
            change: (change, isLeaving) => changePipeline(streamId, change, isLeaving),
            doesSame: (a: Graph, b: Graph) => doesSame(a, b, types),
            isKept,
            ...(isKept && {
              onSending: (sent: Graph) => edit.trigger.sending({ graph: sent }),
              onRuns: (runs: Graph, revision: number) => edit.trigger.stored({ saved: { graph: runs, revision } }),
            }),
          }),
    [streamId, isKept, edit, types],
  )
  useEffect(() => {
    if (!trial) return undefined
    let known: Graph | undefined
    const put = (edited: Edited) => {
      if (graphOf(edited) === known) return
      known = graphOf(edited)
      trial.put(known)
    }
    put(edit.getSnapshot().context)
    // at once, and not when React has drawn the editor with it
    const { unsubscribe } = edit.subscribe(({ context }) => put(context))
    return unsubscribe
  }, [trial, edit])
  useEffect(() => {
    if (!trial || streamId === undefined) return undefined
    const look = () => void trial.look()
    const stopHearing = onReset(look)
    const stop = onEvent(({ kind, resource_ref: { stream_id, peer_id } }) => {
      if (kind === 'pipeline_changed' && stream_id === streamId && peer_id === undefined) look()
    })
    return () => {
      stopHearing()
      stop()
    }
  }, [trial, streamId])
  useEffect(() => {
    if (!trial) return undefined
    const leave = () => void trial.stop(true)
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      void trial.stop()
    }
  }, [trial])
  return trial
}

const OFF: TrialState = { is: 'off' }
const NOTHING = createTrial({
  read: () => Promise.reject(new Error('there is no stream')),
  change: () => Promise.reject(new Error('there is no stream')),
  doesSame: Object.is,
  isKept: false,
})

/** How a trial is. */
export const useTrialState = (trial: Trial | undefined): TrialState => {
  const state = useSelector((trial ?? NOTHING).store, ({ context }) => context.state)
  return trial ? state : OFF
}

/** Which stream is looked at beside the graph, and whether it runs what is on the page. */
export const TryOn = ({ streamId, trial, isKept }: TryOnProps) => {
  const { edit } = useEditor()
  const streams = useOwnStreams()
  const [, setSearch] = useSearchParams()
  const { is } = useTrialState(trial)
  const choose = (id: string) =>
    setSearch(
      (now) => {
        if (id === '') now.delete('on')
        else now.set('on', id)
        now.delete('picture')
        return now
      },
      { replace: true },
    )
  const isRunning = is === 'on' || is === 'starting'
  return (
    <>
      {!isKept && (
        <label className="row try-on">
          Look at
          <select
            className="input"
            value={streamId ?? ''}
            disabled={isRunning}
            onChange={({ target }) => choose(target.value)}
          >
            <option value="">no stream</option>
            {streams?.map(({ id, spec }) => (
              <option key={id} value={id}>
                {spec.alias}
              </option>
            ))}
          </select>
        </label>
      )}
      {trial &&
        (isRunning ? (
          <Button icon={<Square size={18} aria-hidden />} onClick={() => void trial.stop()}>
            {isKept ? 'Wait for Save' : 'Stop trying'}
          </Button>
        ) : (
          <Button
            icon={<FlaskConical size={18} aria-hidden />}
            title="Each change runs on the stream at once"
            onClick={() => void trial.start(edit.getSnapshot().context.history.now)}
          >
            {isKept ? 'Run each change' : 'Try on it'}
          </Button>
        ))}
    </>
  )
}

interface TryOnProps {
  readonly streamId: string | undefined
  readonly trial: Trial | undefined
  /** Whether what is tried stays: it is the pipeline of the stream that is edited. */
  readonly isKept: boolean
}

/** What became of it. */
export const TrialNote = ({
  trial,
  alias,
  isKept,
}: Pick<TryOnProps, 'trial' | 'isKept'> & { readonly alias: string }) => {
  const state = useTrialState(trial)
  if (state.is === 'ended') return <ProblemNote problem={state.problem} title="The trial has ended." />
  if (state.is !== 'on') return null
  if (state.problem)
    return <ProblemNote problem={state.problem} title={`${alias} goes on with the previous pipeline.`} />
  return (
    <p className="hint" role="status">
      {isKept
        ? `${alias} runs each change at once, and keeps it.`
        : `${alias} runs what is on this page. What is stored is back when you stop, or are gone for ${TRIAL_S} s.`}
    </p>
  )
}
