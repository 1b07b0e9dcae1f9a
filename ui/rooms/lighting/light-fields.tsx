// Fields that several pages of lights have: a colour, a level, the parameters of a template.
import { Field } from '../../parts/parts.tsx'
import { NumberField } from '../../parts/plain-fields.tsx'
import { Slider } from '../../parts/slider.tsx'
import type { LightingTemplate } from '../../state/lighting.ts'

interface FieldProps<T> {
  readonly name: string
  readonly value: T
  readonly onChange: (value: T) => void
}

/** A colour, by the browser's own chooser. */
export const ColourField = ({ name, value, onChange }: FieldProps<string>) => (
  <Field name={name}>
    {(id) => (
      <div className="row">
        <input
          id={id}
          className="lighting-colour"
          type="color"
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
        <code>{value}</code>
      </div>
    )}
  </Field>
)

/** A level, as per cent. */
export const LevelField = ({ name, value, onChange }: FieldProps<number>) => (
  <Field name={name}>
    {(id) => (
      <Slider
        id={id}
        name={name}
        value={Math.round(value * 100)}
        min={0}
        max={100}
        step={1}
        unit="%"
        onChange={(percent) => onChange(percent / 100)}
      />
    )}
  </Field>
)

/** Values of the parameters of a template, by their names. */
export type ParameterValues = Readonly<Record<string, string | number>>

interface ParameterFieldsProps {
  readonly template: LightingTemplate
  readonly values: ParameterValues
  readonly onChange: (values: ParameterValues) => void
}

/** What can be chosen of a template. */
export const ParameterFields = ({ template, values, onChange }: ParameterFieldsProps) =>
  template.parameters.map(({ name, title, kind, default: usual, minimum, maximum }) => {
    const value = values[name] ?? usual
    const set = (next: string | number) => onChange({ ...values, [name]: next })
    if (kind === 'colour') return <ColourField key={name} name={title} value={String(value)} onChange={set} />
    return (
      <NumberField
        key={name}
        name={title}
        value={Number(value)}
        {...(kind === 'duration' && { unit: 'ms' })}
        {...(minimum !== null && { min: minimum })}
        {...(maximum !== null && { max: maximum })}
        step={kind === 'duration' ? 10 : 0.05}
        onChange={set}
      />
    )
  })
