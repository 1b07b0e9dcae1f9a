// The tags that are left out, each with why.
import { X } from 'lucide-react'
import { useState } from 'react'
import { Button, Field } from '../../parts/parts.tsx'
import type { ConfigPartProps } from './config-fields.ts'

/** What it takes. */
export interface IgnoredTagsProps extends ConfigPartProps {
  /** The number of a tag that somebody came here for. */
  readonly proposed: string | null
}

/** They are added and taken away here; it is saved with the rest. */
export const IgnoredTags = ({ config, proposed, onChange }: IgnoredTagsProps) => {
  const { ignored } = config
  const [number, setNumber] = useState(proposed ?? '')
  const [why, setWhy] = useState('')
  const wanted = Number(number)
  const isThere = ignored.some(({ tag_id }) => tag_id === wanted)
  const canAdd = number.trim() !== '' && Number.isInteger(wanted) && wanted >= 0 && !isThere
  const add = () => {
    onChange({ ...config, ignored: [...ignored, { tag_id: wanted, why }] })
    setNumber('')
    setWhy('')
  }
  return (
    <>
      {ignored.length === 0 && (
        <p className="card-body hint">None. A tag that hangs wrong, or that a defender carries, is left out here.</p>
      )}
      <ul className="list">
        {ignored.map(({ tag_id, why: reason }) => (
          <li key={tag_id}>
            <strong>Tag {tag_id}</strong>
            <span className="grow hint">{reason === '' ? 'nobody has said why' : reason}</span>
            <Button
              kind="plain"
              icon={<X size={18} aria-hidden />}
              aria-label={`Use tag ${tag_id} again`}
              onClick={() => onChange({ ...config, ignored: ignored.filter((each) => each.tag_id !== tag_id) })}
            />
          </li>
        ))}
      </ul>
      <div className="card-body field-ignore">
        <Field name="Tag" {...(isThere && { hint: 'It is ignored already.' })}>
          {(id, describedBy) => (
            <input
              id={id}
              className="input"
              inputMode="numeric"
              aria-describedby={describedBy}
              value={number}
              onChange={({ target }) => setNumber(target.value)}
            />
          )}
        </Field>
        <Field name="Why">
          {(id) => (
            <input
              id={id}
              className="input"
              maxLength={200}
              placeholder="hangs 5 cm too low"
              value={why}
              onChange={({ target }) => setWhy(target.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || !canAdd) return
                event.preventDefault() // it is added, and not all of it saved
                add()
              }}
            />
          )}
        </Field>
        <Button disabled={!canAdd} onClick={add}>
          Ignore it
        </Button>
      </div>
    </>
  )
}
