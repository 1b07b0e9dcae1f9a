// How the device is fed: whether that is enough, since when and how often it was not, and what is measured.

import type { Documents } from '../../../api/client.ts'
import { browserTimeOf } from '../../../api/device-clock.ts'
import { Age, Card, Figure, Figures, Pill, ProblemNote } from '../../../parts/parts.tsx'
import { Scrollable } from '../../../parts/scrollable.tsx'
import { useKnown } from '../../../state/live.ts'
import { power } from '../../../state/system.ts'
import { counted, figureOf } from '../../../words.ts'

type Power = Documents['PowerStatus']
type Condition = Power['conditions'][number]

const NAMES: Readonly<Record<Condition['what'], string>> = {
  'under-voltage': 'Supply too weak',
  'frequency-capped': 'Clock held down',
  throttled: 'Processor slowed down',
  'temperature-limit': 'As warm as it may be',
}

const wordOf = ({ now, times, since_start }: Condition): string => {
  if (now) return 'now'
  if (times > 0) return counted(times, 'time')
  return since_start ? 'before the service was started' : 'no'
}

const ConditionRow = ({ condition }: { readonly condition: Condition }) => {
  const { what, now, since_ms, since_start } = condition
  return (
    <tr>
      <th scope="row">{NAMES[what]}</th>
      <td>
        <Pill tone={now ? 'bad' : since_start ? 'busy' : 'good'}>{wordOf(condition)}</Pill>
      </td>
      <td>{since_ms !== null && <Age sinceMs={browserTimeOf(since_ms)} />}</td>
    </tr>
  )
}

const Rails = ({ rails }: Pick<Power, 'rails'>) =>
  rails.length === 0 ? null : (
    <Scrollable name="What is measured" className="health-rails">
      <table>
        <thead>
          <tr>
            <th scope="col">Measured</th>
            <th scope="col">V</th>
            <th scope="col">A</th>
            <th scope="col">W</th>
          </tr>
        </thead>
        <tbody>
          {rails.map(({ name, volts, amperes, watts }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{figureOf(volts, 2)}</td>
              <td>{figureOf(amperes, 2)}</td>
              <td>{figureOf(watts, 1)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  )

/** Nothing where the device tells only what its rails carry. */
const SupplyPill = ({ conditions }: Pick<Power, 'conditions'>) => {
  const supply = conditions.find(({ what }) => what === 'under-voltage')
  return supply ? <Pill tone={supply.now ? 'bad' : 'good'}>{supply.now ? 'too little' : 'enough'}</Pill> : null
}

/** To be shown where the device tells of its supply. */
export const PowerCard = () => {
  const { value, problem } = useKnown(power)
  return (
    <Card title="Power" side={value && <SupplyPill {...value} />}>
      {problem && <ProblemNote problem={problem} />}
      {value && (
        <div className="card-body stack">
          {value.conditions.length > 0 && (
            <table className="health-conditions">
              <thead>
                <tr>
                  <th scope="col">Was it so</th>
                  <th scope="col">How often</th>
                  <th scope="col">For</th>
                </tr>
              </thead>
              <tbody>
                {value.conditions.map((condition) => (
                  <ConditionRow key={condition.what} condition={condition} />
                ))}
              </tbody>
            </table>
          )}
          <Rails rails={value.rails} />
          <Figures>
            <Figure
              name="switched off while the service ran"
              value={value.runs.unsafe_shutdowns}
              under={`of ${counted(value.runs.starts, 'start')} of the device`}
            />
          </Figures>
        </div>
      )}
    </Card>
  )
}
