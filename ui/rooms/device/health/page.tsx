// How the device does: what is wrong first, in words; then ten minutes of its figures, its supply, its fans, its disk.
import { Alert, Card, Empty, Figure, Figures, Pill, ProblemNote } from '../../../parts/parts.tsx'
import { useKnown } from '../../../state/live.ts'
import { type Metrics, peripherals, useMetrics } from '../../../state/system.ts'
import { counted, sizeOf } from '../../../words.ts'
import { FanCard } from './fan-card.tsx'
import { Plots } from './plots.tsx'
import { PowerCard } from './power-card.tsx'
import { ProcessCard } from './process-card.tsx'
import { SystemCard } from './system-card.tsx'

const DiskCard = ({ disk: { total_bytes, free_bytes, read_only, wear_percent, errors } }: Metrics) => (
  <Card title="Disk">
    <div className="card-body">
      <Figures>
        <Figure name="free" value={free_bytes === null ? null : sizeOf(free_bytes)} />
        <Figure name="of" value={total_bytes === null ? null : sizeOf(total_bytes)} />
        {wear_percent !== null && <Figure name="used up" value={wear_percent} unit="%" />}
        {errors !== null && <Figure name="errors" value={errors} />}
        {read_only !== null && <Figure name="can be written" value={read_only ? 'no' : 'yes'} />}
      </Figures>
    </div>
  </Card>
)

/** The worst first, as the service has them. */
const Troubles = ({ troubles }: Pick<Metrics, 'troubles'>) => (
  <div className="stack" role="status">
    {troubles.map(({ what, detail }) => (
      <Alert key={what} tone="bad">
        {detail}
      </Alert>
    ))}
  </div>
)

/** The page of how the device does. */
const DeviceHealth = () => {
  const { metrics, moments, problem } = useMetrics()
  const { value: parts } = useKnown(peripherals)
  const kinds = new Set(parts?.others.map(({ kind }) => kind))
  const wrong = metrics?.troubles.length ?? 0
  return (
    <>
      <div className="page-head">
        <h1>Health of the device</h1>
        {metrics && (
          <Pill tone={wrong > 0 ? 'bad' : 'good'}>{wrong > 0 ? counted(wrong, 'trouble') : 'all is well'}</Pill>
        )}
      </div>
      {problem && <ProblemNote problem={problem} />}
      {metrics && (
        <>
          <Troubles troubles={metrics.troubles} />
          <Plots metrics={metrics} moments={moments} />
          <div className="health-cards">
            {kinds.has('power-meter') || metrics.throttling.now !== null ? (
              <PowerCard />
            ) : (
              <Card title="Power">
                <Empty>
                  Nothing in this device tells of its supply. A Raspberry Pi does, and a meter such as INA226.
                </Empty>
              </Card>
            )}
            {kinds.has('fan') && <FanCard />}
            <DiskCard {...metrics} />
            <ProcessCard {...metrics} />
            <SystemCard />
          </div>
        </>
      )}
      {!metrics && !problem && <p className="hint">Loading</p>}
    </>
  )
}

export default DeviceHealth
