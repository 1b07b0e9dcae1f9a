// The live picture beside the graph, and what the stream says of the nodes.
import { Timer } from 'lucide-react'
import { Button, State } from '../../parts/parts.tsx'
import { type FrameFacts, LivePicture } from '../../pictures/live-picture.tsx'
import { useQueryChoices } from '../../state/query-choices.ts'
import type { AnyStream } from '../../state/streams.ts'
import { useEditor } from './editor-context.ts'
import type { Graph } from './graph.ts'
import { outputPort } from './wires.ts'

interface BesideProps {
  readonly stream: AnyStream
  /** What it runs. */
  readonly running: Graph
  /** undefined: it cannot be asked how long its nodes take. */
  readonly onMeasure: (() => void) | undefined
  /** Told of the frame on the screen. */
  readonly onFrame: (facts: FrameFacts) => void
}

const MAX_WIDTH_PX = 640
const OVER_CAMERA = { tags: true, found: true }
const OVER_OUTPUT = {}

/** The picture, with a choice of which one. */
export const Beside = ({ stream, running, onMeasure, onFrame }: BesideProps) => {
  const { spec, status } = stream
  const { types } = useEditor()
  const [search, choose] = useQueryChoices()
  const pictures = running.outputs.filter(({ from }) => outputPort(running, types, from)?.kind === 'image')
  const wanted = search.get('picture')
  const shown = pictures.find(({ port }) => port === wanted)?.port
  return (
    <section className="card beside" aria-label={`Picture of ${spec.alias}`}>
      <div className="beside-picture">
        <LivePicture
          stream={stream}
          maxWidth={MAX_WIDTH_PX}
          overlay={shown === undefined ? OVER_CAMERA : OVER_OUTPUT}
          label={shown === undefined ? spec.alias : `${spec.alias}, ${shown}`}
          onFrame={onFrame}
          {...(shown !== undefined && { output: shown })}
        />
      </div>
      <div className="row card-body">
        <State state={status.state} />
        <select
          className="input grow"
          aria-label="Which picture"
          value={shown ?? ''}
          onChange={({ target }) => choose('picture', target.value)}
        >
          <option value="">camera</option>
          {pictures.map(({ port }) => (
            <option key={port}>{port}</option>
          ))}
        </select>
        {onMeasure && (
          <Button
            icon={<Timer size={18} aria-hidden />}
            aria-label="Measure the nodes"
            title="Reads how long each node took of late"
            onClick={onMeasure}
          />
        )}
      </div>
    </section>
  )
}
