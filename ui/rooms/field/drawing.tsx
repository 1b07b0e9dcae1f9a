// The field as it is drawn: from above, or in three dimensions.
import { useMemo } from 'react'
import type { Documents } from '../../api/client.ts'
import type { FieldRobot, StreamOfRobot } from '../../drawing/field-robot.ts'
import { FieldView } from '../../drawing/field-view.tsx'
import { describeField } from '../../drawing/field-words.ts'
import { fromCamera, fromOutside, fromStation, type Viewpoint } from '../../drawing/scene-view.ts'
import { loadLater } from '../../parts/later.tsx'
import { Empty } from '../../parts/parts.tsx'
import { isSolveOld, jointTrail, useSolve } from '../../state/localization.ts'
import { useResults } from '../../state/results.ts'
import type { Choices } from './choices.ts'
import { robotsOfSolve } from './joint-robots.ts'
import { robotNow } from './seen-streams.ts'

const FieldScene = loadLater({
  name: 'The view',
  load: () => import('../../drawing/field-scene.tsx'),
  waiting: <Empty>Opening the view…</Empty>,
})

/** A stream that is looked at. */
export interface Chosen {
  readonly stream: StreamOfRobot
  /** Under which its results come. */
  readonly resultsId: string
}

/** What the pose of all cameras together is drawn with. */
export interface Joint {
  readonly streams: readonly StreamOfRobot[]
  readonly size: FieldRobot['size']
}

/** What is drawn. */
export interface DrawingProps {
  readonly map: Documents['FieldMap']
  readonly chosen: readonly Chosen[]
  /** The pose of all cameras together; undefined: it is not looked at. */
  readonly joint: Joint | undefined
  readonly choices: Choices
}

const useFixedView = (map: Documents['FieldMap'], view: Choices['view']): Viewpoint =>
  useMemo(() => (view === 'blue' || view === 'red' ? fromStation(view, map) : fromOutside(map)), [map, view])

/** Draws it whenever something new has been found. */
export const Drawing = ({ map, chosen, joint, choices: { view, layers } }: DrawingProps) => {
  useResults(
    chosen.map(({ resultsId }) => resultsId),
    'drawing',
  )
  const fixed = useFixedView(map, view)
  const slot = useSolve('drawing', joint !== undefined)
  const robots = [
    ...(joint && slot ? robotsOfSolve(slot.solve, { ...joint, trail: jointTrail(), isOld: isSolveOld(slot) }) : []),
    ...chosen.map(({ stream, resultsId }) => robotNow(stream, resultsId)),
  ]
  if (view === 'above') return <FieldView map={map} robots={robots} size="large" {...layers} />
  const eye = view === 'camera' ? robots.find(({ camera }) => camera) : undefined
  if (view === 'camera' && !eye?.camera)
    return <Empty>No camera that is chosen knows where it is now. It does as soon as it sees tags of this map.</Empty>
  return (
    <FieldScene
      map={map}
      view={eye?.camera ? fromCamera(eye.camera.pose, eye.camera.limits) : fixed}
      content={{ robots, layers, eyeOf: eye?.id }}
      label={`${describeField(map, robots)} Arrow keys go around; plus and minus come nearer and go farther.`}
    />
  )
}
