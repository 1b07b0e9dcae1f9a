// The cameras with their tuning files: the matrices in force, and the way back where this service wrote them.
import { useState } from 'react'
import type { Documents } from '../../../api/client.ts'
import { Age, Button, Pill, WriteNote } from '../../../parts/parts.tsx'
import { Scrollable } from '../../../parts/scrollable.tsx'
import { writeCcm } from '../../../state/colour.ts'
import { useWrite } from '../../../state/write.ts'

type TuningFile = Documents['TuningFile']

/** Nine numbers in three rows. */
export const MatrixTable = ({ ccm, name }: { readonly ccm: readonly number[]; readonly name: string }) => (
  <table className="device-colour-matrix" aria-label={name}>
    <tbody>
      {(['red', 'green', 'blue'] as const).map((colour, row) => (
        <tr key={colour}>
          <th scope="row">{colour}</th>
          {ccm.slice(3 * row, 3 * row + 3).map((each, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column has no other name
            <td key={column}>{each.toFixed(3)}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)

interface BackProps {
  readonly file: string
  readonly madeAtMs: number
}

/** Removes the copy. */
const WayBack = ({ file, madeAtMs }: BackProps) => {
  const [restarts, setRestarts] = useState(true)
  const { state, write } = useWrite()
  return (
    <div className="stack">
      <p className="hint">
        Written by this device <Age sinceMs={madeAtMs} /> ago. Without it the file of the package is in force again.
      </p>
      <label className="device-colour-check">
        <input type="checkbox" checked={restarts} onChange={({ target }) => setRestarts(target.checked)} />
        Restart the engine with it
      </label>
      <div className="row">
        <Button
          kind="danger"
          disabled={state.state === 'pending'}
          onClick={() => void write(() => writeCcm({ file, remove: true, restart_engine: restarts }))}
        >
          Remove the copy
        </Button>
      </div>
      <WriteNote state={state} />
    </div>
  )
}

interface ListProps {
  readonly cameras: readonly Documents['CameraTuning'][]
  readonly files: readonly TuningFile[]
  readonly last: Documents['TuningChange'] | null
}

/** Those that are there. */
export const CameraList = ({ cameras, files, last }: ListProps) => (
  <>
    {cameras.length === 0 && (
      <p className="card-body hint">No camera is here that a tuning file is for. Cameras on a ribbon cable have one.</p>
    )}
    <ul className="list">
      {cameras.map(({ name, sensor, file, matrices, detail }) => {
        const made = files.find((each) => each.file === file)?.made_at_ms ?? null
        return (
          <li key={`${sensor} ${name}`}>
            <div className="device-colour-camera">
              <div className="row">
                <strong>{name}</strong>
                {sensor === null && <Pill tone="quiet">over USB</Pill>}
                {made !== null && <Pill tone="good">our matrix</Pill>}
              </div>
              <p className="hint device-colour-path">{detail}</p>
              {matrices && (
                <details>
                  <summary>
                    {matrices.length} {matrices.length === 1 ? 'matrix' : 'matrices'}:{' '}
                    {matrices.map(({ ct }) => `${Math.round(ct)} K`).join(', ')}
                  </summary>
                  <Scrollable name={`Matrices of ${name}`}>
                    {matrices.map(({ ct, ccm }) => (
                      <div key={ct}>
                        <div className="hint">{Math.round(ct)} K</div>
                        <MatrixTable ccm={ccm} name={`${name} at ${Math.round(ct)} K`} />
                      </div>
                    ))}
                  </Scrollable>
                </details>
              )}
              {file !== null && made !== null && <WayBack file={file} madeAtMs={made} />}
            </div>
          </li>
        )
      })}
    </ul>
    {last && (
      <p className="card-body hint" role="status">
        {last.detail}
      </p>
    )}
  </>
)
