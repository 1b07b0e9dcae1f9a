// What the chip says of turns while it holds still, and the way to have it measured.
import { api, ask, type Documents } from '../../api/client.ts'
import { browserTimeOf } from '../../api/device-clock.ts'
import { Alert, Button, Card, Figure, Figures, ProblemNote, WriteNote } from '../../parts/parts.tsx'
import { jobs } from '../../state/device.ts'
import { type Imu, measureBias } from '../../state/imu.ts'
import { useKnownOf } from '../../state/live.ts'
import { useWrite } from '../../state/write.ts'
import { figureOf } from '../../words.ts'
import { useChange } from './use-change.ts'

type Job = Documents['Job']

const KIND = 'imu_bias'
const LISTENS_S = 5

const Measuring = ({ job: { id, state, progress } }: { readonly job: Job }) => {
  const cancelling = useWrite()
  const cancel = () => cancelling.write(() => ask(api.DELETE('/v1/jobs/{id}', { params: { path: { id } }, body: {} })))
  return (
    <div className="stack">
      <p role="status">
        <strong>Leave the robot alone.</strong>{' '}
        {progress.message || (state === 'queued' ? 'It waits for other work.' : 'It is being listened to.')}
      </p>
      <progress aria-label="The bias" max={100} {...(progress.percent !== null && { value: progress.percent })} />
      <div>
        <Button onClick={() => void cancel()}>Cancel</Button>
      </div>
      {cancelling.state.state === 'refused' && <WriteNote state={cancelling.state} />}
    </div>
  )
}

const Measured = ({
  bias: { gyro_dps, temperature_c, measured_at_ms },
}: {
  readonly bias: NonNullable<Imu['bias']>
}) => (
  <>
    <Figures>
      <Figure name="x" value={gyro_dps[0]} digits={3} unit="°/s" />
      <Figure name="y" value={gyro_dps[1]} digits={3} unit="°/s" />
      <Figure name="z" value={gyro_dps[2]} digits={3} unit="°/s" />
    </Figures>
    <p className="hint">
      Measured {new Date(browserTimeOf(measured_at_ms)).toLocaleString()}
      {temperature_c !== null && `, as the chip was ${figureOf(temperature_c, 1)} °C warm`}. Along the axes of the chip.
    </p>
  </>
)

/** The card. */
export const BiasCard = ({ imu }: { readonly imu: Imu }) => {
  const newest = useKnownOf(jobs, ({ value }) => value?.find(({ kind }) => kind === KIND))
  const { state, write } = useWrite()
  const { change, note } = useChange(imu)
  const isOpen = newest !== undefined && newest.ended_at_ms === null
  return (
    <Card title="Bias">
      <div className="card-body stack">
        {isOpen ? (
          <Measuring job={newest} />
        ) : (
          <>
            {imu.bias ? (
              <Measured bias={imu.bias} />
            ) : (
              <p>Nothing was measured. Yaw drifts by what the chip says of turns that are none.</p>
            )}
            {newest?.fault && (
              <Alert tone="bad">
                <ProblemNote problem={newest.fault} title="It was not measured." />
              </Alert>
            )}
            <p className="hint">
              Put the robot down, warm, with its motors off, and touch neither it nor its table for {LISTENS_S} seconds.
              Yaw is 0 again after that.
            </p>
            <div className="row">
              <Button
                disabled={imu.reading === null || state.state === 'pending'}
                onClick={() => void write(() => measureBias(LISTENS_S))}
              >
                Measure the bias
              </Button>
              {imu.bias && (
                <Button kind="plain" onClick={() => change({ bias: null })}>
                  Forget it
                </Button>
              )}
            </div>
          </>
        )}
        {state.state === 'refused' && <WriteNote state={state} />}
        {note.state.state !== 'idle' && <WriteNote {...note} />}
      </div>
    </Card>
  )
}
