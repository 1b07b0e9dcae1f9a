// What driving about says of a lens that was calibrated.
import { Link } from 'wouter'
import { Alert, Button, Card, Pill, ProblemNote } from '../../parts/parts.tsx'
import { type LensCheck, useLensCheck } from '../../state/lens-check.ts'
import { type Stream, useOwnStreams } from '../../state/streams.ts'
import type { Shown } from '../../words.ts'
import { sentence } from './verdict.tsx'
import { startAddress } from './words.ts'

const STATES: Readonly<Record<LensCheck['state'], Shown>> = {
  gathering: { word: 'not known yet', tone: 'quiet' },
  fits: { word: 'fits', tone: 'good' },
  off: { word: 'off', tone: 'bad' },
}

const lensOf = ({ spec }: Stream): string => JSON.stringify(spec.intrinsics ?? null)

const CalibrateAgain = ({ id }: { readonly id: string }) => (
  <Link className="button" href={startAddress(id)}>
    Calibrate again
  </Link>
)

/** On the page of a stream: nothing, unless its lens is off. */
export const LensOff = ({ stream }: { readonly stream: Stream }) => {
  const { check } = useLensCheck(stream.id, lensOf(stream))
  if (check?.state !== 'off') return null
  return (
    <Alert tone="bad" action={<CalibrateAgain id={stream.id} />}>
      <strong>Its lens is not as it was calibrated.</strong> {sentence(check.detail)}
    </Alert>
  )
}

const Row = ({ stream }: { readonly stream: Stream }) => {
  const { check, problem, refresh } = useLensCheck(stream.id, lensOf(stream))
  return (
    <li>
      <div className="grow stack">
        <span className="row">
          <strong>{stream.spec.alias}</strong>
          {check && <Pill tone={STATES[check.state].tone}>{STATES[check.state].word}</Pill>}
        </span>
        {check && <span>{sentence(check.detail)}</span>}
        {problem && <ProblemNote problem={problem} />}
        <span className="row">
          {check?.state === 'off' && <CalibrateAgain id={stream.id} />}
          <Button onClick={() => void refresh()}>Look again</Button>
        </span>
      </div>
    </li>
  )
}

/** Of the streams on which a calibration is in force. */
export const LensChecks = ({ streams }: { readonly streams: readonly string[] }) => {
  const all = useOwnStreams()?.filter(({ id }) => streams.includes(id)) ?? []
  if (all.length === 0) return null
  return (
    <Card title="Seen while driving">
      <ul className="list" aria-label="Seen while driving">
        {all.map((stream) => (
          <Row key={stream.id} stream={stream} />
        ))}
      </ul>
    </Card>
  )
}
