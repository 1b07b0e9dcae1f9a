// The animations: those that are saved, and the built-in templates to play and to begin with.
import { Plus, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import { withValues } from '../../../machines/lighting/template-values.ts'
import type { Problem } from '../../api/client.ts'
import { Button, Card, Empty, ProblemNote, WriteNote } from '../../parts/parts.tsx'
import {
  commandLights,
  deleteAnimation,
  type LightingTemplate,
  lightingAnimations,
  lightingTemplates,
  type SavedAnimation,
} from '../../state/lighting.ts'
import { useKnown } from '../../state/live.ts'
import { withUndo } from '../../state/undo.ts'
import { useWrite } from '../../state/write.ts'
import { draftAddress } from './animation-draft.ts'
import { ParameterFields, type ParameterValues } from './light-fields.tsx'
import { LightPreview } from './light-preview.tsx'
import { LOOPS } from './lighting-words.ts'

const PLAYED_FOR_MS = 60_000

const PlayButton = ({ name, title, parameters }: PlayProps) => {
  const { state, write } = useWrite()
  const play = () =>
    write(() =>
      commandLights({
        command: 'animation',
        animation: name,
        ttl_ms: PLAYED_FOR_MS,
        ...(parameters && { parameters: { ...parameters } }),
      }),
    )
  return (
    <>
      <Button
        aria-label={`Play ${title}`}
        title="On all lights of the device, for a minute"
        disabled={state.state === 'pending'}
        onClick={() => void play()}
      >
        Play
      </Button>
      {state.state !== 'idle' && <WriteNote state={state} />}
    </>
  )
}

interface PlayProps {
  readonly name: string
  readonly title: string
  readonly parameters?: ParameterValues
}

const SavedRow = ({ animation, onDelete }: { readonly animation: SavedAnimation; readonly onDelete: () => void }) => {
  const { name, title, duration_ms, loop } = animation
  return (
    <li className="lighting-animation">
      <LightPreview label={`${title}, as it plays`} picture={animation} />
      <div className="lighting-animation-head">
        <div className="grow">
          <h3>
            <Link href={`/lighting/animations/edit/${name}`}>{title}</Link>
          </h3>
          <p className="hint">
            {name}, {(duration_ms / 1000).toFixed(1)} s, {LOOPS[loop]}
          </p>
        </div>
        <PlayButton name={name} title={title} />
        <Link className="button" href={`/lighting/animations/edit/${name}`} aria-label={`Edit ${title}`}>
          Edit
        </Link>
        <Button icon={<Trash2 size={18} aria-hidden />} aria-label={`Delete ${title}`} onClick={onDelete} />
      </div>
    </li>
  )
}

const SavedCard = () => {
  const { value, problem } = useKnown(lightingAnimations)
  const [hidden, setHidden] = useState<readonly string[]>([])
  const [refusal, setRefusal] = useState<Problem>()
  const remove = (animation: SavedAnimation) => {
    const { name, title } = animation
    const show = () => setHidden((now) => now.filter((each) => each !== name))
    const carryOut = async (isLeaving: boolean) => {
      const answer = await deleteAnimation(animation, isLeaving)
      setRefusal(answer.ok ? undefined : answer.problem)
      show() // it is gone by then, or could not be deleted
    }
    setHidden((now) => [...now, name])
    withUndo(`Deleted ${title}`, (isLeaving) => void carryOut(isLeaving), show)
  }
  const shown = value?.filter(({ name }) => !hidden.includes(name))
  return (
    <Card title="Saved on this device">
      {problem && <ProblemNote problem={problem} />}
      {refusal && <ProblemNote problem={refusal} title="It was not deleted." />}
      {shown?.length === 0 && (
        <Empty>
          Nothing is saved yet. Make a new one, or begin with one of the built-in ones: it opens in the editor.
        </Empty>
      )}
      <ul className="list" aria-label="Saved animations">
        {shown?.map((animation) => (
          <SavedRow key={animation.name} animation={animation} onDelete={() => remove(animation)} />
        ))}
      </ul>
    </Card>
  )
}

const TemplateCard = ({ template }: { readonly template: LightingTemplate }) => {
  const { id, title, description, parameters } = template
  const [values, setValues] = useState<ParameterValues>({})
  const picture = useMemo(() => withValues(template, parameters, values), [template, parameters, values])
  return (
    <Card title={title}>
      <div className="card-body stack">
        <LightPreview label={`${title}, as it plays`} picture={picture} />
        <p>{description}</p>
        <div className="lighting-show">
          <ParameterFields template={template} values={values} onChange={setValues} />
        </div>
        <div className="row">
          <PlayButton name={id} title={title} parameters={values} />
          <Link className="button" href={draftAddress(id, values)} aria-label={`Make your own of ${title}`}>
            Make your own
          </Link>
        </div>
      </div>
    </Card>
  )
}

/** The page. */
export const AnimationList = () => {
  const templates = useKnown(lightingTemplates)
  return (
    <>
      <div className="page-head">
        <h1>Animations</h1>
        <div className="right">
          <Link className="button" data-kind="main" href="/lighting/animations/new">
            <Plus size={18} aria-hidden />
            New animation
          </Link>
        </div>
      </div>
      <SavedCard />
      <h2>Built in</h2>
      {templates.problem && <ProblemNote problem={templates.problem} />}
      <div className="lighting-templates">
        {templates.value?.map((template) => (
          <TemplateCard key={template.id} template={template} />
        ))}
      </div>
    </>
  )
}
