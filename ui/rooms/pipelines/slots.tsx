// The slots of a stream: stored pipelines by number, between which a robot switches.
import { Button, Pill, WriteNote } from '../../parts/parts.tsx'
import { useKnown } from '../../state/live.ts'
import type { Stream } from '../../state/streams.ts'
import { useWrite } from '../../state/write.ts'
import { nameOf } from './pipeline-list.tsx'
import { changePipeline, graphs } from './stored.ts'

const NUMBERS = Array.from({ length: 10 }, (_, slot) => slot)

interface SlotsProps {
  readonly stream: Stream
  /** The stored pipeline that can be put into one; undefined: none is opened. */
  readonly graphId: string | undefined
}

/** All slots, with what can be done with each. */
export const Slots = ({ stream, graphId }: SlotsProps) => {
  const { state, write } = useWrite()
  const { value: stored } = useKnown(graphs)
  const { slots = [], active_slot: active } = stream.spec
  const change = (body: Parameters<typeof changePipeline>[1]) => void write(() => changePipeline(stream.id, body))
  const nameOfGraph = (id: string): string => {
    const graph = stored?.find((each) => each.id === id)
    return graph ? nameOf(graph) : id
  }
  return (
    <section className="stack" aria-label={`Slots of ${stream.spec.alias}`}>
      <p className="hint">
        {stream.spec.alias} runs {active === undefined ? 'a pipeline of its own' : `slot ${active}`}. A robot switches
        by the number.
      </p>
      <WriteNote state={state} />
      <ul className="slots">
        {NUMBERS.map((slot) => {
          const graph_id = slots.find((each) => each.slot === slot)?.graph_id
          return (
            <li key={slot} className="row">
              <strong>{slot}</strong>
              <span className={graph_id === undefined ? 'grow hint' : 'grow'}>
                {graph_id === undefined ? 'empty' : nameOfGraph(graph_id)}
              </span>
              {slot === active && <Pill tone="good">running</Pill>}
              {graph_id !== undefined && slot !== active && (
                <>
                  <Button aria-label={`Run slot ${slot}`} onClick={() => change({ slot })}>
                    Run
                  </Button>
                  <Button
                    kind="plain"
                    aria-label={`Empty slot ${slot}`}
                    onClick={() => change({ slot, graph_id: null })}
                  >
                    Empty
                  </Button>
                </>
              )}
              {graphId !== undefined && graph_id !== graphId && (
                <Button
                  aria-label={`Put this pipeline into slot ${slot}`}
                  onClick={() => change({ slot, graph_id: graphId, activate: false })}
                >
                  Put here
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      {active !== undefined && (
        <Button onClick={() => change({ slot: null })}>Run the pipeline of the stream alone</Button>
      )}
    </section>
  )
}
