// When the guard cuts. Each change is written by itself, with the revision that it was made from.
import { useState } from 'react'
import { Card, WriteNote } from '../../../parts/parts.tsx'
import { NumberInput } from '../../../parts/slider.tsx'
import { type GuardSettings, type ResourceGuard, writeGuard } from '../../../state/guard.ts'
import { isOfDevice } from '../../../state/localization-config.ts'
import { useWrite } from '../../../state/write.ts'

type NumberName = Exclude<keyof GuardSettings, 'enabled' | 'may_pause' | 'max_celsius'>

interface NumberField {
  readonly name: NumberName
  readonly label: string
  readonly unit: string
  readonly min: number
  readonly max: number
}

const NUMBERS: readonly NumberField[] = [
  { name: 'min_results_per_s', label: 'Results that a stream keeps', unit: 'per second', min: 1, max: 200 },
  { name: 'max_cpu_pressure', label: 'Wait for the processor, at most', unit: '%', min: 1, max: 100 },
  { name: 'max_memory_pressure', label: 'Wait for memory, at most', unit: '%', min: 1, max: 100 },
  { name: 'max_disk_pressure', label: 'Wait for the disk, at most', unit: '%', min: 1, max: 100 },
  { name: 'restore_hold_s', label: 'A stream given back is left alone for', unit: 's', min: 10, max: 86_400 },
]

const SET_CELSIUS = 80

/** The settings, as a card. */
export const GuardSettingsCard = ({ guard }: { readonly guard: ResourceGuard }) => {
  const { settings, revision } = guard
  const { state, write, clear } = useWrite({ heeds: isOfDevice })
  const [mine, setMine] = useState<Partial<GuardSettings>>()
  const [applied, setApplied] = useState(0) // the answer to a change may come before the settings are read again
  const change = async (to: Partial<GuardSettings>, expected: number | null = Math.max(revision, applied)) => {
    setMine(to)
    const answer = await write(() => writeGuard(to, expected))
    if (answer.ok) setApplied(answer.revision ?? 0)
  }
  const words = (of: Partial<GuardSettings>) => Object.values(of).map(String).join(', ')
  const theirs = mine && Object.fromEntries(Object.keys(mine).map((name) => [name, settings[name as NumberName]]))
  return (
    <Card title="Settings">
      <div className="card-body stack">
        <label className="device-guard-check">
          <input
            type="checkbox"
            checked={settings.enabled}
            onChange={({ target }) => change({ enabled: target.checked })}
          />
          Let streams give way when the device has too little
        </label>
        <label className="device-guard-check">
          <input
            type="checkbox"
            checked={settings.may_pause}
            onChange={({ target }) => change({ may_pause: target.checked })}
          />
          Streams may be stopped when nothing less helps
        </label>
        <label className="device-guard-check">
          <input
            type="checkbox"
            checked={settings.max_celsius === null}
            onChange={({ target }) => change({ max_celsius: target.checked ? null : SET_CELSIUS })}
          />
          The highest temperature is that of the device
        </label>
        {settings.max_celsius !== null && (
          <div className="device-guard-number">
            <span>Temperature, at most</span>
            <NumberInput
              label="Temperature, at most"
              value={settings.max_celsius}
              min={40}
              max={110}
              onChange={(max_celsius) => change({ max_celsius })}
            />
            <span className="unit">°C</span>
          </div>
        )}
        {NUMBERS.map(({ name, label, unit, min, max }) => (
          <div className="device-guard-number" key={name}>
            <span>{label}</span>
            <NumberInput
              label={label}
              value={settings[name]}
              min={min}
              max={max}
              onChange={(value) => change({ [name]: value })}
            />
            <span className="unit">{unit}</span>
          </div>
        ))}
        <WriteNote
          state={state}
          onTakeTheirs={clear}
          onSetMine={() => mine && change(mine, null)}
          theirs={theirs && words(theirs)}
          mine={mine && words(mine)}
        />
      </div>
    </Card>
  )
}
