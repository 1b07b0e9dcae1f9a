// The controls of the camera of a stream.
import { RotateCcw } from 'lucide-react'
import { useMemo, useRef } from 'react'
import type { FeedEvent } from '../../api/feed.ts'
import { Button, Empty, Field, ProblemNote, WriteNote } from '../../parts/parts.tsx'
import { Slider } from '../../parts/slider.tsx'
import type { Heed, LiveParts } from '../../state/live.ts'
import { useWatched } from '../../state/watched.ts'
import { useWrite } from '../../state/write.ts'
import { type Control, groupsOf, labelOf, unitOf } from './control-groups.ts'
import { useNewestWrite } from './newest-write.ts'
import type { Controls, StreamTarget } from './target.ts'

const NUMBERS = ['integer', 'integer64']

const useControls = (target: StreamTarget) => {
  const newest = useRef<Controls>(undefined)
  const parts = useMemo((): LiveParts<Controls> => {
    const heed = ({ kind, resource_ref, data }: FeedEvent): Heed<Controls> => {
      if (!target.heeds(resource_ref)) return undefined
      if (kind === 'stream_state') return 'stale'
      if (kind !== 'control_changed') return undefined
      const { value } = data as { readonly value: number }
      const id = Number(resource_ref.control_id)
      const control = newest.current?.controls.find((each) => each.id === id)
      if (!control || !NUMBERS.includes(control.type)) return 'stale' // a switch may free others
      return (known) => ({ controls: known.controls.map((each) => (each.id === id ? { ...each, value } : each)) })
    }
    return { read: target.readControls, heed }
  }, [target])
  const watched = useWatched(parts)
  newest.current = watched.value
  return watched
}

const ControlRow = ({ control, target }: { readonly control: Control; readonly target: StreamTarget }) => {
  const { state, write } = useWrite({ target: target.device })
  const { id } = control
  const { wanted, set } = useNewestWrite({
    known: control.value,
    send: (value) => write(() => target.setControl(id, value)),
    valueIn: ({ kind, resource_ref, data }) =>
      kind === 'control_changed' && target.heeds(resource_ref) && Number(resource_ref.control_id) === id
        ? (data as { readonly value: number }).value
        : undefined,
  })
  const value = wanted ?? control.value
  const isDecided = control.flags.includes('inactive')
  const isFixed = isDecided || control.flags.includes('read-only')
  const name = labelOf(control)
  const reset = (
    <Button
      kind="plain"
      icon={<RotateCcw size={16} aria-hidden />}
      aria-label={`Reset ${name}`}
      title={`As it comes from the factory: ${control.default}`}
      disabled={isFixed || value === control.default}
      onClick={() => set(control.default)}
    />
  )
  if (control.type === 'button')
    return (
      <div className="streams-control">
        <Button disabled={isFixed} onClick={() => set(1)}>
          {name}
        </Button>
        <WriteNote state={state} />
      </div>
    )
  return (
    <Field
      name={name}
      note={<WriteNote state={state} />}
      {...(isDecided && { hint: 'The camera decides this itself.' })}
    >
      {(fieldId, describedBy) => (
        <div className="streams-control-row">
          {control.type === 'boolean' ? (
            <input
              id={fieldId}
              type="checkbox"
              checked={value === 1}
              disabled={isFixed}
              aria-describedby={describedBy}
              onChange={({ target: { checked } }) => set(checked ? 1 : 0)}
            />
          ) : control.menu ? (
            <select
              id={fieldId}
              className="input"
              value={value}
              disabled={isFixed}
              aria-describedby={describedBy}
              onChange={(event) => set(Number(event.target.value))}
            >
              {control.menu.map((entry) => (
                <option key={entry.value} value={entry.value}>
                  {entry.label}
                </option>
              ))}
            </select>
          ) : (
            <Slider
              id={fieldId}
              name={name}
              value={value}
              min={control.min}
              max={control.max}
              step={Math.max(1, control.step)}
              unit={unitOf(control)}
              isDisabled={isFixed}
              describedBy={describedBy}
              onChange={set}
            />
          )}
          {reset}
        </div>
      )}
    </Field>
  )
}

/** All of them, automatic ones beside what they decide. */
export const ControlsTab = ({ target }: { readonly target: StreamTarget }) => {
  const { value, problem, refresh } = useControls(target)
  if (!value)
    return problem ? (
      <div className="stack">
        <ProblemNote problem={problem} />
        <div>
          <Button onClick={refresh}>Ask the camera again</Button>
        </div>
      </div>
    ) : (
      <p className="hint">Asking the camera</p>
    )
  if (value.controls.length === 0)
    return <Empty>This stream has no camera with controls: its pictures come from elsewhere.</Empty>
  return (
    <div className="stack">
      {problem && <ProblemNote problem={problem} />}
      {groupsOf(value.controls).map(({ name, controls }) => (
        <fieldset key={name} className="streams-group">
          <legend className="only-read-aloud">{name}</legend>
          {controls.map((control) => (
            <ControlRow key={control.id} control={control} target={target} />
          ))}
        </fieldset>
      ))}
    </div>
  )
}
