// A matrix from a picture: which picture, how it was taken, what comes of it, and the way into a file.
import { useState } from 'react'
import type { Documents, Problem } from '../../../api/client.ts'
import { Button, Card, Field, ProblemNote } from '../../../parts/parts.tsx'
import { type CcmSolution, type ChartPicture, type SolveOptions, solveChart } from '../../../state/colour.ts'
import { useOwnStreams } from '../../../state/streams.ts'
import { CornerPicture } from './corner-picture.tsx'
import { SolutionView } from './solution.tsx'

const EDITIONS = { after_2014: 'after November 2014', before_2014: 'before November 2014' } as const
const CURVES = {
  srgb: 'as screens have it (JPEG)',
  linear: 'in proportion to light (raw)',
  tuning: "the tuning file's own",
} as const

const MIN_CT = 1000
const MAX_CT = 25_000
const PLACES = /^ *-?\d+(\.\d+)?,-?\d+(\.\d+)?( *; *-?\d+(\.\d+)?,-?\d+(\.\d+)?){3} *$/

interface ChoiceProps<Value extends string> {
  readonly name: string
  readonly hint?: string
  readonly values: Readonly<Record<Value, string>>
  readonly chosen: Value
  readonly onChoose: (value: Value) => void
}

const Choice = <Value extends string>({ name, hint, values, chosen, onChoose }: ChoiceProps<Value>) => (
  <Field name={name} hint={hint}>
    {(id, describedBy) => (
      <select
        id={id}
        className="input"
        value={chosen}
        aria-describedby={describedBy}
        onChange={({ target }) => onChoose(target.value as Value)}
      >
        {Object.entries<string>(values).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
)

const FROM_FILE = ' file' // no stream is called so

/** The card. */
export const SolveCard = ({ files }: { readonly files: readonly Documents['TuningFile'][] }) => {
  const streams = useOwnStreams() ?? []
  const [chosen, setChosen] = useState<string>()
  const [file, setFile] = useState<File>()
  const [options, setOptions] = useState({ edition: 'after_2014', curve: 'srgb' } as Pick<
    SolveOptions,
    'edition' | 'curve'
  >)
  const [ct, setCt] = useState('')
  const [corners, setCorners] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const [solution, setSolution] = useState<CcmSolution>()

  const from = chosen ?? streams[0]?.id ?? FROM_FILE
  const picture: ChartPicture | undefined = from === FROM_FILE ? file && { file } : { stream_id: from }
  const temperature = ct.trim() === '' ? null : Number(ct)
  const isCtRight = temperature === null || (temperature >= MIN_CT && temperature <= MAX_CT)
  const hasCorners = corners.trim() !== ''
  const areCornersRight = !hasCorners || PLACES.test(corners)
  const solve = async () => {
    if (!picture) return
    setBusy(true)
    const places = hasCorners ? corners.replaceAll(' ', '') : null
    const answer = await solveChart(picture, { ...options, ct: temperature, corners: places })
    setBusy(false)
    setProblem(answer.ok ? undefined : answer.problem)
    setSolution(answer.ok ? answer.value : undefined)
  }
  const sources = {
    ...Object.fromEntries(streams.map(({ id }) => [id, `stream ${id}`])),
    [FROM_FILE]: 'a picture file',
  }
  return (
    <>
      <Card title="A matrix from a picture of a chart">
        <div className="card-body stack">
          <p className="hint">
            Hold a chart of 24 patches flat into even light of one lamp, large in the picture and not over-exposed.
          </p>
          <div className="device-colour-form">
            <Choice name="Picture" values={sources} chosen={from} onChoose={setChosen} />
            {from === FROM_FILE && (
              <Field name="File" hint="JPEG or PNG">
                {(id, describedBy) => (
                  <input
                    id={id}
                    className="input"
                    type="file"
                    accept="image/jpeg,image/png"
                    aria-describedby={describedBy}
                    onChange={({ target }) => {
                      setFile(target.files?.[0])
                      setCorners('')
                    }}
                  />
                )}
              </Field>
            )}
            <Field name="Temperature of the light" unit="K" hint="daylight 5500, a white lamp 4000, a warm one 2800">
              {(id, describedBy) => (
                <input
                  id={id}
                  className="input"
                  inputMode="numeric"
                  value={ct}
                  aria-invalid={!isCtRight}
                  aria-describedby={describedBy}
                  onChange={({ target }) => setCt(target.value)}
                />
              )}
            </Field>
            <Choice
              name="Edition of the chart"
              values={EDITIONS}
              chosen={options.edition}
              onChoose={(edition) => setOptions({ ...options, edition })}
            />
            <Choice
              name="Curve of the picture"
              values={CURVES}
              chosen={options.curve}
              onChoose={(curve) => setOptions({ ...options, curve })}
            />
            <Field
              name="Corners of the patches"
              unit="px"
              hint="x,y four times, with semicolons; only if it is not found"
            >
              {(id, describedBy) => (
                <input
                  id={id}
                  className="input"
                  value={corners}
                  spellCheck={false}
                  aria-invalid={!areCornersRight}
                  aria-describedby={describedBy}
                  onChange={({ target }) => setCorners(target.value)}
                />
              )}
            </Field>
          </div>
          {from === FROM_FILE && file && (
            <CornerPicture file={file} corners={corners} onChange={setCorners} found={solution?.corners} />
          )}
          <div className="row">
            <Button
              kind="main"
              disabled={isBusy || !picture || !isCtRight || !areCornersRight}
              onClick={() => void solve()}
            >
              {isBusy ? 'Looking at it' : 'Find the chart'}
            </Button>
            {!picture && <span className="hint">Choose a picture first.</span>}
          </div>
          {problem && <ProblemNote problem={problem} />}
        </div>
      </Card>
      {solution && <SolutionView key={solution.ccm.join()} solution={solution} files={files} />}
    </>
  )
}
