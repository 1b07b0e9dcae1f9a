// The field from above with its tags as the map has them, and as they hang.
import type { Documents } from '../api/client.ts'
import { type Correction, enlarge } from './corrections.ts'
import { type FieldPlan, markOfTag } from './field-plan.ts'
import { keyOfTag, sizeIn, type TagName } from './field-tags.ts'
import { FieldView } from './field-view.tsx'

/** A tag that hangs elsewhere. */
export interface TagCorrection extends Correction {
  readonly tag: TagName
  readonly isWrong: boolean
}

/** What is drawn. */
export interface TagCorrectionsProps {
  readonly map: Documents['FieldMap']
  /** The farthest off first: that is drawn over the others. */
  readonly tags: readonly TagCorrection[]
  /** How many times larger than it is each is drawn. */
  readonly times: number
  /** All of it, for those who do not see it. */
  readonly label: string
}

/** Grey: as the map has it. In colour, where a line leads from there: as it hangs. */
export const TagCorrections = ({ map, tags, times, label }: TagCorrectionsProps) => (
  <FieldView map={map} robots={[]} size="large" label={label}>
    {(plan) =>
      tags
        .toReversed()
        .map((tag) => <Tag key={keyOfTag(tag.tag)} plan={plan} tag={tag} size_m={sizeIn(map, tag.tag)} times={times} />)
    }
  </FieldView>
)

interface TagProps extends Pick<TagCorrectionsProps, 'times'> {
  readonly plan: FieldPlan
  readonly tag: TagCorrection
  readonly size_m: number
}

const Tag = ({ plan, tag, size_m, times }: TagProps) => {
  const [x, y] = plan.toPixel(tag.before.x_m, tag.before.y_m)
  const { from, to, middle } = markOfTag(plan, enlarge(tag, times), size_m)
  return (
    <g className="field-correction" data-tone={tag.isWrong ? 'bad' : 'good'}>
      <line className="field-correction-way" x1={x} y1={y} x2={middle[0]} y2={middle[1]} />
      <line className="field-correction-tag" x1={from[0]} y1={from[1]} x2={to[0]} y2={to[1]} />
    </g>
  )
}
