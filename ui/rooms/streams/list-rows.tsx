// One stream in the table.
import { Trash2 } from 'lucide-react'
import { Link } from 'wouter'
import { Button, Pill, State } from '../../parts/parts.tsx'
import { cameras } from '../../state/device.ts'
import { useKnownOf } from '../../state/live.ts'
import { attachedTo, type RemoteStream, type Stream, streams, useFigures } from '../../state/streams.ts'
import { figureOf } from '../../words.ts'
import { describeMode, describePipeline, describeSource, streamAddress } from './describe.ts'
import { forgetStream } from './forgotten.ts'
import { RecordingClock } from './recording-clock.tsx'
import { useDeviceOf } from './target.ts'

/** A figure with its unit, or a dash. */
const Measured = ({ value, digits = 0, unit }: { value: number | null | undefined; digits?: number; unit: string }) => (
  <>
    {figureOf(value, digits)}
    {typeof value === 'number' && <span className="unit">{unit}</span>}
  </>
)

/** What the maker of the camera of a stream calls it. */
export const useCameraName = ({ source }: Stream['spec']): string | undefined =>
  useKnownOf(cameras, ({ value }) =>
    source.backend === 'v4l2' ? value?.find(({ camera_uid }) => camera_uid === source.camera_uid)?.name : undefined,
  )

/** One of this device. */
export const OwnRow = ({
  stream,
  isChosen,
  onChoose,
}: {
  readonly stream: Stream
  readonly isChosen: boolean
  readonly onChoose: (isChosen: boolean) => void
}) => {
  const { id, spec, status } = stream
  const figures = useFigures(id)
  const cameraName = useCameraName(spec)
  const remote = useKnownOf(streams, ({ value }) => value && attachedTo(value, id))
  const device = useDeviceOf(remote ?? stream)
  const reason = status.fault ?? status.pipeline.fault
  return (
    <tr>
      <td>
        <input
          type="checkbox"
          aria-label={`Choose ${spec.alias}`}
          checked={isChosen}
          onChange={({ target }) => onChoose(target.checked)}
        />
      </td>
      <th scope="row">
        <Link href={streamAddress(id)}>{spec.alias}</Link>
        {reason && <p className="streams-reason">{reason.detail}</p>}
      </th>
      <td>
        <State state={status.state} />
      </td>
      <td>
        {remote ? (
          <Link href={streamAddress(remote.id)}>
            {remote.spec.alias} on {device}
          </Link>
        ) : (
          describeSource(spec, cameraName)
        )}
      </td>
      <td>{describeMode(stream)}</td>
      <td>{describePipeline(stream)}</td>
      <td>
        <Measured value={figures ? figures.fps : status.fps} digits={1} unit="fps" />
      </td>
      <td>
        <Measured value={figures?.latency_ms} digits={1} unit="ms" />
      </td>
      <td>{figures?.restarts ?? status.restarts}</td>
      <td>{status.recording ? <RecordingClock stream={stream} /> : '–'}</td>
      <td>
        <Button
          kind="plain"
          icon={<Trash2 size={16} aria-hidden />}
          aria-label={`Delete ${spec.alias}`}
          onClick={() => forgetStream(id, spec.alias)}
        />
      </td>
    </tr>
  )
}

/** One of another device. */
export const RemoteRow = ({ stream }: { readonly stream: RemoteStream }) => {
  const { id, spec, status, compute, authority, origin } = stream
  const device = useDeviceOf(stream)
  return (
    <tr>
      <th scope="row">
        <Link href={streamAddress(id)}>{spec.alias}</Link>
        <p className="hint">remote native stream on {device}</p>
      </th>
      <td>{origin.stale ? <State state="stale" /> : <State state={status.state} />}</td>
      <td>{device}</td>
      <td>{describeMode(stream)}</td>
      <td>
        <State state={compute} />
      </td>
      <td>
        <Pill tone="peer">{authority === 'source' ? `${device} decides` : 'this device decides'}</Pill>
      </td>
      <td>{stream.revision}</td>
    </tr>
  )
}
