// What is and was wrong with a stream.
import { RotateCw } from 'lucide-react'
import { api, ask } from '../../api/client.ts'
import { browserTimeOf } from '../../api/device-clock.ts'
import { Age, Button, ProblemNote, WriteNote } from '../../parts/parts.tsx'
import { errors, peers } from '../../state/device.ts'
import { useKnown, useKnownOf } from '../../state/live.ts'
import { faultsOf, type RemoteStream, type Stream } from '../../state/streams.ts'
import { useWrite } from '../../state/write.ts'
import { counted, timeOf } from '../../words.ts'

const restart = (id: string) => ask(api.POST('/v1/streams/{id}/restart', { params: { path: { id } }, body: {} }))

/** Faults of now of a stream of another device. What was before stands on its own page. */
export const RemoteFaultsTab = ({
  stream,
  device,
}: {
  readonly stream: RemoteStream
  readonly device: string | undefined
}) => {
  const { fault, pipelineFault } = faultsOf(stream)
  const own = useKnownOf(peers, ({ value }) => value?.find(({ id }) => id === stream.origin.peer_id)?.base_url)
  const isTold = stream.status.fault !== undefined
  return (
    <div className="stack">
      {fault && <ProblemNote problem={fault} />}
      {pipelineFault && <ProblemNote problem={pipelineFault} />}
      {!fault && !pipelineFault && (
        <p>{isTold ? 'Nothing is wrong with it at present.' : `${device} does not tell others what is wrong.`}</p>
      )}
      {own !== undefined && (
        <p className="hint">
          Its history, and a restart, are on{' '}
          <a href={`${own}/streams/${encodeURIComponent(stream.spec.id)}?tab=faults`}>the page of {device}</a>.
        </p>
      )}
    </div>
  )
}

/** Faults of now, warnings, what the history has, and a restart. */
export const FaultsTab = ({ stream: { id, status } }: { readonly stream: Stream }) => {
  const { state, write } = useWrite()
  const { value: history, problem } = useKnown(errors)
  const mine = history?.filter(({ resource }) => resource === `streams/${id}` || resource.startsWith(`streams/${id}/`))
  const faults = [status.fault, status.pipeline.fault, status.recording?.fault].filter((fault) => fault != null)
  return (
    <div className="stack">
      {faults.map((fault) => (
        <ProblemNote key={fault.code} problem={fault} />
      ))}
      {faults.length === 0 && <p>Nothing is wrong with it at present.</p>}
      {status.warnings.length > 0 && (
        <section className="stack">
          <h2>Although it works</h2>
          {status.warnings.map((warning) => (
            <div key={warning.code}>
              <ProblemNote problem={warning} />
              <p className="hint">
                {counted(warning.count, 'time')} since the camera was opened, last at{' '}
                {timeOf(browserTimeOf(warning.last_at_ms))}
              </p>
            </div>
          ))}
        </section>
      )}
      <div className="row">
        <Button icon={<RotateCw size={16} aria-hidden />} onClick={() => void write(() => restart(id))}>
          Restart the stream
        </Button>
        <span className="hint">
          {counted(status.restarts, 'restart')} after crashes; in this state for{' '}
          <Age sinceMs={browserTimeOf(status.since_ms)} />
        </span>
      </div>
      <WriteNote state={state} />
      <section className="stack">
        <h2>History</h2>
        {problem && <ProblemNote problem={problem} />}
        {mine?.length === 0 && <p className="hint">The history has nothing of this stream.</p>}
        {mine && mine.length > 0 && (
          <ul>
            {mine.toReversed().map((entry) => (
              <li key={entry.code} className="streams-error">
                <ProblemNote problem={entry} />
                <p className="hint">
                  {counted(entry.count, 'time')}, last at {timeOf(browserTimeOf(entry.last_at_ms))}
                </p>
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  )
}
