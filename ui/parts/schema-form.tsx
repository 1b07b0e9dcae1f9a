// A form for the values of a JSON schema: a control for each property, with its unit, its range, its default and help.
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button } from './parts.tsx'
import {
  controlOf,
  firstValue,
  hasSlider,
  inner,
  labelOf,
  numbersOf,
  rangeOf,
  type Schema,
  stepOf,
  unitOf,
  wrongNumber,
  wrongNumbers,
  wrongText,
} from './schema-words.ts'

type Values = Readonly<Record<string, unknown>>

/** drag: something is being moved, and more will come. set: that is what it is to be. */
export type How = 'drag' | 'set'

interface SchemaFormProps {
  /** Of an object. */
  readonly schema: Schema
  readonly value: Values
  readonly onChange: (value: Values, how: How) => void
  /** What stands beside a control, by the name of its property: what is wrong with it, or when it takes effect. */
  readonly noteOf?: (key: string) => ReactNode
  readonly isDisabled?: boolean
}

/** The form. A property that the value does not have is shown with its default. */
export const SchemaForm = ({ schema, value, onChange, noteOf, isDisabled = false }: SchemaFormProps) => (
  <fieldset className="schema-form" disabled={isDisabled}>
    {Object.entries(schema.properties ?? {}).map(([key, property]) => (
      <Property
        key={key}
        name={key}
        schema={property}
        value={value[key] ?? property.default}
        onChange={(next, how) => onChange({ ...value, [key]: next }, how)}
        note={noteOf?.(key)}
      />
    ))}
  </fieldset>
)

interface PropertyProps {
  readonly name: string
  readonly schema: Schema
  readonly value: unknown
  readonly onChange: (value: unknown, how: How) => void
  readonly note?: ReactNode
}

const WITHOUT_LABEL_FOR = ['choices', 'group', 'maybe', 'flag']

const Property = (props: PropertyProps) => {
  const { name, schema, value, onChange, note } = props
  const id = useId()
  const control = controlOf(schema)
  const [unit, label] = [unitOf(name, schema), labelOf(name, schema)]
  const isDefault = schema.default === undefined || JSON.stringify(value) === JSON.stringify(schema.default)
  const ownsLabel = WITHOUT_LABEL_FOR.includes(control)
  const text = (
    <>
      {label}
      {unit !== undefined && <span className="unit">{unit}</span>}
    </>
  )
  return (
    <div className="field property">
      <div className="row property-head">
        {ownsLabel ? (
          <span className="label" id={`${id}label`}>
            {text}
          </span>
        ) : (
          <label className="label" id={`${id}label`} htmlFor={id}>
            {text}
          </label>
        )}
        {!isDefault && (
          <Button kind="plain" aria-label={`Default of ${label}`} onClick={() => onChange(schema.default, 'set')}>
            Default
          </Button>
        )}
      </div>
      <Control {...props} id={id} />
      {schema.description !== undefined && (
        <p className="hint help" id={`${id}help`} title={schema.description}>
          {schema.description}
        </p>
      )}
      {note}
    </div>
  )
}

type ControlProps = PropertyProps & { readonly id: string }

