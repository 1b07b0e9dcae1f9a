// A map is added: by choosing its file or by dropping it. What is wrong with it stands here at once.
import { type FormEvent, useState } from 'react'
import type { Problem } from '../../api/client.ts'
import { FileChoice } from '../../parts/file-choice.tsx'
import { Button, Card, Field, Pill, ProblemNote } from '../../parts/parts.tsx'
import { useFileDrop } from '../../parts/use-file-drop.ts'
import { lacksSize, type MapUploadOptions, type UploadedMap, uploadMap } from '../../state/map-upload.ts'
import { counted, figureOf } from '../../words.ts'
import { MapMark } from './map-mark.tsx'

type State =
  | { readonly is: 'nothing' }
  | { readonly is: 'sending'; readonly file: File }
  | { readonly is: 'refused'; readonly file: File; readonly problem: Problem; readonly options: MapUploadOptions }
  | { readonly is: 'stored'; readonly map: UploadedMap }

/** onStored: it is looked at. */
export const MapUploadCard = ({ onStored }: { readonly onStored: (id: string) => void }) => {
  const [state, setState] = useState<State>({ is: 'nothing' })
  const send = async (file: File, options: MapUploadOptions = {}) => {
    setState({ is: 'sending', file })
    const answer = await uploadMap(file, options)
    if (!answer.ok) return setState({ is: 'refused', file, problem: answer.problem, options })
    setState({ is: 'stored', map: answer.value })
    onStored(answer.value.id)
  }
  const take = ([file]: readonly File[]) => {
    if (file) void send(file)
  }
  const drop = useFileDrop(take, state.is !== 'sending')
  return (
    <Card title="Add a map">
      <div className="card-body stack field-drop" {...drop}>
        <p>
          Drop the file of your field here: WPILib's AprilTag layout, its field file of 2027, the vendor's .fmap, or one
          that was downloaded below.
        </p>
        <FileChoice accept=".json,.fmap,application/json" isDisabled={state.is === 'sending'} onChoose={take}>
          Choose a map file
        </FileChoice>
        <div aria-live="polite">
          {state.is === 'sending' && <Pill tone="busy">{state.file.name} is being read</Pill>}
          {state.is === 'stored' && <Stored map={state.map} />}
          {state.is === 'refused' && (
            <Refused {...state} onAgain={(options) => void send(state.file, { ...state.options, ...options })} />
          )}
        </div>
      </div>
    </Card>
  )
}

const FORMS: Readonly<Record<UploadedMap['form'], string>> = {
  vedette: 'this device’s own form',
  wpilib: 'WPILib’s AprilTag layout',
  'wpilib-2027': 'WPILib’s field file of 2027',
  fmap: 'the vendor’s .fmap',
}

const SIZES: Readonly<Record<UploadedMap['size_from'], string>> = {
  file: 'as the file says',
  query: 'as you have said',
  season: 'as the official field of that season',
}

const Stored = ({ map }: { readonly map: UploadedMap }) => (
  <div className="stack">
    <p>
      <Pill tone="good">stored</Pill> <MapMark id={map.id} name={map.name} hash={map.hash} />:{' '}
      {counted(map.tag_count, 'tag')}, read as {FORMS[map.form]}; {figureOf(map.length_m, 3)} ×{' '}
      {figureOf(map.width_m, 3)} m, {SIZES[map.size_from]}.
    </p>
    {map.warnings.map((warning) => (
      <p key={warning} className="alert" data-tone="busy">
        {warning}
      </p>
    ))}
  </div>
)

interface RefusedProps {
  readonly file: File
  readonly problem: Problem
  readonly onAgain: (options: MapUploadOptions) => void
}

const Refused = ({ file, problem, onAgain }: RefusedProps) => {
  if (lacksSize(problem)) return <SizeQuestion file={file} problem={problem} onAgain={onAgain} />
  const { errors: flaws = [] } = problem
  return (
    <div className="stack">
      <p>
        <Pill tone="bad">not taken</Pill> <strong>{file.name}</strong>
      </p>
      <ProblemNote problem={problem} />
      {flaws.length > 0 && (
        <ul className="field-flaws">
          {flaws.map(({ pointer, message }) => (
            <li key={`${pointer} ${message}`}>
              <code>{pointer === '' ? 'the file' : pointer}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {problem.code === 'map.exists' && (
        <div>
          <Button kind="danger" onClick={() => onAgain({ mayReplace: true })}>
            Replace the map that is there
          </Button>
        </div>
      )}
    </div>
  )
}

/** Its form does not say how large the field is, and its origin is in the middle of that. */
const SizeQuestion = ({ file, problem, onAgain }: RefusedProps) => {
  const [length, setLength] = useState('')
  const [width, setWidth] = useState('')
  const size = { length_m: Number(length), width_m: Number(width) }
  const isWhole = size.length_m > 0 && size.width_m > 0
  const ask = (event: FormEvent) => {
    event.preventDefault()
    onAgain({ size })
  }
  return (
    <form className="stack" onSubmit={ask}>
      <p>
        <Pill tone="busy">how large is it?</Pill> <strong>{file.name}</strong>: {problem.detail}
      </p>
      <div className="field-config-numbers">
        {(
          [
            ['Length', length, setLength, 'between the two walls of the drivers'],
            ['Width', width, setWidth, 'between the other two'],
          ] as const
        ).map(([name, value, set, hint]) => (
          <Field key={name} name={name} unit="m" hint={hint}>
            {(id, describedBy) => (
              <input
                id={id}
                className="input"
                type="number"
                inputMode="decimal"
                step="any"
                min={1}
                max={100}
                aria-describedby={describedBy}
                value={value}
                onChange={({ target }) => set(target.value)}
              />
            )}
          </Field>
        ))}
      </div>
      <div>
        <Button type="submit" kind="main" disabled={!isWhole}>
          Read it with that
        </Button>
      </div>
    </form>
  )
}
