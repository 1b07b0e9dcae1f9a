// What a survey proposes, drawn: before and after, larger than it is.
import type { Documents } from '../../api/client.ts'
import { timesOf } from '../../drawing/corrections.ts'
import { TagCorrections } from '../../drawing/tag-corrections.tsx'

const SHARE_OF_FIELD = 0.06 // as far as the farthest may be drawn from where it was

interface TagsDrawnProps {
  readonly map: Documents['FieldMap']
  readonly tags: readonly Documents['ProposedTag'][]
}

/** The field, with its tags as the map has them and as they hang. */
export const TagsDrawn = ({ map, tags }: TagsDrawnProps) => {
  const drawn = tags.map(({ id, before, after, is_wrong }) => ({ id, before, after, isWrong: is_wrong }))
  const times = timesOf(drawn, SHARE_OF_FIELD * map.length_m)
  const wrong = tags.filter(({ is_wrong }) => is_wrong).map(({ id }) => id)
  const words = wrong.length === 0 ? 'No tag hangs wrong.' : `Tags that hang wrong: ${wrong.join(', ')}.`
  return (
    <>
      <TagCorrections map={map} tags={drawn} times={times} label={`${map.name} from above. ${words}`} />
      <p className="card-body hint">
        Grey: as the map has it. In colour: as it hangs
        {times > 1 ? `, drawn ${times} times as far away as it is.` : '.'}
      </p>
    </>
  )
}