const Control = (props: ControlProps) => {
  const { id, name, schema, value, onChange } = props
  const labelled = { 'aria-labelledby': `${id}label` }
  const described = schema.description === undefined ? {} : { 'aria-describedby': `${id}help` }
  switch (controlOf(schema)) {
    case 'flag':
      return (
        <label className="row">
          <input
            id={id}
            type="checkbox"
            {...labelled}
            {...described}
            checked={value === true}
            onChange={({ target }) => onChange(target.checked, 'set')}
          />
          {value === true ? 'on' : 'off'}
        </label>
      )
    case 'choice':
      return (
        <select
          id={id}
          className="input"
          {...described}
          value={String(value)}
          onChange={({ target }) =>
            onChange(
              schema.enum?.find((each) => String(each) === target.value),
              'set',
            )
          }
        >
          {schema.enum?.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      )
    case 'number':
      return <NumberControl {...props} />
    case 'choices':
      return <Choices {...props} />
    case 'maybe':
      return <Maybe {...props} />
    case 'group':
      return (
        <SchemaForm schema={schema} value={(value ?? {}) as Values} onChange={(next, how) => onChange(next, how)} />
      )
    case 'numbers':
      return (
        <Typed
          id={id}
          text={Array.isArray(value) ? value.join(', ') : ''}
          read={(typed) => {
            const numbers = numbersOf(typed)
            if (!numbers) return { why: 'Numbers are wanted, with commas between them.' }
            const why = wrongNumbers(schema, numbers)
            return why === undefined ? { value: numbers } : { why }
          }}
          onRead={(next) => onChange(next, 'set')}
          describedBy={described['aria-describedby']}
        />
      )
    case 'text':
      return (
        <Typed
          id={id}
          text={String(value ?? '')}
          isLong={(schema.maxLength ?? 0) > 200}
          read={(typed) => {
            const why = wrongText(schema, typed)
            return why === undefined ? { value: typed } : { why }
          }}
          onRead={(next) => onChange(next, 'set')}
          describedBy={described['aria-describedby']}
        />
      )
    case 'document':
      return (
        <Typed
          id={id}
          key={name}
          text={JSON.stringify(value ?? null)}
          isLong
          read={(typed) => {
            try {
              return { value: JSON.parse(typed) as unknown }
            } catch {
              return { why: 'That is no JSON yet: look for a bracket or a comma that is missing.' }
            }
          }}
          onRead={(next) => onChange(next, 'set')}
          describedBy={described['aria-describedby']}
        />
      )
  }
}

/** A slider where there is a range, and the number beside it. */
const NumberControl = ({ id, name, schema, value, onChange }: ControlProps) => {
  const slider = useRef<HTMLInputElement>(null)
  const latest = useRef(onChange)
  latest.current = onChange
  useEffect(() => {
    // what React calls "change" is each movement; the browser's own is the end of them
    const input = slider.current
    const end = () => input && latest.current(Number(input.value), 'set')
    input?.addEventListener('change', end)
    return () => input?.removeEventListener('change', end)
  }, [])
  const isSliding = hasSlider(schema)
  return (
    <div className="row number">
      {isSliding && (
        <input
          ref={slider}
          type="range"
          aria-label={`${labelOf(name, schema)}, slider`}
          min={schema.minimum}
          max={schema.maximum}
          step={stepOf(schema)}
          value={Number(value)}
          onChange={({ target }) => onChange(Number(target.value), 'drag')}
        />
      )}
      <Typed
        id={id}
        text={typeof value === 'number' ? String(value) : ''}
        isNumber
        read={(typed) => {
          const number = typed.trim() === '' ? Number.NaN : Number(typed.replace(',', '.'))
          const why = wrongNumber(schema, number)
          return why === undefined ? { value: number } : { why }
        }}
        onRead={(next) => onChange(next, 'set')}
        describedBy={schema.description === undefined ? undefined : `${id}help`}
        hint={rangeOf(schema)}
      />
    </div>
  )
}

const Choices = ({ id, schema, value, onChange }: ControlProps) => {
  const chosen = Array.isArray(value) ? (value as readonly unknown[]) : []
  const isLast = chosen.length <= (schema.minItems ?? 0)
  return (
    // biome-ignore lint/a11y/useSemanticElements: the label stands in the row above, with the button of the default
    <div className="row choices" role="group" aria-labelledby={`${id}label`}>
      {schema.items?.enum?.map((each) => {
        const isChosen = chosen.includes(each)
        return (
          <label key={each} className="row">
            <input
              type="checkbox"
              checked={isChosen}
              disabled={isChosen && isLast}
              onChange={() => onChange(isChosen ? chosen.filter((other) => other !== each) : [...chosen, each], 'set')}
            />
            {each}
          </label>
        )
      })}
    </div>
  )
}

/** What may be left to the service. */
const Maybe = ({ id, name, schema, value, onChange }: ControlProps) => {
  const set = inner(schema) ?? {}
  const isSet = value !== null && value !== undefined
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above
    <div className="row maybe" role="group" aria-labelledby={`${id}label`}>
      <label className="row">
        <input
          type="checkbox"
          checked={isSet}
          onChange={() => onChange(isSet ? null : firstValue(set), 'set')}
          aria-label={`Set ${labelOf(name, schema)}`}
        />
        {isSet ? 'set' : 'by itself'}
      </label>
      {isSet && <Control id={id} name={name} schema={set} value={value} onChange={onChange} />}
    </div>
  )
}

interface TypedProps {
  readonly id: string
  readonly text: string
  readonly read: (typed: string) => { readonly value: unknown } | { readonly why: string }
  readonly onRead: (value: unknown) => void
  readonly describedBy: string | undefined
  readonly hint?: string | undefined
  readonly isLong?: boolean
  readonly isNumber?: boolean
}

/** What is typed: taken as soon as one is done with it, and left as it is while it is wrong. */
const Typed = ({ id, text, read, onRead, describedBy, hint, isLong = false, isNumber = false }: TypedProps) => {
  const [typed, setTyped] = useState<string>()
  const [why, setWhy] = useState<string>()
  const [shown, setShown] = useState(text)
  if (shown !== text) {
    // somebody else has set it, or the slider
    setShown(text)
    setTyped(undefined)
    setWhy(undefined)
  }
  const take = () => {
    if (typed === undefined || typed === text) return setWhy(undefined)
    const answer = read(typed)
    if ('why' in answer) return setWhy(answer.why)
    setTyped(undefined)
    setWhy(undefined)
    onRead(answer.value)
  }
  const shared = {
    id,
    className: 'input',
    value: typed ?? text,
    'aria-invalid': why !== undefined,
    'aria-describedby': [describedBy, `${id}why`].filter(Boolean).join(' '),
    onBlur: take,
    onChange: ({ target }: { readonly target: { readonly value: string } }) => setTyped(target.value),
  }
  return (
    <div className="typed">
      {isLong ? (
        <textarea {...shared} rows={text.length > 200 ? 12 : 3} spellCheck={false} />
      ) : (
        <input
          {...shared}
          {...(isNumber && { inputMode: 'decimal' as const })}
          title={hint}
          onKeyDown={({ key }) => key === 'Enter' && take()}
        />
      )}
      <span id={`${id}why`} className={why === undefined ? 'only-read-aloud' : 'wrong'} role={why && 'alert'}>
        {why ?? hint}
      </span>
    </div>
  )
}
