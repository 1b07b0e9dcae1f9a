// What was found in a picture, drawn over it. Pictures have no theme: each line is drawn twice, dark and wider below.
import { useEffect, useState } from 'react'
import { contentUrl, type MediaItem } from '../../state/media.ts'
import { marksAt, type PictureMarks, readMarks } from './marks.ts'

const MAX_RESULT_BYTES = 32e6 // ten minutes with two tags in every picture are half of it

/** What was found in the pictures of an item. */
export interface FoundMarks {
  readonly all: readonly PictureMarks[]
  /** Why there are none; undefined: they are on their way, or there. */
  readonly why?: string
}

/** Reads them once; undefined: the item has none. */
export const useMarks = ({ name, side_cars }: MediaItem): FoundMarks | undefined => {
  const bytes = side_cars.results?.size_bytes
  const [found, setFound] = useState<FoundMarks>({ all: [] })
  useEffect(() => {
    if (bytes === undefined) return
    if (bytes > MAX_RESULT_BYTES)
      return setFound({ all: [], why: 'There are too many results to be drawn here. Download them to look at them.' })
    const broken = new AbortController()
    const read = async () => {
      const response = await fetch(`${contentUrl(name)}?as=results`, { signal: broken.signal })
      if (response.ok) setFound({ all: readMarks(await response.text()) })
      else setFound({ all: [], why: 'The results of this item could not be read.' })
    }
    read().catch(() => {
      if (!broken.signal.aborted) setFound({ all: [], why: 'The device did not answer with the results.' })
    })
    return () => broken.abort()
  }, [name, bytes])
  return bytes === undefined ? undefined : found
}

/** Draws what was found in the picture of a time. */
export const Marks = ({ found, atMs }: { readonly found: FoundMarks | undefined; readonly atMs: number }) => {
  const picture = found && marksAt(found.all, atMs)
  if (!picture) return null
  const { widthPx, heightPx, marks } = picture
  const line = widthPx / 400
  return (
    <svg className="media-marks" viewBox={`0 0 ${widthPx} ${heightPx}`} role="img" aria-label={namesOf(picture)}>
      {marks.map(({ name, outline }, index) => {
        const points = outline.map(({ x_px, y_px }) => `${x_px},${y_px}`).join(' ')
        const top = outline.reduce((best, place) => (place.y_px < best.y_px ? place : best))
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: they have no name of their own, and none is kept
          <g key={index}>
            <polygon className="media-mark-below" points={points} strokeWidth={line + 2 * (widthPx / 640)} />
            <polygon className="media-mark" points={points} strokeWidth={line} />
            {name !== '' && (
              <text x={top.x_px} y={Math.max(widthPx / 40, top.y_px - line * 2)} fontSize={widthPx / 40}>
                {name}
              </text>
            )}
          </g>
        )
      })}
    </svg>
  )
}

/** What was found in the picture of a time, in words. */
export const wordsOf = (found: FoundMarks, atMs: number): string => {
  const picture = marksAt(found.all, atMs)
  if (picture) return namesOf(picture)
  return found.all.length > 0 ? 'the pipeline left this picture out' : ''
}

/** In words: `found: 9, 10`. */
const namesOf = ({ marks }: PictureMarks): string => {
  const names = marks.map(({ name }) => name).filter((name) => name !== '')
  if (marks.length === 0) return 'nothing found'
  return names.length > 0 ? `found: ${names.join(', ')}` : `found: ${marks.length}`
}
