// The groups: lights that are told what to show under one name.
import { Button, Card, Field } from '../../parts/parts.tsx'
import { ChoiceField, NumberField } from '../../parts/plain-fields.tsx'
import type { LightingConfig } from '../../state/lighting.ts'
import { type Group, withGroup } from './setup-draft.ts'

const MAX_GROUPS = 16
const MAX_PARTS = 16
const MAX_PIXELS = 1_024

type Part = Group['parts'][number]

const pixel = (value: number): number => Math.min(MAX_PIXELS, Math.max(1, Math.round(value)))

interface PartFieldsProps {
  readonly name: string
  readonly part: Part
  readonly outputs: readonly string[]
  readonly onChange: (change: Partial<Part>) => void
  readonly onRemove: (() => void) | undefined
}

const PartFields = ({ name, part, outputs, onChange, onRemove }: PartFieldsProps) => (
  <fieldset className="lighting-show" aria-label={name}>
    <ChoiceField
      name="Lights of"
      value={part.output}
      choices={Object.fromEntries(outputs.map((id) => [id, id]))}
      onChange={(output) => onChange({ output })}
    />
    <NumberField
      name="From light"
      value={part.from + 1}
      min={1}
      max={MAX_PIXELS}
      onChange={(first) => onChange({ from: pixel(first) - 1 })}
    />
    <NumberField
      name="How many"
      value={part.count}
      min={1}
      max={MAX_PIXELS}
      onChange={(count) => onChange({ count: pixel(count) })}
    />
    <label className="check-field">
      <input
        type="checkbox"
        checked={part.reversed}
        onChange={({ target }) => onChange({ reversed: target.checked })}
      />
      The last one comes first
    </label>
    {onRemove && (
      <Button kind="plain" aria-label={`Remove ${name}`} onClick={onRemove}>
        Remove
      </Button>
    )}
  </fieldset>
)

interface GroupRowProps {
  readonly group: Group
  readonly number: number
  readonly outputs: readonly string[]
  readonly onChange: (change: Partial<Group>) => void
  readonly onRemove: () => void
}

const GroupRow = ({ group, number, outputs, onChange, onRemove }: GroupRowProps) => {
  const { name, parts } = group
  const first = outputs[0]
  return (
    <li className="lighting-output">
      <div className="row">
        <div className="grow">
          <Field name={`Name of group ${number}`}>
            {(id) => (
              <input
                id={id}
                className="input"
                value={name}
                maxLength={40}
                pattern="[a-z][a-z0-9_\-]{0,39}"
                autoCapitalize="none"
                spellCheck={false}
                onChange={({ target }) => onChange({ name: target.value })}
              />
            )}
          </Field>
        </div>
        <Button aria-label={`Remove group ${name}`} onClick={onRemove}>
          Remove
        </Button>
      </div>
      {parts.map((part, index) => (
        <PartFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the order
          key={index}
          name={`Part ${index + 1} of ${name}`}
          part={part}
          outputs={outputs}
          onChange={(change) =>
            onChange({ parts: parts.map((each, at) => (at === index ? { ...each, ...change } : each)) })
          }
          onRemove={parts.length > 1 ? () => onChange({ parts: parts.filter((_, at) => at !== index) }) : undefined}
        />
      ))}
      {first !== undefined && parts.length < MAX_PARTS && (
        <div className="row">
          <Button
            kind="plain"
            aria-label={`More lights for ${name}`}
            onClick={() => onChange({ parts: [...parts, { output: first, from: 0, count: 1, reversed: false }] })}
          >
            More lights
          </Button>
        </div>
      )}
    </li>
  )
}

interface GroupsCardProps {
  readonly config: LightingConfig
  readonly onChange: (change: Partial<LightingConfig>) => void
}

/** The card. */
export const GroupsCard = ({ config, onChange }: GroupsCardProps) => {
  const { outputs, groups } = config
  const set = (index: number, change: Partial<Group>) =>
    onChange({ groups: groups.map((each, at) => (at === index ? { ...each, ...change } : each)) })
  return (
    <Card title="Groups">
      <p className="card-body hint">
        Commands and animations name a group. A robot can blink left and right apart when there are groups named left
        and right.
      </p>
      <ul className="list" aria-label="Groups">
        {groups.map((group, index) => (
          <GroupRow
            // biome-ignore lint/suspicious/noArrayIndexKey: its name is being typed
            key={index}
            group={group}
            number={index + 1}
            outputs={outputs.map(({ id }) => id)}
            onChange={(change) => set(index, change)}
            onRemove={() => onChange({ groups: groups.filter((_, at) => at !== index) })}
          />
        ))}
      </ul>
      <div className="card-body row">
        <Button
          disabled={outputs.length === 0 || groups.length >= MAX_GROUPS}
          onClick={() => onChange(withGroup(config))}
        >
          Add a group
        </Button>
        {outputs.length === 0 && <span className="hint">Choose something above that can shine first.</span>}
      </div>
    </Card>
  )
}
