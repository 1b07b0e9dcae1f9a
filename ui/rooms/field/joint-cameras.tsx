// Each camera of the joint pose: whether it is used, and how far it disagrees with all of them.
import { Link } from 'wouter'
import { Card, Pill } from '../../parts/parts.tsx'
import type { Solve, SolveCamera } from '../../state/localization-wire.ts'
import { figureOf } from '../../words.ts'
import { type Agreement, type MeanOffsets, offsetInWords } from './joint-words.ts'
import { streamReasonOf } from './reasons.ts'

/** What it takes. */
export interface JointCamerasProps {
  readonly solve: Solve
  /** Over the last seconds. */
  readonly offsets: MeanOffsets
  readonly nameOf: (streamId: string) => string
}

/** All of them. */
export const JointCameras = ({ solve, offsets, nameOf }: JointCamerasProps) => (
  <Card title="Cameras">
    {solve.cameras.length === 0 ? (
      <p className="card-body hint">There is no camera. Plug one in: it shows in Overview.</p>
    ) : (
      <ul className="list field-cameras">
        {solve.cameras.map((camera) => (
          <Row
            key={camera.stream_id}
            camera={camera}
            name={nameOf(camera.stream_id)}
            offset={offsets.of(camera.stream_id)}
            agreement={offsets.agreementOf(camera.stream_id)}
            yawDeg={solve.pose?.yaw_deg ?? 0}
          />
        ))}
      </ul>
    )}
  </Card>
)

interface RowProps {
  readonly camera: SolveCamera
  readonly name: string
  readonly offset: SolveCamera['offset'] | undefined
  readonly agreement: Agreement | undefined
  readonly yawDeg: number
}

const Row = ({
  camera: { stream_id, used, reason, tags_used, residual_px, age_ms },
  name,
  offset,
  agreement,
  yawDeg,
}: RowProps) => {
  const why = reason === null ? undefined : streamReasonOf(reason)
  const mend = why?.mend?.(stream_id)
  const seesTags = used && tags_used > 0
  const isOff = seesTags && (agreement === 'off' || agreement === 'unclear')
  const tone = why?.tone ?? (isOff ? 'bad' : seesTags ? 'good' : 'quiet')
  const word = why?.word ?? (isOff ? 'disagrees' : seesTags ? 'used' : 'no tag is used')
  return (
    <li>
      <div className="grow">
        <div className="row">
          <Link href={`/streams/${encodeURIComponent(stream_id)}`}>
            <strong>{name}</strong>
          </Link>
          <Pill tone={tone}>{word}</Pill>
        </div>
        {why && (
          <p className="hint">
            {why.sentence} {mend && <Link href={mend.href}>{mend.words}</Link>}
          </p>
        )}
        {!why && (
          <p className="hint">
            {!seesTags && 'It sees no tag that counts now.'}
            {seesTags && !offset && 'No other camera saw tags with it, to compare.'}
            {seesTags && offset && agreement && (
              <Disagreement offset={offset} yawDeg={yawDeg} agreement={agreement} name={name} />
            )}
          </p>
        )}
      </div>
      {!why && (
        <dl className="field-camera-figures">
          <div>
            <dt>tags</dt>
            <dd>{tags_used}</dd>
          </div>
          <div>
            <dt>residual</dt>
            <dd>{residual_px === null ? '–' : `${figureOf(residual_px, 1)} px`}</dd>
          </div>
          <div>
            <dt>age</dt>
            <dd>{age_ms === null ? '–' : `${figureOf(age_ms)} ms`}</dd>
          </div>
        </dl>
      )}
    </li>
  )
}

interface DisagreementProps {
  readonly offset: NonNullable<SolveCamera['offset']>
  readonly yawDeg: number
  readonly agreement: Agreement
  readonly name: string
}

/** By itself a camera would have the robot somewhere else. */
const Disagreement = ({ offset, yawDeg, agreement, name }: DisagreementProps) => {
  const words = offsetInWords(offset, yawDeg)
  if (words === undefined) return <>Agrees with the others.</>
  if (agreement === 'agrees') return <>Agrees but for {words}.</>
  if (agreement === 'less') return <>By it alone the robot is {words}, as another camera is farther off.</>
  if (agreement === 'unclear')
    return (
      <>
        {name} and another camera disagree: by it alone the robot is {words}. Which of them sits off shows only when a
        third camera sees tags with them.
      </>
    )
  return (
    <>
      {name} disagrees: by it alone the robot is {words}. Its mount may have moved:{' '}
      <Link href="/rig">see where it is set</Link>.
    </>
  )
}
