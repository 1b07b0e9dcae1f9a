// The IMU: where the robot points by it, what it says in the latest seconds, how it sits, its bias, and its settings.
import { Alert, Card, Figure, Figures, Pill, ProblemNote } from '../../parts/parts.tsx'
import { type Imu, useImu } from '../../state/imu.ts'
import { BiasCard } from './bias-card.tsx'
import { ImuPlots } from './imu-plots.tsx'
import { STATES, WAYS } from './imu-words.ts'
import { MountCard } from './mount-card.tsx'
import { OrientationCard } from './orientation-card.tsx'
import { SettingsCard } from './settings-card.tsx'

const Sentences = ({ sentences }: { readonly sentences: readonly string[] }) => (
  <ul className="imu-looked">
    {sentences.map((sentence) => (
      <li key={sentence}>{sentence}</li>
    ))}
  </ul>
)

/** What was looked for, of a problem that says so. */
const lookedFor = (context: Readonly<Record<string, unknown>> = {}): readonly string[] => {
  const { looked_for: sentences } = context
  return Array.isArray(sentences) ? sentences.map(String) : []
}

const UsedCard = ({ imu: { imu, way, rate_hz, measured_hz, temperature_c, looked_for } }: { readonly imu: Imu }) => (
  <Card title="The one that is used">
    <div className="card-body stack">
      {imu ? (
        <>
          <p>
            <strong>{imu.name}</strong> <span className="hint">{imu.devices.join(', ')}</span>
          </p>
          {imu.detail !== null && <p>{imu.detail}</p>}
          {way !== null && <p>It is {WAYS[way]}.</p>}
          <Figures>
            <Figure name="samples come" value={measured_hz} unit="per s" />
            <Figure name="set to" value={rate_hz} unit="per s" />
            <Figure name="chip" value={temperature_c} digits={1} unit="°C" />
          </Figures>
        </>
      ) : (
        <p>None.</p>
      )}
      {looked_for.length > 0 && (
        <details>
          <summary>Where it was looked</summary>
          <Sentences sentences={looked_for} />
        </details>
      )}
    </div>
  </Card>
)

const ImuPage = () => {
  const { imu, problem, points } = useImu()
  const [tone, word] = imu ? STATES[imu.state] : []
  const sentences = lookedFor(problem?.context).filter((each) => !problem?.detail.includes(each))
  return (
    <>
      <div className="page-head">
        <h1>IMU</h1>
        {tone && <Pill tone={tone}>{word}</Pill>}
      </div>
      {problem && imu && <ProblemNote problem={problem} />}
      {problem && !imu && (
        <Card title={problem.code === 'imu.not_found' ? 'There is no IMU' : 'The IMU cannot be seen'}>
          <div className="card-body stack">
            <ProblemNote problem={problem} />
            {sentences.length > 0 && (
              <>
                <p>This is where it was looked:</p>
                <Sentences sentences={sentences} />
              </>
            )}
            <p className="hint">
              Without one all goes on as it is: the robot's own gyro can be sent to the streams, and poses come from
              tags. One that is connected shows here by itself.
            </p>
          </div>
        </Card>
      )}
      {imu?.fault && (
        <Alert tone="bad">
          <ProblemNote problem={imu.fault} />
        </Alert>
      )}
      {imu && (
        <div className="imu-page">
          <div className="stack">
            <OrientationCard imu={imu} />
            <ImuPlots points={points} />
          </div>
          <div className="stack">
            <UsedCard imu={imu} />
            <BiasCard imu={imu} />
            <MountCard imu={imu} />
            <SettingsCard imu={imu} />
          </div>
        </div>
      )}
      {!imu && !problem && <p className="hint">Loading</p>}
    </>
  )
}

export default ImuPage
