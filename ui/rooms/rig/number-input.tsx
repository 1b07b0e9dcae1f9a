// A number that is typed: what is not one yet, such as a single minus, stays as it is typed.
import { useState } from 'react'
import { Field } from '../../parts/parts.tsx'

/** What it takes. */
export interface NumberInputProps {
  readonly name: string
  readonly unit: string
  readonly hint?: string
  /** null: nothing. */
  readonly value: number | null
  readonly min?: number
  readonly max?: number
  readonly step: number
  readonly isDisabled?: boolean
  /** null, only where nothing may be said: it was emptied. */
  readonly onChange: (value: number | null) => void
}

const textOf = (value: number | null): string => (value === null ? '' : String(Math.round(value * 1000) / 1000))

/** A number with its unit. */
export const NumberInput = ({ name, unit, hint, value, isDisabled, onChange, ...limits }: NumberInputProps) => {
  const [typed, setTyped] = useState<string>()
  return (
    <Field name={name} unit={unit} hint={hint}>
      {(id, describedBy) => (
        <input
          id={id}
          className="input"
          type="number"
          inputMode="decimal"
          aria-describedby={describedBy}
          disabled={isDisabled}
          value={typed ?? textOf(value)}
          {...limits}
          onChange={({ target }) => {
            setTyped(target.value)
            if (target.value === '') onChange(null)
            else if (Number.isFinite(target.valueAsNumber)) onChange(target.valueAsNumber)
          }}
          onBlur={() => setTyped(undefined)}
        />
      )}
    </Field>
  )
}
