// A calibration that another program has made: its file is dropped or chosen. What is odd about it, or wrong with it,
// stands here at once.
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import type { Problem } from '../../api/client.ts'
import { FileChoice } from '../../parts/file-choice.tsx'
import { Button, Card, Field, Pill, ProblemNote } from '../../parts/parts.tsx'
import { useFileDrop } from '../../parts/use-file-drop.ts'
import { type ImportOptions, importCalibration } from '../../state/calibration-files.ts'
import { forgottenCalibrations, type KeptCalibration } from '../../state/calibrations.ts'
import { useOwnStreams } from '../../state/streams.ts'
import { Reasons } from './verdict.tsx'
import { addressOf, formatName, sizeIn } from './words.ts'

type State =
  | { readonly is: 'nothing' }
  | { readonly is: 'sending'; readonly file: File }
  | { readonly is: 'refused'; readonly file: File; readonly problem: Problem; readonly options: ImportOptions }
  | { readonly is: 'kept'; readonly file: File; readonly kept: KeptCalibration; readonly options: ImportOptions }

const SHIFTED = 'half_pixel' // of a reason: nobody knows whether it is

const Stored = ({ kept, onMend }: { readonly kept: KeptCalibration; readonly onMend: () => void }) => {
  const { id, spec } = kept
  return (
    <div className="stack">
      <p>
        <Pill tone="good">taken</Pill> <Link href={addressOf(id)}>{spec.name}</Link>: {sizeIn(spec)}
        {spec.source?.format && `, read as ${formatName(spec.source.format)}`}. It is in force nowhere yet.
      </p>
      {spec.reasons.length > 0 && <Reasons reasons={spec.reasons} name="What is to be known of the file" />}
      {spec.reasons.some(({ code }) => code === SHIFTED) && (
        <div>
          <Button onClick={onMend}>Take half a pixel away</Button>
        </div>
      )}
    </div>
  )
}

/** What a file may leave open. */
const MoreForm = ({ onSend }: { readonly onSend: (options: ImportOptions) => void }) => {
  const [width, setWidth] = useState('')
  const [height, setHeight] = useState('')
  const [camera, setCamera] = useState('')
  const send = (event: FormEvent) => {
    event.preventDefault()
    onSend({
      ...(width && { width_px: Number(width) }),
      ...(height && { height_px: Number(height) }),
      ...(camera && { camera: Number(camera) }),
    })
  }
  return (
    <form className="stack" onSubmit={send}>
      <p>Where the file leaves something open, say it here:</p>
      <div className="calibration-more">
        {(
          [
            ['Width of the pictures', 'px', width, setWidth, 'numeric'],
            ['Height of the pictures', 'px', height, setHeight, 'numeric'],
            ['Camera, of several', undefined, camera, setCamera, 'numeric'],
          ] as const
        ).map(([name, unit, value, set, inputMode]) => (
          <Field key={name} name={name} {...(unit && { unit })}>
            {(id) => (
              <input
                id={id}
                className="input"
                inputMode={inputMode}
                pattern={unit ? '[0-9]{2,4}' : '[0-9]{1,3}'}
                placeholder={unit ? '' : '0 for cam0'}
                value={value}
                onChange={({ target }) => set(target.value)}
              />
            )}
          </Field>
        ))}
      </div>
      <div>
        <Button type="submit" disabled={!width && !height && !camera}>
          Read it with that
        </Button>
      </div>
    </form>
  )
}

interface RefusedProps {
  readonly file: File
  readonly problem: Problem
  readonly onAgain: (options: ImportOptions) => void
}

const Refused = ({ file, problem, onAgain }: RefusedProps) => (
  <div className="stack">
    <p>
      <Pill tone="bad">not taken</Pill> <strong>{file.name}</strong>
    </p>
    <ProblemNote problem={problem} />
    {(problem.errors?.length ?? 0) > 1 && (
      <ul className="calibration-flaws" aria-label="What is wrong with it">
        {problem.errors?.map(({ pointer, message }) => (
          <li key={`${pointer} ${message}`}>
            <code>{pointer === '' ? 'the file' : pointer}</code> {message}
          </li>
        ))}
      </ul>
    )}
    {problem.code === 'calibration.invalid' && <MoreForm onSend={onAgain} />}
  </div>
)

/** Takes files. */
export const ImportCard = () => {
  const [state, setState] = useState<State>({ is: 'nothing' })
  const [streamId, setStreamId] = useState('')
  const streams = useOwnStreams()
  const send = async (file: File, options: ImportOptions): Promise<boolean> => {
    setState({ is: 'sending', file })
    const answer = await importCalibration(file, options)
    setState(
      answer.ok
        ? { is: 'kept', file, kept: answer.value, options }
        : { is: 'refused', file, problem: answer.problem, options },
    )
    return answer.ok
  }
  const take = ([file]: readonly File[]) => {
    if (file) void send(file, streamId === '' ? {} : { stream_id: streamId })
  }
  const mend = async ({ file, kept, options }: Extract<State, { readonly is: 'kept' }>) => {
    const isTaken = await send(file, { ...options, repair: 'half_pixel' })
    if (isTaken) forgottenCalibrations.forget(kept.id, `Deleted ${kept.spec.name}, as it was before`)
  }
  const drop = useFileDrop(take, state.is !== 'sending')
  return (
    <Card title="Import a file">
      <div className="card-body stack calibration-drop" {...drop}>
        <p>
          Drop the calibration of another program here: PhotonVision, OpenCV, ROS, Kalibr, WPIcal, Northstar, CalibDB,
          the vendor’s, or one that was exported from Vedette.
        </p>
        <Field name="For the stream">
          {(fieldId) => (
            <select
              id={fieldId}
              className="input"
              value={streamId}
              onChange={({ target }) => setStreamId(target.value)}
            >
              <option value="">no stream in particular</option>
              {streams?.map((stream) => (
                <option key={stream.id} value={stream.id}>
                  {stream.spec.alias}
                </option>
              ))}
            </select>
          )}
        </Field>
        <FileChoice accept=".json,.yaml,.yml,.xml" isDisabled={state.is === 'sending'} onChoose={take}>
          Choose a calibration file
        </FileChoice>
        <div aria-live="polite">
          {state.is === 'sending' && <Pill tone="busy">{state.file.name} is being read</Pill>}
          {state.is === 'kept' && <Stored kept={state.kept} onMend={() => void mend(state)} />}
          {state.is === 'refused' && (
            <Refused
              file={state.file}
              problem={state.problem}
              onAgain={(more) => void send(state.file, { ...state.options, ...more })}
            />
          )}
        </div>
      </div>
    </Card>
  )
}
