// How bright lights may be, when they go off, and how they blink.
import { Card } from '../../parts/parts.tsx'
import { NumberField } from '../../parts/plain-fields.tsx'
import type { LightingConfig } from '../../state/lighting.ts'
import { LevelField } from './light-fields.tsx'

interface LimitsCardProps {
  readonly config: LightingConfig
  readonly onChange: (change: Partial<LightingConfig>) => void
}

const SET_CELSIUS = 80

const within = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value))

/** The card. */
export const LimitsCard = ({ config, onChange }: LimitsCardProps) => {
  const { gamma, max_duty, max_celsius, blink } = config
  return (
    <Card title="Limits">
      <div className="card-body stack">
        <div>
          <LevelField name="Brightness, at most" value={max_duty} onChange={(level) => onChange({ max_duty: level })} />
          <p className="hint">
            What counts as full brightness stays below it. It spares the lamps, and a supply that is too weak for all of
            them.
          </p>
        </div>
        <label className="check-field">
          <input
            type="checkbox"
            checked={max_celsius !== null}
            onChange={({ target }) => onChange({ max_celsius: target.checked ? SET_CELSIUS : null })}
          />
          All off when the device is too warm
        </label>
        {max_celsius !== null && (
          <NumberField
            name="Off from"
            unit="°C"
            value={max_celsius}
            min={30}
            max={110}
            onChange={(celsius) => onChange({ max_celsius: within(celsius, 30, 110) })}
          />
        )}
        <NumberField
          name="Gamma"
          hint="How colours of a screen become light. Most LEDs look right with 2.2; more makes dark colours darker."
          value={gamma}
          min={1}
          max={4}
          step={0.1}
          onChange={(value) => onChange({ gamma: within(value, 1, 4) })}
        />
        <NumberField
          name="Blinking: on for"
          unit="ms"
          value={blink.on_ms}
          min={20}
          max={60_000}
          onChange={(on_ms) => onChange({ blink: { ...blink, on_ms: within(Math.round(on_ms), 20, 60_000) } })}
        />
        <NumberField
          name="Blinking: off for"
          unit="ms"
          value={blink.off_ms}
          min={20}
          max={60_000}
          onChange={(off_ms) => onChange({ blink: { ...blink, off_ms: within(Math.round(off_ms), 20, 60_000) } })}
        />
      </div>
    </Card>
  )
}
