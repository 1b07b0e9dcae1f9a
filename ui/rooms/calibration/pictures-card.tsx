// The pictures of a calibration: how well each fits, how the board was held, what it adds, and whether it had better be
// left out.
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Button, Card, Pill, WriteNote } from '../../parts/parts.tsx'
import { Scrollable } from '../../parts/scrollable.tsx'
import { againWithout, startSolve } from '../../state/calibration-solve.ts'
import type { FoundCalibration } from '../../state/calibrations.ts'
import { useWrite } from '../../state/write.ts'
import { counted, figureOf } from '../../words.ts'
import { jobAddress, percentOf } from './words.ts'

type Picture = FoundCalibration['pictures'][number]

const Name = ({ picture: { media_id, name } }: { readonly picture: Picture }) =>
  media_id === null ? name : <Link href={`/media/${encodeURIComponent(media_id)}`}>{name}</Link>

const State = ({ picture: { is_used }, isBetterOut }: { readonly picture: Picture; readonly isBetterOut: boolean }) => {
  if (!is_used) return <Pill tone="quiet">left out</Pill>
  return isBetterOut ? <Pill tone="busy">better left out</Pill> : <Pill tone="good">used</Pill>
}

interface RowProps {
  readonly picture: Picture
  readonly isBetterOut: boolean
  /** undefined: nothing can be chosen. */
  readonly leaveOut: { readonly isChosen: boolean; readonly onChange: () => void } | undefined
}

const Row = ({ picture, isBetterOut, leaveOut }: RowProps) => (
  <tr>
    <th scope="row">
      <Name picture={picture} />
      {picture.detail !== null && <div className="hint">{picture.detail}</div>}
    </th>
    <td>
      <State picture={picture} isBetterOut={isBetterOut} />
    </td>
    <td>{figureOf(picture.rms_px, 2)} px</td>
    <td>{figureOf(picture.worst_px, 2)} px</td>
    <td>{figureOf(picture.tilt_x_deg)}°</td>
    <td>{figureOf(picture.tilt_y_deg)}°</td>
    <td>
      {percentOf(picture.width_share, 0)} × {percentOf(picture.height_share, 0)}
    </td>
    <td>{percentOf(picture.adds, 0)}</td>
    {leaveOut && (
      <td>
        <input
          type="checkbox"
          aria-label={`Leave out ${picture.name}`}
          checked={leaveOut.isChosen}
          onChange={leaveOut.onChange}
        />
      </td>
    )}
  </tr>
)

interface CardProps {
  readonly calibration: FoundCalibration
  /** Of the capture that its pictures are of; undefined: of none that is there. */
  readonly captureId?: string | undefined
}

/** A table of them, and the way to solve again without some. */
export const PicturesCard = ({ calibration, captureId }: CardProps) => {
  const { pictures, leave_out } = calibration
  const [out, setOut] = useState<readonly number[]>(() =>
    pictures.flatMap(({ is_used }, at) => (is_used && !leave_out.includes(at) ? [] : at)),
  )
  const { state, write } = useWrite()
  const [, go] = useLocation()
  const again = againWithout(calibration, out, captureId)
  const used = pictures.filter(({ is_used }) => is_used).length
  const toggle = (at: number) => setOut((now) => (now.includes(at) ? now.filter((each) => each !== at) : [...now, at]))
  const solve = async (wanted: NonNullable<typeof again>) => {
    const answer = await write(() => startSolve(wanted))
    if (answer.ok) go(jobAddress(answer.value.job_id))
  }
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
              {again && <th scope="col">Leave out</th>}
            </tr>
          </thead>
          <tbody>
            {pictures.map((picture, at) => (
              <Row
                // biome-ignore lint/suspicious/noArrayIndexKey: a picture is its place
                key={at}
                picture={picture}
                isBetterOut={leave_out.includes(at)}
                leaveOut={again && { isChosen: out.includes(at), onChange: () => toggle(at) }}
              />
            ))}
          </tbody>
        </table>
      </Scrollable>
      {again && (
        <div className="card-body stack">
          <div className="row">
            <Button disabled={state.state === 'pending'} onClick={() => void solve(again)}>
              {out.length === 0
                ? 'Solve again with all of them'
                : `Solve again without ${counted(out.length, 'picture')}`}
            </Button>
            <span className="hint">What is found then is another calibration; this one stays as it is.</span>
          </div>
          {state.state === 'refused' && <WriteNote state={state} />}
        </div>
      )}
    </Card>
  )
}
