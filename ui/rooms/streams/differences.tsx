// What tells two pictures apart, of the frames that stand on the screen.
import { Card, Figure, Figures } from '../../parts/parts.tsx'
import type { FrameFacts } from '../../pictures/messages.ts'
import { useFigures } from '../../state/streams.ts'
import { figureOf } from '../../words.ts'
import { differenceOf, placeOf, tagsOf } from './found.ts'
import { type Shown, useShown } from './shown-frame.ts'

const MM = 1000

const minus = (one: number | null | undefined, other: number | null | undefined): number | null =>
  one == null || other == null ? null : one - other

const idsOf = (facts: FrameFacts): readonly number[] => tagsOf(facts).map(({ id }) => id)

/** Tags that one of them has and the other has not. */
const onlyIn = (facts: FrameFacts, other: FrameFacts): string =>
  idsOf(facts)
    .filter((id) => !idsOf(other).includes(id))
    .join(', ')

/** How far the two frames are apart: of one stream in frames, else in time. */
const apart = (left: FrameFacts, right: FrameFacts, isOneStream: boolean): string => {
  if (isOneStream && left.seq !== undefined && right.seq !== undefined) {
    const frames = Math.abs(left.seq - right.seq)
    return frames === 0 ? 'the same frame' : `${frames} ${frames === 1 ? 'frame' : 'frames'} apart`
  }
  return `${figureOf(Math.abs(left.takenAtMs - right.takenAtMs))} ms apart`
}

interface DifferencesProps {
  readonly isOneStream: boolean
  readonly left: Shown
  readonly right: Shown
  readonly ids: readonly [left: string, right: string]
}

/** The left one less the right one. */
export const Differences = ({ isOneStream, left, right, ids }: DifferencesProps) => {
  const [one, other] = [useShown(left), useShown(right)]
  const [figuresOne, figuresOther] = [useFigures(ids[0]), useFigures(ids[1])]
  if (!one || !other)
    return (
      <Card title="Left less right">
        <p className="card-body hint">Waiting for a picture of each</p>
      </Card>
    )
  const [place, otherPlace] = [placeOf(one), placeOf(other)]
  const off = place && otherPlace ? differenceOf(place, otherPlace) : undefined
  const [left_only, right_only] = [onlyIn(one, other), onlyIn(other, one)]
  return (
    <Card title="Left less right" side={<span className="hint">{apart(one, other, isOneStream)}</span>}>
      <div className="card-body stack">
        <Figures>
          <Figure name="rate" value={minus(figuresOne?.fps, figuresOther?.fps)} digits={1} unit="fps" />
          <Figure name="latency" value={minus(figuresOne?.latency_ms, figuresOther?.latency_ms)} digits={1} unit="ms" />
          <Figure name="tags" value={idsOf(one).length - idsOf(other).length} />
          <Figure name="robot, apart" value={off && off.distanceM * MM} digits={1} unit="mm" />
          <Figure name="robot, turned" value={off?.angleDeg} digits={2} unit="°" />
        </Figures>
        {left_only && <p>Only the left one sees tag {left_only}.</p>}
        {right_only && <p>Only the right one sees tag {right_only}.</p>}
      </div>
    </Card>
  )
}
