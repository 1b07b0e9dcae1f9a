// What a kind of source can be told, as a form.
import type { ReactNode } from 'react'
import { Empty, Field } from '../../parts/parts.tsx'
import { type Backend, fieldsOf, type SourceField } from './source-fields.ts'

interface SourceFormProps {
  readonly backend: Backend
  readonly typed: Readonly<Record<string, string>>
  readonly onType: (key: string, text: string) => void
}

interface InputProps {
  readonly field: SourceField
  readonly id: string
  readonly describedBy: string | undefined
  readonly text: string
  readonly onType: (text: string) => void
}

const Input = ({ field, id, describedBy, text, onType }: InputProps) => {
  const { kind, choices, isRequired, isSecret, min, max } = field
  if (kind === 'choice' || kind === 'switch')
    return (
      <select
        id={id}
        className="input"
        aria-describedby={describedBy}
        required={isRequired}
        value={text}
        onChange={({ target }) => onType(target.value)}
      >
        <option value="">as it is by itself</option>
        {(kind === 'switch' ? ['true', 'false'] : choices).map((each) => (
          <option key={each} value={each}>
            {kind === 'switch' ? (each === 'true' ? 'yes' : 'no') : each}
          </option>
        ))}
      </select>
    )
  const isNumber = kind !== 'text'
  return (
    <input
      id={id}
      className="input"
      type={isSecret ? 'password' : isNumber ? 'number' : 'text'}
      autoComplete={isSecret ? 'new-password' : 'off'}
      {...(isNumber && { min, max, step: kind === 'integer' ? 1 : 'any' })}
      aria-describedby={describedBy}
      required={isRequired}
      value={text}
      onChange={({ target }) => onType(target.value)}
    />
  )
}

/** Which of the cameras that are plugged in. */
const CameraChoice = ({ backend, typed, onType }: SourceFormProps): ReactNode => {
  if (backend.devices.length === 0) return <Empty>No camera is plugged in. Plug one in: it shows here by itself.</Empty>
  return (
    <Field name="Camera">
      {(id, describedBy) => (
        <select
          id={id}
          className="input"
          required
          aria-describedby={describedBy}
          value={typed.camera_uid ?? ''}
          onChange={({ target }) => onType('camera_uid', target.value)}
        >
          <option value="">Choose one</option>
          {backend.devices.map(({ camera_uid, name, device, busy_by }) => (
            <option key={camera_uid} value={camera_uid ?? ''} disabled={busy_by !== null || camera_uid === null}>
              {name} at {device}
              {busy_by !== null && `, in use by ${busy_by}`}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** The fields of one kind; what one need not say is folded away. */
export const SourceForm = ({ backend, typed, onType }: SourceFormProps) => {
  const isCamera = backend.backend === 'v4l2'
  const fields = fieldsOf(backend).filter(({ key }) => !(isCamera && key === 'camera_uid'))
  const needed = fields.filter(({ isRequired, key }) => isRequired || key === 'media')
  const others = fields.filter((field) => !needed.includes(field))
  const show = (field: SourceField) => (
    <Field
      key={field.key}
      name={field.name}
      {...(field.unit !== undefined && { unit: field.unit })}
      {...(field.hint && { hint: field.hint })}
    >
      {(id, describedBy) => (
        <Input
          field={field}
          id={id}
          describedBy={describedBy}
          text={typed[field.key] ?? ''}
          onType={(text) => onType(field.key, text)}
        />
      )}
    </Field>
  )
  return (
    <>
      {isCamera && <CameraChoice backend={backend} typed={typed} onType={onType} />}
      {needed.map(show)}
      {others.length > 0 && (
        <details>
          <summary>More to set: what is left empty is chosen by itself</summary>
          <div className="stack streams-more">{others.map(show)}</div>
        </details>
      )}
    </>
  )
}
