// What people note down about an item: a note, other facts, and the label of a picture or model.
import { Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { api, ask } from '../../api/client.ts'
import { Button, Card, Field, WriteNote } from '../../parts/parts.tsx'
import { contentUrl, type MediaItem } from '../../state/media.ts'
import { useWrite } from '../../state/write.ts'

const shownValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The note, and what else stands in the metadata. */
export const NoteCard = ({ item }: { readonly item: MediaItem }) => {
  const { name, revision, metadata } = item
  const stored = typeof metadata.note === 'string' ? metadata.note : ''
  const [draft, setDraft] = useState<string>()
  const [basedOn, setBasedOn] = useState(revision)
  const { state, write, clear } = useWrite()
  const others = Object.entries(metadata).filter(([key]) => key !== 'note')

  const change = (values: Readonly<Record<string, unknown>>, expected: number) =>
    write(() =>
      ask(
        api.PATCH('/v1/media/{name}/metadata', {
          params: { path: { name }, header: { 'If-Match': `"${expected}"` } },
          body: { metadata: values },
        }),
      ),
    )
  const save = async (expected: number) => {
    const note = draft?.trim() ?? ''
    const answer = await change({ note: note === '' ? null : note }, expected)
    if (answer.ok) setDraft(undefined)
  }
  return (
    <Card title="Notes">
      <div className="card-body stack">
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault()
            void save(basedOn)
          }}
        >
          <Field
            name="Note"
            note={
              <WriteNote
                state={state}
                theirs={stored || 'no note'}
                mine={draft}
                onTakeTheirs={() => {
                  setDraft(undefined)
                  clear()
                }}
                onSetMine={() => void save(revision)}
              />
            }
          >
            {(id) => (
              <textarea
                id={id}
                className="input"
                rows={3}
                maxLength={1500}
                value={draft ?? stored}
                onChange={({ target }) => {
                  if (draft === undefined) setBasedOn(revision)
                  setDraft(target.value)
                }}
              />
            )}
          </Field>
          <div className="row">
            <Button type="submit" disabled={draft === undefined || state.state === 'pending'}>
              Save note
            </Button>
            {draft !== undefined && <Button onClick={() => setDraft(undefined)}>Leave it as it was</Button>}
          </div>
        </form>
        {others.length > 0 && (
          <dl className="media-known">
            {others.map(([key, value]) => (
              <div key={key}>
                <dt>{key}</dt>
                <dd>
                  <code>{shownValue(value)}</code>
                  <Button
                    kind="plain"
                    icon={<Trash2 size={16} aria-hidden />}
                    aria-label={`Remove ${key}`}
                    onClick={() => void change({ [key]: null }, revision)}
                  />
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </Card>
  )
}

const HINT = {
  picture:
    'One thing on each line, as YOLO has it: class, centre, width and height, from 0 to 1. Or one JSON document.',
  model: 'The names of its classes, one on each line, the first that of class 0.',
} as const

/** The label of a picture, the names of the classes of a model. */
export const LabelCard = ({ item }: { readonly item: MediaItem }) => {
  const { name, kind, side_cars } = item
  const [stored, setStored] = useState('')
  const [draft, setDraft] = useState<string>()
  const { state, write } = useWrite()
  const isThere = side_cars.label !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: the revision says that it may be another one
  useEffect(() => {
    if (!isThere) return setStored('')
    const broken = new AbortController()
    const read = async () => {
      const response = await fetch(`${contentUrl(name)}/label`, { signal: broken.signal })
      if (response.ok) setStored(await response.text())
    }
    read().catch(() => {}) // what is left, or not reached: the page says that already
    return () => broken.abort()
  }, [name, isThere, item.revision])

  const save = async () => {
    const text = draft ?? ''
    const isJson = /^\s*[[{]/.test(text)
    const answer = await write(() =>
      ask(
        api.POST('/v1/media/{name}/label', {
          params: { path: { name } },
          headers: { 'Content-Type': isJson ? 'application/json' : 'text/plain' },
          body: text,
          bodySerializer: (body) => body,
        }),
      ),
    )
    if (answer.ok) setDraft(undefined)
  }
  const title = kind === 'model' ? 'Classes' : 'Label'
  return (
    <Card title={title}>
      <form
        className="card-body stack"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Field
          name={kind === 'model' ? 'Names of the classes' : 'What is to be seen'}
          hint={kind === 'model' ? HINT.model : HINT.picture}
          note={<WriteNote state={state} />}
        >
          {(id, describedBy) => (
            <textarea
              id={id}
              className="input media-label"
              rows={4}
              spellCheck={false}
              aria-describedby={describedBy}
              value={draft ?? stored}
              onChange={({ target }) => setDraft(target.value)}
            />
          )}
        </Field>
        <div className="row">
          <Button type="submit" disabled={!draft?.trim() || state.state === 'pending'}>
            Save {title.toLowerCase()}
          </Button>
          {draft !== undefined && <Button onClick={() => setDraft(undefined)}>Leave it as it was</Button>}
        </div>
      </form>
    </Card>
  )
}
