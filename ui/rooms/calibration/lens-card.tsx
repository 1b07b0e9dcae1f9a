// The figures of the lens, for those who want them.
import { Card } from '../../parts/parts.tsx'
import { Scrollable } from '../../parts/scrollable.tsx'
import type { FoundCalibration } from '../../state/calibrations.ts'
import { figureOf } from '../../words.ts'

const NAMES = ['fx', 'fy', 'cx', 'cy'] as const
const COEFFICIENTS = ['k1', 'k2', 'p1', 'p2', 'k3', 'k4', 'k5', 'k6'] as const
const MEANINGS: Readonly<Record<string, string>> = {
  fx: 'focal length, across',
  fy: 'focal length, down',
  cx: 'optical centre, from the left',
  cy: 'optical centre, from the top',
}

/** Folded away: a lens is judged by what it does, not by its numbers. */
export const LensCard = ({ calibration: { intrinsics, deviations } }: { readonly calibration: FoundCalibration }) => {
  if (!intrinsics)
    return (
      <Card title="Lens">
        <p className="card-body hint">What came out is no lens.</p>
      </Card>
    )
  const { fx_px, fy_px, cx_px, cy_px, distortion } = intrinsics
  const rows = [
    ...[fx_px, fy_px, cx_px, cy_px].map((value, at) => ({ name: NAMES[at] as string, value, digits: 2, unit: 'px' })),
    ...distortion.map((value, at) => ({ name: COEFFICIENTS[at] ?? `${at + 1}`, value, digits: 5, unit: '' })),
  ]
  return (
    <Card title="Lens">
      <details className="card-body">
        <summary>Its figures, with standard deviations</summary>
        <Scrollable name="Figures of the lens">
          <table className="calibration-figures">
            <thead>
              <tr>
                <th scope="col">Figure</th>
                <th scope="col">Value</th>
                <th scope="col">Deviation</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ name, value, digits, unit }, at) => (
                <tr key={name}>
                  <th scope="row">
                    {name} {MEANINGS[name] && <span className="hint">{MEANINGS[name]}</span>}
                  </th>
                  <td>
                    {figureOf(value, digits)}
                    {unit && <span className="unit">{unit}</span>}
                  </td>
                  <td>{deviations ? `± ${figureOf(deviations[at], digits)}` : '–'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrollable>
      </details>
    </Card>
  )
}
