// The fans of the device.
import type { Documents } from '../../../api/client.ts'
import { Alert, Card, Figure, Figures, ProblemNote } from '../../../parts/parts.tsx'
import { useKnown } from '../../../state/live.ts'
import { fans } from '../../../state/system.ts'

type Fan = Documents['Fan']

const MODES: Readonly<Record<NonNullable<Fan['mode']>, string>> = {
  full: 'full speed',
  manual: 'hand',
  automatic: 'warmth',
}
const PERCENT = 100

const FanFigures = ({ fan }: { readonly fan: Fan }) => {
  const { name, rpm, duty, mode, level, max_level, trouble } = fan
  return (
    <div className="stack">
      <h3>{name}</h3>
      {trouble !== null && <Alert tone="bad">{trouble}</Alert>}
      <Figures>
        <Figure name="turns" value={rpm} unit="rpm" />
        {duty !== null && <Figure name="driven" value={PERCENT * duty} unit="%" />}
        {level !== null && <Figure name="step" value={max_level === null ? level : `${level} of ${max_level}`} />}
        {mode !== null && <Figure name="by" value={MODES[mode]} />}
      </Figures>
    </div>
  )
}

/** To be shown where there are some. */
export const FanCard = () => {
  const { value, problem } = useKnown(fans)
  return (
    <Card title="Fan">
      {problem && <ProblemNote problem={problem} />}
      <div className="card-body stack">
        {value?.fans.map((fan, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two fans of one name stay in their order
          <FanFigures key={n} fan={fan} />
        ))}
      </div>
    </Card>
  )
}
