// A number that is dragged, with the same number beside it to be typed.
import { type KeyboardEvent, useState } from 'react'

const STEPS = 1000 // of a slider whose range is too wide for equal steps
const WIDE = 1000 // of a range whose ends are so many times apart, most of what is used lies in its first hundredth

interface SliderProps {
  readonly id: string
  /** For those who do not see it: that of the slider is its label's. */
  readonly name: string
  readonly value: number
  readonly min: number
  readonly max: number
  /** From one value to the next. */
  readonly step: number
  readonly unit?: string | undefined
  readonly isDisabled?: boolean
  readonly describedBy?: string | undefined
  /** Called while it is dragged, and for each number that is typed. */
  readonly onChange: (value: number) => void
}

/** Whether equal steps would leave nothing to aim at. */
const isWide = (min: number, max: number): boolean => min > 0 && max / min >= WIDE

/** A slider and a number. */
export const Slider = (props: SliderProps) => {
  const { id, name, value, min, max, step, unit, isDisabled = false, describedBy, onChange } = props
  const wide = isWide(min, max)
  const places = wide ? Math.log(max / min) : 1
  const fit = (wanted: number): number => {
    const stepped = min + Math.round((wanted - min) / step) * step
    return Math.min(max, Math.max(min, stepped))
  }
  const placeOf = (at: number): number => (wide ? Math.round((Math.log(at / min) / places) * STEPS) : at)
  const valueAt = (place: number): number => (wide ? fit(min * Math.exp((place / STEPS) * places)) : place)
  return (
    <div className="slider">
      <input
        id={id}
        type="range"
        min={wide ? 0 : min}
        max={wide ? STEPS : max}
        step={wide ? 1 : step}
        value={placeOf(Math.max(min, value))}
        disabled={isDisabled}
        aria-describedby={describedBy}
        aria-valuetext={unit === undefined ? String(value) : `${value} ${unit}`}
        onChange={({ target }) => onChange(valueAt(Number(target.value)))}
      />
      <NumberInput
        label={`${name}, as a number`}
        value={value}
        min={min}
        max={max}
        step={step}
        isDisabled={isDisabled}
        onChange={(typed) => onChange(fit(typed))}
      />
      {unit !== undefined && <span className="unit">{unit}</span>}
    </div>
  )
}

interface NumberInputProps {
  readonly label: string
  readonly value: number
  readonly min?: number
  readonly max?: number
  readonly step?: number
  readonly isDisabled?: boolean
  readonly onChange: (value: number) => void
}

/** A number that is taken when it is left, or with Enter: not while it is half typed. */
export const NumberInput = ({ label, value, min, max, step, isDisabled = false, onChange }: NumberInputProps) => {
  const [typing, setTyping] = useState<{ readonly text: string; readonly over: number }>()
  const draft = typing?.over === value ? typing.text : undefined // what stands there may be another number by now
  const setDraft = (text?: string) => setTyping(text === undefined ? undefined : { text, over: value })
  const take = () => {
    if (draft === undefined) return
    const typed = Number(draft)
    setDraft(undefined)
    if (draft.trim() !== '' && Number.isFinite(typed) && typed !== value) onChange(typed)
  }
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Enter') take()
    if (key === 'Escape') setDraft(undefined)
  }
  return (
    <input
      className="input number"
      type="number"
      inputMode="decimal"
      aria-label={label}
      min={min}
      max={max}
      step={step}
      disabled={isDisabled}
      value={draft ?? String(value)}
      onChange={({ target }) => setDraft(target.value)}
      onBlur={take}
      onKeyDown={onKeyDown}
    />
  )
}
