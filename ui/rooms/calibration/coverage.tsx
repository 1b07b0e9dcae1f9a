// Where in the picture the board was seen by now, and the pictures that were taken.
import { Link } from 'wouter'
import { Card } from '../../parts/parts.tsx'
import type { Capture } from '../../state/captures.ts'
import { counted } from '../../words.ts'

const MANY = 8 // corners in a place, beyond which it is drawn alike

/** A small map of the picture, and the list. */
export const Coverage = ({ status: { coverage, pictures } }: Pick<Capture, 'status'>) => {
  const { columns, rows, corners } = coverage
  const seen = corners.filter((count) => count > 0).length
  return (
    <Card title="Where the board was" side={<span className="hint">{`${seen} of ${columns * rows} places`}</span>}>
      <div className="card-body stack">
        <svg
          className="calibration-coverage"
          viewBox={`0 0 ${columns} ${rows}`}
          role="img"
          aria-label={`Corners were seen in ${seen} of ${columns * rows} places of the picture`}
        >
          {corners.map((count, at) => (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a place is its place
              key={at}
              x={(at % columns) + 0.04}
              y={Math.floor(at / columns) + 0.04}
              width={0.92}
              height={0.92}
              data-seen={count > 0}
              fillOpacity={count > 0 ? 0.35 + 0.65 * Math.min(1, count / MANY) : 1}
            />
          ))}
        </svg>
        {pictures.length > 0 && (
          <details>
            <summary>{counted(pictures.length, 'picture')} taken</summary>
            <ul className="calibration-taken">
              {pictures.map(({ media_id, captured_at_ms, corners_count }, at) => (
                <li key={captured_at_ms}>
                  {media_id === null ? (
                    `Picture ${at + 1}`
                  ) : (
                    <Link href={`/media/${encodeURIComponent(media_id)}`}>{media_id}</Link>
                  )}{' '}
                  <span className="hint">{counted(corners_count, 'corner')}</span>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </Card>
  )
}
