// What a survey proposes, drawn: before and after, larger than it is.
import type { Documents } from '../../api/client.ts'
import { CameraCorrections } from '../../drawing/camera-corrections.tsx'
import { timesOf } from '../../drawing/corrections.ts'
import { guessLimits, limitsOfStream } from '../../drawing/scene-frustum.ts'
import { TagCorrections } from '../../drawing/tag-corrections.tsx'
import { rig } from '../../state/device.ts'
import { useKnownOf } from '../../state/live.ts'
import type { Stream } from '../../state/streams.ts'
import { figureOf } from '../../words.ts'

const SHARE_OF_FIELD = 0.06 // as far as the farthest may be drawn from where it was

interface TagsDrawnProps {
  readonly map: Documents['FieldMap']
  readonly tags: readonly Documents['ProposedTag'][]
}

/** The field, with its tags as the map has them and as they hang. */
export const TagsDrawn = ({ map, tags }: TagsDrawnProps) => {
  const drawn = tags.map((tag) => ({ tag, before: tag.before, after: tag.after, isWrong: tag.is_wrong }))
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

const MAX_DRAWN_M = 0.25 // of a camera, on a robot

const SIDES = [
  ['above', 'from above, its front up'],
  ['side', 'from its right, its front to the right'],
] as const

interface CamerasDrawnProps {
  readonly cameras: readonly Documents['ProposedCamera'][]
  readonly streams: readonly Stream[]
  readonly nameOf: (streamId: string) => string
}

/** The robot from two sides, with its cameras as they are set and as they sit. */
export const CamerasDrawn = ({ cameras, streams, nameOf }: CamerasDrawnProps) => {
  const robot = useKnownOf(rig, ({ value }) => value?.robot)
  const drawn = cameras.map(({ stream_id, before, after, is_wrong }) => {
    const stream = streams.find(({ id }) => id === stream_id)
    const limits = stream ? limitsOfStream(stream.status) : guessLimits()
    return { id: stream_id, name: nameOf(stream_id), before, after, isWrong: is_wrong, limits }
  })
  const times = timesOf(drawn, MAX_DRAWN_M)
  const words = cameras
    .map(({ stream_id, moved_m, turned_deg }) => {
      const off = `${figureOf(moved_m * 100, 1)} cm and ${figureOf(turned_deg, 1)} degrees`
      return `${nameOf(stream_id)} is off by ${off}.`
    })
    .join(' ')
  return (
    <div>
      <div className="field-robot-views">
        {SIDES.map(([side, name]) => (
          <CameraCorrections
            key={side}
            side={side}
            robot={robot}
            cameras={drawn}
            times={times}
            label={`The robot ${name}. ${words}`}
          />
        ))}
      </div>
      <p className="hint">
        The robot from above and from its right. Dashed: as it is set. In colour: as it sits
        {times > 1 ? `, drawn ${times} times as far off as it is.` : '.'}
      </p>
    </div>
  )
}
