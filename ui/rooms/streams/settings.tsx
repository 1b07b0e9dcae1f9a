// What a stream is called, whether it runs, and where its camera sits.
import { Button, Field, WriteNote } from '../../parts/parts.tsx'
import { NumberInput } from '../../parts/slider.tsx'
import { useKnownOf } from '../../state/live.ts'
import { maps } from '../../state/maps.ts'
import { type AnyStream, isRemote, type Stream } from '../../state/streams.ts'
import { useWrite } from '../../state/write.ts'
import { useDraft } from './draft.ts'
import { LensField } from './lens-note.tsx'
import { PlaceForm } from './place.tsx'
import type { StreamTarget } from './target.ts'

interface SettingsProps<S extends AnyStream = AnyStream> {
  readonly stream: S
  readonly target: StreamTarget
}

const NameForm = ({ stream, target }: SettingsProps) => {
  const { state, write, clear } = useWrite({ target: target.device, heeds: target.heeds })
  const draft = useDraft(stream.spec.alias, stream.revision)
  const send = async (expected: number) => {
    const answer = await write(() => target.change({ alias: draft.value.trim() }, expected))
    if (answer.ok) draft.settle(answer.revision)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void send(draft.expected)
      }}
    >
      <Field
        name="Name"
        note={
          <WriteNote
            state={state}
            theirs={stream.spec.alias}
            mine={draft.value}
            onTakeTheirs={() => {
              draft.drop()
              clear()
            }}
            onSetMine={() => void send(stream.revision)}
          />
        }
      >
        {(id) => (
          <div className="row">
            <input
              id={id}
              className="input grow"
              required
              maxLength={60}
              value={draft.value}
              onChange={(event) => draft.change(event.target.value)}
            />
            <Button type="submit" disabled={!draft.isChanged || state.state === 'pending'}>
              Set the name
            </Button>
          </div>
        )}
      </Field>
    </form>
  )
}

/** A setting that is written as soon as it is changed. */
const useSetting = ({ target }: SettingsProps) => {
  const { state, write } = useWrite({ target: target.device, heeds: target.heeds })
  return { set: (patch: object) => void write(() => target.change(patch)), note: <WriteNote state={state} /> }
}

const EnabledField = (props: SettingsProps<Stream>) => {
  const { set, note } = useSetting(props)
  return (
    <Field name="Runs" hint="A stream that is switched off is kept, and frees its camera." note={note}>
      {(id, describedBy) => (
        <input
          id={id}
          type="checkbox"
          aria-describedby={describedBy}
          checked={props.stream.spec.enabled}
          onChange={({ target }) => set({ enabled: target.checked })}
        />
      )}
    </Field>
  )
}

const RewindField = (props: SettingsProps<Stream>) => {
  const { set, note } = useSetting(props)
  const { rewind } = props.stream.spec
  return (
    <Field name="Keeps its last seconds" hint="In memory, for a clip of what has just happened." note={note}>
      {(id, describedBy) => (
        <input
          id={id}
          type="checkbox"
          aria-describedby={describedBy}
          checked={rewind?.enabled === true}
          onChange={({ target }) => set({ rewind: target.checked ? { enabled: true } : null })}
        />
      )}
    </Field>
  )
}

const MapField = (props: SettingsProps<Stream>) => {
  const { set, note } = useSetting(props)
  const all = useKnownOf(maps, ({ value }) => value?.items)
  const { map_id } = props.stream.spec
  return (
    <Field name="Field map" note={note}>
      {(id) => (
        <select id={id} className="input" value={map_id} onChange={({ target }) => set({ map_id: target.value })}>
          {(all ?? [{ id: map_id, name: map_id }]).map((each) => (
            <option key={each.id} value={each.id}>
              {each.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

const PriorityField = (props: SettingsProps<Stream>) => {
  const { set, note } = useSetting(props)
  return (
    <div className="field">
      <span className="label">Priority</span>
      <div className="row">
        <NumberInput
          label="Priority"
          value={props.stream.spec.priority}
          min={1}
          max={10}
          step={1}
          onChange={(priority) => set({ priority })}
        />
        <span className="hint">1 to 10: the higher ones stay whole where there is too little for all.</span>
      </div>
      {note}
    </div>
  )
}

/** All of them; of a stream of another device its name and its place. */
export const SettingsTab = ({ stream, target }: SettingsProps) => {
  return (
    <div className="stack">
      <NameForm stream={stream} target={target} />
      {!isRemote(stream) && (
        <>
          <EnabledField stream={stream} target={target} />
          <RewindField stream={stream} target={target} />
          <MapField stream={stream} target={target} />
          <PriorityField stream={stream} target={target} />
          <LensField stream={stream} />
        </>
      )}
      <PlaceForm stream={stream} target={target} />
    </div>
  )
}
