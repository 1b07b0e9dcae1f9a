// What runs on the pictures of a stream: its own pipeline, or a stored one in a slot.
import { useState } from 'react'
import { Link } from 'wouter'
import { Button, Field, ProblemNote, WriteNote } from '../../parts/parts.tsx'
import { useKnown } from '../../state/live.ts'
import type { Stream } from '../../state/streams.ts'
import { useWrite } from '../../state/write.ts'
import { pipelineAddress } from './describe.ts'
import { storedPipelines } from './stored-pipelines.ts'
import type { PipelineChange, StreamTarget } from './target.ts'

interface PipelineProps {
  readonly stream: Stream
  readonly target: StreamTarget
}

/** The stored pipelines by their names. */
const useStored = () => {
  const { value = [], problem } = useKnown(storedPipelines)
  const nameOf = (id: string) => value.find((each) => each.id === id)?.spec.name ?? id
  return { value, problem, nameOf }
}

/** One of them runs; the others wait in their slots. */
export const OwnPipelineTab = ({ stream, target }: PipelineProps) => {
  const { spec, status } = stream
  const { value: stored, problem, nameOf } = useStored()
  const { state, write } = useWrite({ target: target.device, heeds: target.heeds })
  const [picked, setPicked] = useState('')
  const slots = spec.slots ?? []
  const active = spec.active_slot ?? null
  const isFault = status.pipeline.fault !== null
  const set = (change: PipelineChange) => write(() => target.setPipeline(change))
  const free = stored.filter(({ id }) => !slots.some(({ graph_id }) => graph_id === id))

  return (
    <div className="stack">
      {status.pipeline.trial && (
        <p className="row" role="status">
          <span className="grow">
            A pipeline is tried on it, and not stored. What is stored runs again as soon as whoever tries it stops, or
            is not heard of any more.
          </span>
          <Button onClick={() => void set({ trial_s: null })}>End the trial</Button>
        </p>
      )}
      {isFault && <ProblemNote title="It does not run." problem={status.pipeline.fault as never} />}
      <fieldset className="streams-slots">
        <legend>Runs now</legend>
        <label>
          <input type="radio" name="slot" checked={active === null} onChange={() => void set({ slot: null })} />
          <span className="grow">
            {(active === null ? spec.pipeline : spec.own_pipeline)?.name ?? 'Its own pipeline'}
            <span className="hint"> of this stream alone</span>
          </span>
        </label>
        {slots.map(({ slot, graph_id }) => (
          <div key={slot} className="row">
            <label className="grow">
              <input type="radio" name="slot" checked={active === slot} onChange={() => void set({ slot })} />
              <span className="grow">
                {nameOf(graph_id)} <span className="hint">slot {slot}</span>
              </span>
            </label>
            {active !== slot && (
              <Button
                kind="plain"
                aria-label={`Take ${nameOf(graph_id)} out of slot ${slot}`}
                onClick={() => void set({ graph_id: null, slot })}
              >
                Take out
              </Button>
            )}
          </div>
        ))}
      </fieldset>
      <WriteNote state={state} />
      <div className="row">
        <Link className="button" href={pipelineAddress(stream)}>
          Open it in the editor
        </Link>
        <span className="hint">
          {spec.pipeline.nodes.length} steps, outputs{' '}
          {spec.pipeline.outputs.map(({ port }) => port).join(', ') || 'none'}
        </span>
      </div>
      {problem && <ProblemNote problem={problem} />}
      {free.length > 0 ? (
        <form
          className="row"
          onSubmit={(event) => {
            event.preventDefault()
            void set({ graph_id: picked }).then(({ ok }) => ok && setPicked(''))
          }}
        >
          <Field name="Another stored pipeline">
            {(id) => (
              <select
                id={id}
                className="input"
                required
                value={picked}
                onChange={(event) => setPicked(event.target.value)}
              >
                <option value="">Choose one</option>
                {free.map((each) => (
                  <option key={each.id} value={each.id}>
                    {nameOf(each.id)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Button type="submit">Run it</Button>
        </form>
      ) : (
        stored.length === 0 && (
          <p className="hint">
            No pipeline is stored on this device. Store one in the <Link href="/pipelines">editor</Link>: then streams
            can be switched between them by name.
          </p>
        )
      )}
    </div>
  )
}
