// The page where an animation is edited: a new one, one out of a template, or a saved one.
import { useMemo, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { BackLink } from '../../parts/back-link.tsx'
import { Button, Card, Empty, Field, ProblemNote, WriteNote } from '../../parts/parts.tsx'
import { ChoiceField, NumberField } from '../../parts/plain-fields.tsx'
import {
  commandLights,
  type LightingAnimation,
  lightingAnimations,
  lightingTemplates,
  readAnimations,
  saveAnimation,
} from '../../state/lighting.ts'
import { useKnown } from '../../state/live.ts'
import { useWrite } from '../../state/write.ts'
import { newAnimation, ownOf, valuesIn } from './animation-draft.ts'
import { AnimationPreview } from './animation-preview.tsx'
import { LOOPS, nameOf } from './lighting-words.ts'
import { TracksCard } from './tracks-card.tsx'

const PLAYED_FOR_MS = 60_000
const MAX_UNDO = 100
const REPLACES = ' One of that name is saved already; saving takes its place.'

/** What somebody edits, and the steps back. */
const useSteps = (first: LightingAnimation) => {
  const [steps, setSteps] = useState<readonly LightingAnimation[]>([first])
  const now = steps.at(-1) ?? first
  return {
    now,
    change: (to: Partial<LightingAnimation>) =>
      setSteps((all) => [...all.slice(-MAX_UNDO), { ...(all.at(-1) ?? first), ...to }]),
    undo: steps.length > 1 ? () => setSteps((all) => all.slice(0, -1)) : undefined,
  }
}

interface EditorProps {
  readonly first: LightingAnimation
  /** Of what it is made from; null: it is a new one. */
  readonly firstRevision: number | null
  /** Begins again with what others have saved. */
  readonly onTakeTheirs?: () => void
}

const Editor = ({ first, firstRevision, onTakeTheirs }: EditorProps) => {
  const isNew = firstRevision === null
  const [revision, setRevision] = useState(firstRevision)
  const { now, change, undo } = useSteps(first)
  const [, navigate] = useLocation()
  const saving = useWrite()
  const playing = useWrite()
  const taken = useKnown(lightingAnimations).value ?? []
  const name = isNew ? nameOf(now.title) : now.name
  const willReplace = isNew && taken.some((each) => each.name === name)
  const save = async (expected = revision): Promise<boolean> => {
    const answer = await saving.write(() => saveAnimation({ ...now, name }, expected))
    if (answer.ok) setRevision(answer.revision)
    else if (answer.problem.code === 'lighting.animation_not_found') setRevision(null) // saved again, it is made again
    if (answer.ok && isNew) navigate(`/lighting/animations/edit/${name}`, { replace: true })
    return answer.ok
  }
  const play = async () => {
    if (!(await save())) return
    await playing.write(() => commandLights({ command: 'animation', animation: name, ttl_ms: PLAYED_FOR_MS }))
  }
  return (
    <>
      <div className="page-head">
        <BackLink href="/lighting/animations" name="Back to the animations" />
        <h1>{now.title || 'New animation'}</h1>
        <div className="right">
          <Button disabled={undo === undefined} onClick={() => undo?.()}>
            Undo
          </Button>
          <Button disabled={name === ''} onClick={() => void play()}>
            Save and play
          </Button>
          <Button kind="main" disabled={name === ''} onClick={() => void save()}>
            Save
          </Button>
        </div>
      </div>
      {saving.state.state !== 'idle' && (
        <WriteNote state={saving.state} onSetMine={() => void save(null)} {...(onTakeTheirs && { onTakeTheirs })} />
      )}
      {playing.state.state === 'refused' && <WriteNote state={playing.state} />}
      <div className="lighting-editor">
        <div className="stack">
          <AnimationPreview animation={now} />
          <TracksCard animation={now} onChange={(tracks) => change({ tracks: [...tracks] })} />
        </div>
        <Card title="The whole of it">
          <div className="card-body stack">
            <Field
              name="Title"
              hint={
                name === ''
                  ? 'It needs one with a letter in it before it can be saved.'
                  : `Commands name it ${name}.${willReplace ? REPLACES : ''}`
              }
            >
              {(id, describedBy) => (
                <input
                  id={id}
                  className="input"
                  value={now.title}
                  maxLength={80}
                  aria-describedby={describedBy}
                  onChange={({ target }) => change({ title: target.value })}
                />
              )}
            </Field>
            <NumberField
              name="Length"
              unit="ms"
              value={now.duration_ms}
              min={20}
              max={600_000}
              onChange={(duration_ms) =>
                change({ duration_ms: Math.min(600_000, Math.max(20, Math.round(duration_ms))) })
              }
            />
            <ChoiceField
              name="At its end it"
              value={now.loop}
              choices={LOOPS}
              onChange={(loop) => change({ loop: loop as LightingAnimation['loop'] })}
            />
          </div>
        </Card>
      </div>
    </>
  )
}

/** A new one; of a template where the address says so. */
export const NewAnimation = () => {
  const [query] = useSearchParams()
  const templates = useKnown(lightingTemplates)
  const id = query.get('template')
  const template = templates.value?.find((each) => each.id === id)
  const values = query.get('values')
  const first = useMemo(() => (template ? ownOf(template, valuesIn(values)) : newAnimation()), [template, values])
  if (templates.problem) return <ProblemNote problem={templates.problem} />
  if (id !== null && !templates.value) return <p className="hint">Loading</p>
  return <Editor key={id} first={first} firstRevision={null} />
}

/** A saved one. */
export const EditAnimation = ({ name }: { readonly name: string }) => {
  const { value, problem } = useKnown(lightingAnimations)
  const saved = value?.find((each) => each.name === name)
  // as it was when it was opened: a change by others is not put over one's own
  const [first, setFirst] = useState(saved)
  if (saved && !first) setFirst(saved)
  /** What is known here may be older than what was refused. */
  const takeTheirs = async () => {
    const answer = await readAnimations()
    if (answer.ok) setFirst(answer.value.find((each) => each.name === name))
  }
  if (problem && !first) return <ProblemNote problem={problem} />
  if (first)
    return (
      <Editor
        key={first.revision}
        first={first}
        firstRevision={first.revision}
        onTakeTheirs={() => void takeTheirs()}
      />
    )
  if (!value) return <p className="hint">Loading</p>
  return (
    <Card>
      <Empty action={<Link href="/lighting/animations">See all animations</Link>}>
        There is no animation {name} on this device (any more).
      </Empty>
    </Card>
  )
}
