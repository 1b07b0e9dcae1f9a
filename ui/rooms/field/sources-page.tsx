// Who says where the robot is, whether it counts, and how old it is.
import { RefreshCw } from 'lucide-react'
import { Link } from 'wouter'
import { Age, Button, Card, Empty, Pill, ProblemNote } from '../../parts/parts.tsx'
import { peers } from '../../state/device.ts'
import { useKnown, useKnownOf } from '../../state/live.ts'
import { type PlaceSource, placeSources } from '../../state/localization-sources.ts'
import { useOwnStreams } from '../../state/streams.ts'
import { figureOf } from '../../words.ts'
import { ExternalSources } from './external-sources.tsx'
import { sourceReasonOf } from './reasons.ts'

const keyOf = (source: PlaceSource): string => {
  const of = source.source === 'stream' ? source.stream_id : source.source === 'peer' ? source.peer_id : source.id
  return `${source.source} ${of} ${source.output_key}`
}

/** The page. */
export const SourcesPage = () => {
  const { value, problem } = useKnown(placeSources)
  const streams = useOwnStreams() ?? []
  const others = useKnownOf(peers, (known) => known.value) ?? []
  const nameOf = (source: PlaceSource): string => {
    if (source.source === 'stream')
      return streams.find(({ id }) => id === source.stream_id)?.spec.alias ?? source.stream_id
    if (source.source === 'peer') return others.find(({ id }) => id === source.peer_id)?.name ?? source.peer_id
    return source.id
  }
  return (
    <>
      <h1>Sources</h1>
      {problem && <ProblemNote problem={problem} />}
      <div className="field-sources">
        <Card
          title="Who says where something is"
          side={
            <Button icon={<RefreshCw size={16} aria-hidden />} onClick={placeSources.refresh}>
              Look again
            </Button>
          }
        >
          {value?.items.length === 0 && (
            <Empty>No pipeline says where a tag or the robot is, and no other device or program does.</Empty>
          )}
          <ul className="list">
            {value?.items.map((source) => (
              <Row key={keyOf(source)} source={source} name={nameOf(source)} readMs={value.readMs} />
            ))}
          </ul>
        </Card>
        <ExternalSources />
      </div>
    </>
  )
}

const OLD_MS = 2000 // what is younger comes all the time: its age when it was read says more than one that grows

interface RowProps {
  readonly source: PlaceSource
  readonly name: string
  readonly readMs: number
}

const Row = ({ source, name, readMs }: RowProps) => {
  const { output_key, data_type, age_ms, used, why_not } = source
  const why = why_not === null ? undefined : sourceReasonOf(why_not)
  const mend = source.source === 'stream' ? why?.mend?.(source.stream_id) : undefined
  return (
    <li className="field-source">
      <div className="grow">
        <strong>{name}</strong> <code>{output_key}</code>{' '}
        <span className="hint">
          {data_type.replaceAll('_', ' ')}
          {source.source === 'peer' ? ', another device' : source.source === 'external' ? ', another program' : ''}
        </span>
        {why && (
          <p className="hint">
            {why.sentence} {mend && <Link href={mend.href}>{mend.words}</Link>}
          </p>
        )}
      </div>
      <span className="hint">
        {age_ms === null ? (
          'age not known'
        ) : age_ms < OLD_MS ? (
          `${figureOf(age_ms)} ms old`
        ) : (
          <>
            <Age sinceMs={Date.now() - (performance.now() - readMs) - age_ms} /> old
          </>
        )}
      </span>
      <Pill tone={used ? 'good' : (why?.tone ?? 'quiet')}>{used ? 'counts' : (why?.word ?? 'does not count')}</Pill>
    </li>
  )
}
