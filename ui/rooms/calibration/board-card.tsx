// The board that was held in front of the camera, and what was found out about it.
import { Card } from '../../parts/parts.tsx'
import type { FoundCalibration } from '../../state/calibrations.ts'
import { figureOf } from '../../words.ts'
import { describeOrigin, madeAt, percentOf } from './words.ts'

const KINDS = {
  charuco: 'Charuco board',
  chessboard: 'Chessboard',
  tag_grid: 'Grid of tags',
} as const

const TOLD_STRETCH = 0.005 // as the verdict has it
const SURE_DEVIATIONS = 3

/** How far the board stands out, in words. */
const bendWords = ([across, down]: readonly number[]): string => {
  const largest = Math.max(Math.abs(across ?? 0), Math.abs(down ?? 0))
  if (largest < 0.05) return 'The board was flat, to a twentieth of a millimetre.'
  return `The board was bent by ${figureOf(across, 2)} mm along its width and ${figureOf(down, 2)} mm along its height.
    That is reckoned with.`
}

/** Whether the print, or the camera, has squares that are none. */
const stretchWords = ({ share, deviation }: NonNullable<FoundCalibration['stretch']>): string => {
  const isSure = Math.abs(share) > SURE_DEVIATIONS * deviation
  if (!isSure || Math.abs(share) <= TOLD_STRETCH)
    return `Widths and heights agree to ${percentOf(Math.max(Math.abs(share), deviation), 2)}: the print is square.`
  const sides = share > 0 ? 'Widths' : 'Heights'
  return `${sides} came out ${percentOf(Math.abs(share))} too large (± ${percentOf(deviation)}): the print is stretched,
    or a square was measured wrongly.`
}

/** What is known of it; of an imported one, where it came from. */
export const BoardCard = ({ calibration }: { readonly calibration: FoundCalibration }) => {
  const { board, bend_mm, stretch, source, camera_name, camera_uid, stream_id } = calibration
  return (
    <Card title="How it was made">
      <dl className="card-body calibration-facts">
        <div>
          <dt>Made</dt>
          <dd>
            {madeAt(calibration)}, {describeOrigin(calibration)}
            {source?.name && <span className="hint"> ({source.name})</span>}
          </dd>
        </div>
        <div>
          <dt>Camera</dt>
          <dd>
            {camera_name ?? (stream_id === null ? 'none of this device' : `that of the stream ${stream_id}`)}{' '}
            {camera_uid && <span className="hint">{camera_uid}</span>}
          </dd>
        </div>
        {board && (
          <div>
            <dt>Board</dt>
            <dd>
              {KINDS[board.kind]} of {board.columns}×{board.rows}, {figureOf(board.square_width_mm, 2)} ×{' '}
              {figureOf(board.square_height_mm, 2)} mm{board.layout === 'old' && ', in the old layout'}
            </dd>
          </div>
        )}
        {bend_mm && (
          <div>
            <dt>Bend</dt>
            <dd>{bendWords(bend_mm)}</dd>
          </div>
        )}
        {stretch && (
          <div>
            <dt>Stretch</dt>
            <dd>{stretchWords(stretch)}</dd>
          </div>
        )}
      </dl>
    </Card>
  )
}
