// What tells two pictures apart, of the frames that stand on the screen.
import { Card, Figure, Figures } from '../../parts/parts.tsx'
import { Scrollable } from '../../parts/scrollable.tsx'
import type { FrameFacts } from '../../pictures/messages.ts'
import { useFigures } from '../../state/streams.ts'
import { figureOf } from '../../words.ts'
import { type ComparedTag, compareTags, differenceOf, placeOf, tagsOf } from './found.ts'
import { type Shown, useShown } from './shown-frame.ts'

const MM = 1000

const minus = (one: number | null | undefined, other: number | null | undefined): number | null =>
  one == null || other == null ? null : one - other

/** Tags that one of them has and the other has not. */
const namesOf = (tags: readonly ComparedTag[], side: 'left' | 'right'): string =>
  tags
    .filter(({ onlyIn }) => onlyIn === side)
    .map(({ id }) => id)
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
  const tags = compareTags(one, other)
  const [leftOnly, rightOnly] = [namesOf(tags, 'left'), namesOf(tags, 'right')]
  const inBoth = tags.filter(({ onlyIn }) => onlyIn === undefined)
  return (
    <Card title="Left less right" side={<span className="hint">{apart(one, other, isOneStream)}</span>}>
      <div className="card-body stack">
        <Figures>
          <Figure name="rate" value={minus(figuresOne?.fps, figuresOther?.fps)} digits={1} unit="fps" />
          <Figure name="latency" value={minus(figuresOne?.latency_ms, figuresOther?.latency_ms)} digits={1} unit="ms" />
          <Figure name="tags" value={tagsOf(one).length - tagsOf(other).length} />
          <Figure name="robot, apart" value={off && off.distanceM * MM} digits={1} unit="mm" />
          <Figure name="robot, turned" value={off?.angleDeg} digits={2} unit="°" />
        </Figures>
        {leftOnly && <p>Only the left one sees tag {leftOnly}.</p>}
        {rightOnly && <p>Only the right one sees tag {rightOnly}.</p>}
        {one.isHeld && other.isHeld && <HeldTags tags={inBoth} hasOwn={leftOnly !== '' || rightOnly !== ''} />}
      </div>
    </Card>
  )
}

/** The tags that both have in the frames that are held. hasOwn: one of them has some alone. */
const HeldTags = ({ tags, hasOwn }: { readonly tags: readonly ComparedTag[]; readonly hasOwn: boolean }) => {
  if (tags.length === 0)
    return <p className="hint">{hasOwn ? 'There is no tag that both see.' : 'Neither of them sees a tag.'}</p>
  return (
    <Scrollable name="Tags in both">
      <table>
        <thead>
          <tr>
            <th>Tag in both</th>
            <th>apart, px</th>
            <th>margin, left less right</th>
          </tr>
        </thead>
        <tbody>
          {tags.map(({ key, id, apartPx, marginMore }) => (
            <tr key={key}>
              <td>{id}</td>
              <td>{apartPx === null ? '–' : figureOf(apartPx, 2)}</td>
              <td>{marginMore === null ? '–' : figureOf(marginMore, 1)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  )
}
