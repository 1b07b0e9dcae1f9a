// All calibrations, camera by camera: how old, of which mode, how good, and where each is in force.
import { Link } from 'wouter'
import { browserTimeOf } from '../../api/device-clock.ts'
import { Age, Card, Empty, Pill, ProblemNote } from '../../parts/parts.tsx'
import { calibrations, forgottenCalibrations, type KeptCalibration } from '../../state/calibrations.ts'
import { useForgotten } from '../../state/forgotten.ts'
import { useKnown } from '../../state/live.ts'
import { type Stream, useOwnStreams } from '../../state/streams.ts'
import { Actions } from './actions.tsx'
import { ImportCard } from './import-card.tsx'
import { UnderWay } from './under-way.tsx'
import { VerdictPill } from './verdict.tsx'
import { addressOf, describeMode, describeOrigin, startAddress } from './words.ts'

/** Those of one camera. */
interface OfCamera {
  readonly key: string
  readonly name: string
  readonly items: readonly KeptCalibration[]
}

const NO_CAMERA = 'Of no camera of this device'

const byCamera = (all: readonly KeptCalibration[]): readonly OfCamera[] =>
  [...Map.groupBy(all, ({ spec: { camera_uid, stream_id } }) => camera_uid ?? stream_id ?? '')].map(([key, items]) => {
    const { camera_name, stream_id } = items.at(-1)?.spec ?? {}
    return { key, name: camera_name ?? stream_id ?? NO_CAMERA, items: items.toReversed() }
  })

const Row = ({ kept }: { readonly kept: KeptCalibration }) => {
  const { id, spec, status } = kept
  return (
    <li className="calibration-row">
      <div className="grow">
        <div className="row">
          <Link href={addressOf(id)}>
            <strong>{spec.name}</strong>
          </Link>
          <VerdictPill verdict={spec.verdict} />
          {status.reasons.length > 0 && <Pill tone="busy">the camera has changed since</Pill>}
        </div>
        <div className="hint">
          {describeMode(spec)} · {describeOrigin(spec)} · <Age sinceMs={browserTimeOf(spec.made_at_ms)} /> old
        </div>
        {status.in_force_on.length > 0 && (
          <div className="row">
            <Pill tone="good">in force</Pill>
            <span className="hint">
              on{' '}
              {status.in_force_on.map((stream, at) => (
                <span key={stream}>
                  {at > 0 && ', '}
                  <Link href={`/streams/${encodeURIComponent(stream)}`}>{stream}</Link>
                </span>
              ))}
            </span>
          </div>
        )}
      </div>
      <Actions kept={kept} />
    </li>
  )
}

/** What a stream has for a lens, where nobody has calibrated it. */
const lensWords = ({ status: { lens } }: Stream): string | undefined => {
  if (!lens || lens.source === 'calibration') return undefined
  return lens.source === 'guessed'
    ? 'Nobody has calibrated the camera: its lens is guessed, and no poses are solved.'
    : 'Its lens is known by itself, as it is of the synthetic camera.'
}

const Streams = ({ streams }: { readonly streams: readonly Stream[] }) => (
  <Card title="Streams">
    {streams.length === 0 && (
      <Empty
        action={
          <Link className="button" href="/">
            Overview
          </Link>
        }
      >
        There is no stream yet. Plug a camera in and start it on the overview.
      </Empty>
    )}
    <ul className="list" aria-label="Streams">
      {streams.map((stream) => (
        <li key={stream.id}>
          <div className="grow">
            <Link href={`/streams/${encodeURIComponent(stream.id)}`}>
              <strong>{stream.spec.alias}</strong>
            </Link>
            <div className="hint">{lensWords(stream) ?? 'It has a calibration.'}</div>
          </div>
          <Link className="button" href={startAddress(stream.id)} aria-label={`Calibrate ${stream.spec.alias}`}>
            Calibrate
          </Link>
        </li>
      ))}
    </ul>
  </Card>
)

/** The list. */
export const CalibrationList = () => {
  const { value, problem } = useKnown(calibrations)
  const { ids, problem: refusal } = useForgotten(forgottenCalibrations)
  const streams = useOwnStreams()
  const cameras = byCamera(value?.filter(({ id }) => !ids.includes(id)) ?? [])
  return (
    <>
      <div className="page-head">
        <h1>Calibration</h1>
      </div>
      {problem && <ProblemNote problem={problem} />}
      {refusal && <ProblemNote problem={refusal} title="It was not deleted." />}
      <div className="calibration-page">
        <div className="stack">
          {cameras.map(({ key, name, items }) => (
            <Card key={key} title={name} side={<span className="hint">{key.startsWith('cam-') ? key : ''}</span>}>
              <ul className="list" aria-label={name}>
                {items.map((kept) => (
                  <Row key={kept.id} kept={kept} />
                ))}
              </ul>
            </Card>
          ))}
          {value && cameras.length === 0 && (
            <Card title="Calibrations">
              <Empty>
                No camera has been calibrated. Print a board, hold it in front of the camera, and poses become right:
                press Calibrate beside its stream.
              </Empty>
            </Card>
          )}
          {!value && !problem && <p className="hint">Loading</p>}
        </div>
        <div className="stack">
          <UnderWay />
          {streams && <Streams streams={streams} />}
          <ImportCard />
        </div>
      </div>
    </>
  )
}
