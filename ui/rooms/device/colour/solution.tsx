// What a picture came to: patches before and after, what speaks against the matrix, and the way into a file.
import { useState } from 'react'
import type { Documents } from '../../../api/client.ts'
import { Alert, Button, Card, Figure, Figures, Pill, WriteNote } from '../../../parts/parts.tsx'
import { type CcmSolution, writeCcm } from '../../../state/colour.ts'
import { useWrite } from '../../../state/write.ts'
import { MatrixTable } from './matrices.tsx'

type SolvedPatch = Documents['SolvedPatch']

const shade = (rgb: readonly number[]): string => `rgb(${rgb.join(' ')})`

/** Before and after beside each other, and in the middle what is wanted. */
const Patch = ({ patch }: { readonly patch: SolvedPatch }) => {
  const { name, before, wanted, after, difference_before, difference_after, is_clipped } = patch
  const said = `${difference_before.toFixed(1)} → ${difference_after.toFixed(1)}`
  return (
    <li title={name}>
      <div className="device-colour-swatches" aria-hidden="true">
        <span style={{ background: shade(before) }} />
        <span style={{ background: shade(after) }} />
        <i style={{ background: shade(wanted) }} />
      </div>
      <span className="device-colour-name">{name}</span>
      <span>{is_clipped ? 'cut off' : said}</span>
    </li>
  )
}

const WriteRow = ({ solution }: { readonly solution: CcmSolution }) => {
  const { file, ct, ccm } = solution
  const [restarts, setRestarts] = useState(true)
  const { state, write } = useWrite()
  if (file === null || ct === null) return null
  return (
    <>
      <p>
        It goes into a copy of <code className="device-colour-path">{file}</code> for light of {Math.round(ct)} K. Every
        other byte of the file stays as it is, and the copy can be removed again.
      </p>
      <label className="device-colour-check">
        <input type="checkbox" checked={restarts} onChange={({ target }) => setRestarts(target.checked)} />
        Restart the engine with it, so that it holds at once
      </label>
      <div className="row">
        <Button
          kind="main"
          disabled={state.state === 'pending'}
          onClick={() => void write(() => writeCcm({ file, ct, ccm: [...ccm], restart_engine: restarts }))}
        >
          Write the matrix
        </Button>
      </div>
      <WriteNote state={state} />
    </>
  )
}

interface Props {
  readonly solution: CcmSolution
  readonly files: readonly Documents['TuningFile'][]
}

/** The card. */
export const SolutionView = ({ solution, files }: Props) => {
  const { can_be_written, reasons, mean_before, mean_after, max_before, max_after, patches, ccm } = solution
  // once a copy is written, that is what is in force, and what a further matrix goes into
  const base = files.find(({ file }) => file === solution.file)
  const inForce = files.find((each) => each.in_force && each.module === base?.module && each.sensor === base.sensor)
  const current = { ...solution, file: inForce?.file ?? solution.file }
  return (
    <Card
      title="What it comes to"
      side={can_be_written ? <Pill tone="good">can be written</Pill> : <Pill tone="busy">shown only</Pill>}
    >
      <div className="card-body stack">
        {reasons.map(({ code, detail }) => (
          <Alert key={code} tone="busy">
            {detail}
          </Alert>
        ))}
        <Figures>
          <Figure name="Difference before" value={mean_before} digits={1} under={`worst ${max_before.toFixed(1)}`} />
          <Figure name="Difference after" value={mean_after} digits={1} under={`worst ${max_after.toFixed(1)}`} />
        </Figures>
        <p className="hint">
          Each patch: left as it is, right with the matrix, in the middle as it should be. A difference of 1 (CIEDE2000)
          is what people just see.
        </p>
        <ul className="device-colour-patches">
          {patches.map((patch) => (
            <Patch key={patch.name} patch={patch} />
          ))}
        </ul>
        <details>
          <summary>The matrix</summary>
          <MatrixTable ccm={ccm} name="The matrix" />
        </details>
        {can_be_written && <WriteRow solution={current} />}
      </div>
    </Card>
  )
}
