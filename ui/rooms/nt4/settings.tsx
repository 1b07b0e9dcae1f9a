// Whose robot this device is on, where it is looked for, and what is published there.
import { useState } from 'react'
import { api, ask, type Documents } from '../../api/client.ts'
import { Button, Card, Field, ProblemNote, WriteNote } from '../../parts/parts.tsx'
import { nt4 } from '../../state/device.ts'
import { useKnown } from '../../state/live.ts'
import { useWrite } from '../../state/write.ts'
import { choiceOf, describeTarget, TARGET_KINDS, type TargetChoice, type TargetKind, targetOf } from './target.ts'

type Nt4 = Documents['Nt4']

const isOfLink = (ref: Readonly<Record<string, string>>): boolean =>
  ref.peer_id === undefined && ref.stream_id === undefined

/** What is being typed, on which revision; undefined: what is stored is shown. */
interface Draft<T> {
  readonly value: T
  readonly revision: number
}

const teamText = (team: number | null): string => (team === null ? '' : String(team))

const TeamForm = ({ known }: { readonly known: Nt4 }) => {
  const [draft, setDraft] = useState<Draft<string>>()
  const { state, write, clear } = useWrite({ heeds: isOfLink })
  const stored = teamText(known.spec.team)
  const text = draft?.value ?? stored
  const save = async (revision: number) => {
    const team = text.trim() === '' ? null : Number(text)
    const answer = await write(() => ask(api.POST('/v1/device/team', { body: { team, expected_revision: revision } })))
    nt4.refresh()
    if (answer.ok) setDraft(undefined)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save(draft?.revision ?? known.revision)
      }}
    >
      <Field
        name="Team"
        hint="The robot of this team is looked for, at all addresses that it can have."
        note={
          <WriteNote
            state={state}
            theirs={stored || 'none'}
            mine={text || 'none'}
            onTakeTheirs={() => {
              setDraft(undefined)
              clear()
            }}
            onSetMine={() => void save(known.revision)}
          />
        }
      >
        {(id, describedBy) => (
          <div className="row">
            <input
              id={id}
              className="input nt4-team"
              inputMode="numeric"
              pattern="[0-9]{0,5}"
              aria-describedby={describedBy}
              value={text}
              onChange={({ target }) => setDraft({ value: target.value, revision: draft?.revision ?? known.revision })}
            />
            <Button
              type="submit"
              kind="main"
              aria-label="Set the team"
              disabled={state.state === 'pending' || text === stored}
            >
              Set
            </Button>
          </div>
        )}
      </Field>
    </form>
  )
}

const PLACES: Partial<Record<TargetKind, readonly [name: string, hint: string]>> = {
  hosts: ['Addresses', '10.12.34.2, or host:port; up to eight with commas between.'],
  serve: [
    'Listen at',
    'host:port; 0.0.0.0:5810 lets in robots and other computers. Left empty, 127.0.0.1:5810, which only programs on ' +
      'this device reach.',
  ],
}

const TargetForm = ({ known }: { readonly known: Nt4 }) => {
  const [draft, setDraft] = useState<Draft<TargetChoice>>()
  const { state, write, clear } = useWrite({ heeds: isOfLink })
  const choice = draft?.value ?? choiceOf(known.spec.target)
  const change = (value: TargetChoice) => setDraft({ value, revision: draft?.revision ?? known.revision })
  const places = PLACES[choice.kind]
  const save = async (revision: number) => {
    const body = { target: targetOf(choice), expected_revision: revision }
    const answer = await write(() => ask(api.POST('/v1/device/nt4', { body })))
    nt4.refresh()
    if (answer.ok) setDraft(undefined)
  }
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void save(draft?.revision ?? known.revision)
      }}
    >
      <Field name="Looked for">
        {(id) => (
          <select
            id={id}
            className="input"
            value={choice.kind}
            onChange={({ target }) => change({ kind: target.value as TargetKind, places: '' })}
          >
            {TARGET_KINDS.map(([kind, words]) => (
              <option key={kind} value={kind}>
                {words}
              </option>
            ))}
          </select>
        )}
      </Field>
      {places && (
        <Field name={places[0]} hint={places[1]}>
          {(id, describedBy) => (
            <input
              id={id}
              className="input"
              required={choice.kind === 'hosts'}
              aria-describedby={describedBy}
              value={choice.places}
              onChange={({ target }) => change({ ...choice, places: target.value })}
            />
          )}
        </Field>
      )}
      <div className="row">
        <Button
          type="submit"
          aria-label="Set where the robot is looked for"
          disabled={!draft || state.state === 'pending'}
        >
          Set
        </Button>
        {draft && (
          <Button
            onClick={() => {
              setDraft(undefined)
              clear()
            }}
          >
            Leave it as it was
          </Button>
        )}
      </div>
      <WriteNote
        state={state}
        theirs={describeTarget(known.spec.target)}
        mine={describeTarget(targetOf(choice))}
        onTakeTheirs={() => {
          setDraft(undefined)
          clear()
        }}
        onSetMine={() => void save(known.revision)}
      />
    </form>
  )
}

const SWITCHES = [
  ['emulate_extcam_api', 'Streams have the tables of the vendor camera'],
  ['publish_own_table', 'Each stream has its own table, which dashboards draw on the field'],
] as const

const Publishing = ({ known }: { readonly known: Nt4 }) => {
  const { state, write } = useWrite({ heeds: isOfLink })
  const isPending = state.state === 'pending'
  const set = async (key: (typeof SWITCHES)[number][0], isOn: boolean) => {
    if (isPending) return
    const body = { [key]: isOn, expected_revision: known.revision }
    await write(() => ask(api.POST('/v1/device/nt4', { body })))
    nt4.refresh()
  }
  return (
    <fieldset className="nt4-publishing">
      <legend>Published on the robot</legend>
      {SWITCHES.map(([key, words]) => (
        <label key={key}>
          <input
            type="checkbox"
            checked={known.spec[key]}
            aria-disabled={isPending || undefined}
            onChange={({ target }) => void set(key, target.checked)}
          />{' '}
          {words}
        </label>
      ))}
      <WriteNote state={state} onTakeTheirs={() => nt4.refresh()} />
    </fieldset>
  )
}

/** The card. */
export const SettingsCard = () => {
  const { value, problem } = useKnown(nt4)
  return (
    <Card title="Robot" side={value && <span className="hint">revision {value.revision}</span>}>
      <div className="card-body stack">
        {problem && !value && <ProblemNote problem={problem} />}
        {value && (
          <>
            <TeamForm known={value} />
            <TargetForm known={value} />
            <Publishing known={value} />
          </>
        )}
      </div>
    </Card>
  )
}
