// Fields of the plainest kind: a number with its unit, one of several, yes or no.
import type { ReactNode } from 'react'
import { Field } from './parts.tsx'
import { NumberInput } from './slider.tsx'

interface FieldProps<T> {
  readonly name: string
  readonly value: T
  readonly onChange: (value: T) => void
}

interface NumberFieldProps extends FieldProps<number> {
  readonly unit?: string
  readonly hint?: ReactNode
  readonly min?: number
  readonly max?: number
  readonly step?: number
}

/** A number with its unit. */
export const NumberField = ({ name, unit, hint, ...number }: NumberFieldProps) => (
  <div className="number-field">
    <span>{name}</span>
    <NumberInput label={name} {...number} />
    <span className="unit">{unit}</span>
    {hint !== undefined && <p className="hint">{hint}</p>}
  </div>
)

interface ChoiceFieldProps extends FieldProps<string> {
  /** By what the interface says: what people read. */
  readonly choices: Readonly<Record<string, string>>
}

/** One of several. */
export const ChoiceField = ({ name, value, choices, onChange }: ChoiceFieldProps) => (
  <Field name={name}>
    {(id) => (
      <select id={id} className="input" value={value} onChange={({ target }) => onChange(target.value)}>
        {Object.entries(choices).map(([key, words]) => (
          <option key={key} value={key}>
            {words}
          </option>
        ))}
      </select>
    )}
  </Field>
)

/** Yes or no. */
export const CheckField = ({ name, value, onChange }: FieldProps<boolean>) => (
  <label className="check-field">
    <input type="checkbox" checked={value} onChange={({ target }) => onChange(target.checked)} />
    {name}
  </label>
)
