// The pictures of a calibration: how well each fits, how the board was held, and what it adds.
import { Link } from 'wouter'
import { Card, Pill } from '../../parts/parts.tsx'
import { Scrollable } from '../../parts/scrollable.tsx'
import type { FoundCalibration } from '../../state/calibrations.ts'
import { counted, figureOf } from '../../words.ts'
import { percentOf } from './words.ts'

type Picture = FoundCalibration['pictures'][number]

const Name = ({ picture: { media_id, name } }: { readonly picture: Picture }) =>
  media_id === null ? name : <Link href={`/media/${encodeURIComponent(media_id)}`}>{name}</Link>

const State = ({ picture: { is_used }, isBetterOut }: { readonly picture: Picture; readonly isBetterOut: boolean }) => {
  if (!is_used) return <Pill tone="quiet">left out</Pill>
  return isBetterOut ? <Pill tone="busy">better left out</Pill> : <Pill tone="good">used</Pill>
}

/** A table of them. */
export const PicturesCard = ({ calibration: { pictures, leave_out } }: { readonly calibration: FoundCalibration }) => {
  const used = pictures.filter(({ is_used }) => is_used).length
  return (
    <Card
      title="Pictures"
      side={<span className="hint">{`${used} of ${counted(pictures.length, 'picture')} used`}</span>}
    >
      <Scrollable name="Pictures of the calibration">
        <table className="calibration-pictures">
          <thead>
            <tr>
              <th scope="col">Picture</th>
              <th scope="col">State</th>
              <th scope="col">Corners off by</th>
              <th scope="col">Worst corner</th>
              <th scope="col">Tilt, left and right</th>
              <th scope="col">Tilt, up and down</th>
              <th scope="col">Fills</th>
              <th scope="col">Adds</th>
            </tr>
          </thead>
          <tbody>
            {pictures.map((picture, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a picture is its place
              <tr key={at}>
                <th scope="row">
                  <Name picture={picture} />
                  {picture.detail !== null && <div className="hint">{picture.detail}</div>}
                </th>
                <td>
                  <State picture={picture} isBetterOut={leave_out.includes(at)} />
                </td>
                <td>{figureOf(picture.rms_px, 2)} px</td>
                <td>{figureOf(picture.worst_px, 2)} px</td>
                <td>{figureOf(picture.tilt_x_deg)}°</td>
                <td>{figureOf(picture.tilt_y_deg)}°</td>
                <td>
                  {percentOf(picture.width_share, 0)} × {percentOf(picture.height_share, 0)}
                </td>
                <td>{percentOf(picture.adds, 0)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrollable>
    </Card>
  )
}
