// What lights show when nobody wants anything, and what the device shows of itself.
import { Card } from '../../parts/parts.tsx'
import type { LightingConfig } from '../../state/lighting.ts'
import { IDLE, SIGNALS } from './lighting-words.ts'
import { ShowForm } from './show-form.tsx'

interface SignalsCardProps {
  readonly config: LightingConfig
  readonly onChange: (change: Partial<LightingConfig>) => void
}

const NAMES = ['update_runs', 'starting', 'link_lost', 'target_seen'] as const

/** The card. */
export const SignalsCard = ({ config, onChange }: SignalsCardProps) => {
  const { idle, signals } = config
  return (
    <Card title="What the device shows by itself">
      <div className="card-body stack">
        <p className="hint">The first of these that is so is shown, unless a robot or a person wants something else.</p>
        {NAMES.map((name) => (
          <ShowForm
            key={name}
            name={SIGNALS[name]}
            show={signals[name]}
            mayBeNothing
            onChange={(show) => onChange({ signals: { ...signals, [name]: show } })}
          />
        ))}
        <ShowForm name={IDLE} show={idle} onChange={(show) => show && onChange({ idle: show })} />
      </div>
    </Card>
  )
}
