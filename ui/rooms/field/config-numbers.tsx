// The numbers of the config of localization.
import type { Documents } from '../../api/client.ts'
import { NumberInput } from '../rig/number-input.tsx'
import {
  CONFIG_GROUPS,
  type ConfigField,
  type ConfigPartProps,
  limitsOfField,
  numberAt,
  withNumber,
} from './config-fields.ts'

/** How far the numbers of a config go. */
export type Bounds = Documents['LocalizationConfigLimits']['bounds']

interface ConfigNumberProps extends ConfigPartProps {
  readonly field: ConfigField
  readonly bounds: Bounds
}

/** One of them, in the unit in which people think of it. */
export const ConfigNumber = ({ field, config, bounds, onChange }: ConfigNumberProps) => (
  <NumberInput
    name={field.name}
    unit={field.unit}
    hint={field.hint}
    step={field.step}
    {...limitsOfField(bounds, field)}
    value={numberAt(config, field)}
    onChange={(value) => value !== null && onChange(withNumber(config, field, value))}
  />
)

/** All of them but that of the heading. */
export const ConfigNumbers = ({ bounds, ...part }: ConfigPartProps & { readonly bounds: Bounds }) => (
  <div className="field-config-groups">
    {CONFIG_GROUPS.map(({ name, hint, fields }) => (
      <fieldset key={name} className="field-config-numbers">
        <legend>{name}</legend>
        <p className="hint">{hint}</p>
        {fields.map((field) => (
          <ConfigNumber key={field.pointer} field={field} bounds={bounds} {...part} />
        ))}
      </fieldset>
    ))}
  </div>
)
