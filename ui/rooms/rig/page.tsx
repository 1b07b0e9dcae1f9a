// Where the cameras sit on the robot: by dragging, and by numbers.
import { useMemo } from 'react'
import { Link, useSearchParams } from 'wouter'
import type { Documents } from '../../api/client.ts'
import { drawnSize, type RobotSide } from '../../drawing/robot-plan.ts'
import { type RobotCamera, RobotView } from '../../drawing/robot-view.tsx'
import type { AnglePose } from '../../drawing/scene-pose.ts'
import { aroundRobot } from '../../drawing/scene-view.ts'
import { loadLater } from '../../parts/later.tsx'
import { Card, Empty, ProblemNote, Tabs } from '../../parts/parts.tsx'
import { session } from '../../state/device.ts'
import { useKnownOf } from '../../state/live.ts'
import { AT_ORIGIN, PoseForm } from './pose-form.tsx'
import { type RigCamera, useRig } from './rig-cameras.ts'
import { RobotForm } from './robot-form.tsx'
import { useDraft } from './use-draft.ts'

const RobotScene = loadLater({
  name: 'The view',
  load: () => import('../../drawing/robot-scene.tsx'),
  waiting: <Empty>Opening the view…</Empty>,
})

const SIDES: Readonly<Record<RobotSide, string>> = { above: 'Above', side: 'Side', front: 'Front' }

const isSide = (text: string | null): text is RobotSide => text !== null && text in SIDES

const RigPage = () => {
  const { layout, cameras, problem } = useRig()
  return (
    <>
      <h1>Rig</h1>
      {problem && <ProblemNote problem={problem} />}
      {layout && cameras && <Rig layout={layout} cameras={cameras} />}
    </>
  )
}

interface RigProps {
  readonly layout: Documents['CameraLayout']
  readonly cameras: readonly RigCamera[]
}

const Rig = ({ layout, cameras }: RigProps) => {
  const [query, setQuery] = useSearchParams()
  const set = (name: string, value: string) =>
    setQuery((now) => {
      const next = new URLSearchParams(now)
      next.set(name, value)
      return next
    })
  const asked = query.get('camera')
  const chosen = asked === null ? cameras[0] : cameras.find(({ key }) => key === asked)
  const mayWrite = useKnownOf(session, ({ value }) => value?.may.includes('operate') ?? false)
  const pose = useDraft<AnglePose | null>(chosen?.key ?? '', chosen?.pose ?? null, chosen?.revision ?? null)
  const robot = useDraft<Documents['RobotDimensions']>('robot', layout.robot, layout.revision)
  const drawn = useMemo(
    (): readonly RobotCamera[] =>
      cameras
        .filter(({ key, pose: known, streamId }) => known !== null || (key === chosen?.key && streamId !== null))
        .map(({ key, name, peer, pose: known, limits }) => ({
          key,
          name,
          tone: peer ? 'peer' : 'good',
          pose: (key === chosen?.key ? pose.value : known) ?? AT_ORIGIN,
          limits,
        })),
    [cameras, chosen?.key, pose.value],
  )
  const side = query.get('side')
  const { length_m, width_m, height_m } = drawnSize(robot.value)
  const view = useMemo(() => aroundRobot(Math.max(length_m, width_m, height_m)), [length_m, width_m, height_m])
  const content = useMemo(() => ({ robot: robot.value, cameras: drawn }), [robot.value, drawn])
  const canMove = mayWrite && chosen !== undefined && chosen.streamId !== null
  return (
    <>
      <Choice cameras={cameras} chosen={chosen?.key} onChoose={(key) => set('camera', key)} />
      {asked !== null && !chosen && <Empty>There is no camera “{asked}” here any more. Choose another one.</Empty>}
      <div className="rig-room">
        <section className="card" aria-label="The robot from its sides">
          <Tabs
            label="Side"
            chosen={isSide(side) ? side : 'above'}
            onChoose={(id) => set('side', id)}
            tabs={Object.entries(SIDES).map(([id, name]) => ({
              id,
              name,
              content: () => (
                <>
                  <RobotView
                    side={id as RobotSide}
                    robot={robot.value}
                    cameras={drawn}
                    chosen={chosen?.key}
                    onChoose={(key) => set('camera', key)}
                    onMove={canMove ? pose.change : undefined}
                  />
                  <p className="hint">
                    Drag a camera to move it and its round handle to turn it, or use the arrow keys: with Shift, ten
                    steps at once.
                  </p>
                </>
              ),
            }))}
          />
        </section>
        <Card title="In 3D">
          <div className="card-body">
            <RobotScene content={content} view={view} label={labelOf(drawn)} />
          </div>
        </Card>
        <div className="stack">
          {chosen && <PoseForm key={chosen.key} camera={chosen} draft={pose} mayWrite={mayWrite} />}
          <RobotForm layout={layout} draft={robot} mayWrite={mayWrite} />
        </div>
      </div>
    </>
  )
}

const labelOf = (cameras: readonly RobotCamera[]): string =>
  `The robot with ${cameras.length > 0 ? cameras.map(({ name }) => name).join(', ') : 'no camera'}. Arrow keys go
around it; plus and minus come nearer and go farther.`

interface ChoiceProps {
  readonly cameras: readonly RigCamera[]
  readonly chosen: string | undefined
  readonly onChoose: (key: string) => void
}

/** A button for each camera. */
const Choice = ({ cameras, chosen, onChoose }: ChoiceProps) => {
  if (cameras.length === 0)
    return (
      <Empty>
        There is no camera yet. Plug one in and start it in <Link href="/">Overview</Link>: then say here where it sits.
      </Empty>
    )
  return (
    <fieldset className="rig-choice row">
      <legend className="only-read-aloud">Camera</legend>
      {cameras.map(({ key, name, pose, isPresent, peer }) => (
        <label key={key} className="rig-chip">
          <input type="radio" name="camera" checked={key === chosen} onChange={() => onChoose(key)} />
          {name}
          <span className="hint">
            {[pose === null && 'not set', !isPresent && 'not plugged in', peer?.isStale && 'no link']
              .filter((word) => word)
              .join(', ')}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

export default RigPage
