// Where a board is to be held, and where it was: drawn over the picture of the camera.
import type { ReactNode } from 'react'

/** A place in the picture, pixels from the centre of the first one. */
export type Place = readonly number[]

/** The view of a board that is wanted next. */
export interface WantedView {
  /** Clockwise from its upper left. */
  readonly outline: readonly Place[]
  /** Its side that is to be nearer to the camera. */
  readonly nearer: 'none' | 'left' | 'right' | 'top' | 'bottom'
}

const pointsOf = (places: readonly Place[]): string => places.map(([u = 0, v = 0]) => `${u + 0.5},${v + 0.5}`).join(' ')

/** The corners between which each side lies, by their places in an outline. */
const SIDES = { top: [0, 1], right: [1, 2], bottom: [2, 3], left: [3, 0] } as const

const Nearer = ({ outline, nearer, size }: WantedView & { readonly size: number }): ReactNode => {
  if (nearer === 'none') return null
  const [from, to] = SIDES[nearer].map((at) => outline[at] ?? []) as [Place, Place]
  const [x, y] = [0, 1].map((axis) => ((from[axis] ?? 0) + (to[axis] ?? 0)) / 2) as [number, number]
  return (
    <>
      <polyline className="board-nearer" points={pointsOf([from, to])} strokeWidth={size / 50} />
      <text x={x} y={y} fontSize={size / 22} strokeWidth={size / 110}>
        nearer
      </text>
    </>
  )
}

interface OutlineProps {
  readonly widthPx: number
  readonly heightPx: number
  readonly wanted: WantedView | null
  /** What encloses the corners of each picture that was taken. */
  readonly taken: readonly (readonly Place[])[]
  /** For those who do not see it. */
  readonly label: string
}

/** It fills what it is in, as the picture does. */
export const BoardOutline = ({ widthPx, heightPx, wanted, taken, label }: OutlineProps) => (
  <svg
    className="board-outline"
    viewBox={`0 0 ${widthPx} ${heightPx}`}
    preserveAspectRatio="xMidYMid meet"
    role="img"
    aria-label={label}
  >
    {taken.map((hull, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a picture is its place
      <polygon key={at} className="board-taken" points={pointsOf(hull)} strokeWidth={heightPx / 400} />
    ))}
    {wanted && (
      <>
        <polygon className="board-below" points={pointsOf(wanted.outline)} strokeWidth={heightPx / 55} />
        <polygon className="board-wanted" points={pointsOf(wanted.outline)} strokeWidth={heightPx / 110} />
        <Nearer {...wanted} size={heightPx} />
      </>
    )}
  </svg>
)
