// The outputs that were found, and those that are used with what the service cannot find out by itself.
import type { Problem } from '../../api/client.ts'
import type { Documents } from '../../api/documents.ts'
import { Alert, Button, Card, Pill, ProblemNote } from '../../parts/parts.tsx'
import { ChoiceField, NumberField } from '../../parts/plain-fields.tsx'
import type { LightingConfig } from '../../state/lighting.ts'
import { OUTPUTS } from './lighting-words.ts'
import { type Output, withOutput, withoutOutput, withPixels } from './setup-draft.ts'

type Leds = Documents['Leds']
type Led = Leds['outputs'][number]

const MAX_PIXELS = 1_024

const CHANNELS = { 3: 'red, green, blue', 4: 'red, green, blue, white', 1: 'white only' } as const
const ORDERS: Readonly<Record<string, readonly Output['order'][]>> = {
  1: ['W'],
  3: ['GRB', 'RGB', 'RBG', 'GBR', 'BRG', 'BGR'],
  4: ['GRBW', 'RGBW'],
}

interface SetupProps {
  readonly config: LightingConfig
  readonly onChange: (change: Partial<LightingConfig>) => void
}

const StripFields = ({ output, config, onChange }: SetupProps & { readonly output: Output }) => {
  const set = (to: Partial<Output>) =>
    onChange({ outputs: config.outputs.map((each) => (each.id === output.id ? { ...each, ...to } : each)) })
  const channels = output.channels ?? 3
  return (
    <div className="lighting-show">
      <NumberField
        name={`Lights on ${output.id}`}
        value={output.pixels}
        min={1}
        max={MAX_PIXELS}
        onChange={(pixels) =>
          onChange(withPixels(config, output.id, Math.min(MAX_PIXELS, Math.max(1, Math.round(pixels)))))
        }
      />
      <ChoiceField
        name="Each light has"
        value={String(channels)}
        choices={CHANNELS}
        onChange={(chosen) =>
          set({ channels: Number(chosen) as Output['channels'], order: ORDERS[chosen]?.[0] ?? output.order })
        }
      />
      <ChoiceField
        name="Order of the colours"
        value={output.order}
        choices={Object.fromEntries((ORDERS[channels] ?? []).map((order) => [order, order]))}
        onChange={(order) => set({ order: order as Output['order'] })}
      />
      <p className="hint">
        When red shows as green, the order is another one. Most WS2812 are GRB, most SK6812 with white GRBW.
      </p>
    </div>
  )
}

const FoundRow = ({ led, config, onChange }: SetupProps & { readonly led: Led }) => {
  const { id, kind, name, levels, detail } = led
  const output = config.outputs.find((each) => each.id === id)
  const canInvert = kind === 'gpio_line' || kind === 'pwm'
  return (
    <li className="lighting-output">
      <div className="row">
        <div className="grow">
          <h3>{name}</h3>
          <p className="hint">
            {OUTPUTS[kind]}
            {levels === 2 && kind !== 'gpio_line' && ', on and off'}, {id}
          </p>
          {detail !== null && <p>{detail}</p>}
        </div>
        {output && <Pill tone="good">used</Pill>}
        {output ? (
          <Button aria-label={`Do not use ${name}`} onClick={() => onChange(withoutOutput(config, id))}>
            Do not use
          </Button>
        ) : (
          <Button aria-label={`Use ${name}`} onClick={() => onChange(withOutput(config, led))}>
            Use
          </Button>
        )}
      </div>
      {output && kind === 'strip' && <StripFields output={output} config={config} onChange={onChange} />}
      {output && canInvert && (
        <label className="check-field">
          <input
            type="checkbox"
            checked={output.active_low}
            onChange={({ target }) =>
              onChange({
                outputs: config.outputs.map((each) =>
                  each.id === id ? { ...each, active_low: target.checked } : each,
                ),
              })
            }
          />
          {name} shines when its line is low
        </label>
      )}
    </li>
  )
}

const LookedFor = ({ sentences }: { readonly sentences: readonly string[] }) => (
  <details>
    <summary>Where it was looked</summary>
    <ul className="lighting-looked">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  </details>
)

interface OutputsCardProps extends SetupProps {
  readonly found: Leds | undefined
  readonly problem: Problem | undefined
}

/** The card. */
export const OutputsCard = ({ config, found, problem, onChange }: OutputsCardProps) => {
  const missing = found ? config.outputs.filter(({ id }) => !found.outputs.some((led) => led.id === id)) : []
  return (
    <Card title="What can shine">
      {problem && <ProblemNote problem={problem} />}
      {missing.map(({ id }) => (
        <Alert
          key={id}
          tone="bad"
          action={<Button onClick={() => onChange(withoutOutput(config, id))}>Do not use it</Button>}
        >
          <strong>{id}</strong> is used, and is not there. Look at its wires, or at the system's own settings.
        </Alert>
      ))}
      {found && (
        <>
          <ul className="list" aria-label="Outputs that were found">
            {found.outputs.map((led) => (
              <FoundRow key={led.id} led={led} config={config} onChange={onChange} />
            ))}
          </ul>
          <div className="card-body stack">
            {found.outputs.length === 0 && <p>Nothing was found that could shine.</p>}
            <p className="hint">
              What was found need not have a lamp. Nothing is touched that you do not choose: some of it belongs to the
              system.
            </p>
            {found.looked_for.length > 0 && <LookedFor sentences={found.looked_for} />}
          </div>
        </>
      )}
      {!found && !problem && <p className="card-body hint">Loading</p>}
    </Card>
  )
}
