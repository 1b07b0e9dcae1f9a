// Where the robot is, in figures, as one stream has it.
import { Link } from 'wouter'
import type { StreamOfRobot } from '../../drawing/field-robot.ts'
import { numbersOf } from '../../drawing/field-tags.ts'
import { widthDegOf } from '../../drawing/scene-frustum.ts'
import { offBy } from '../../drawing/scene-pose.ts'
import { Age, Card, Figure, Figures, State } from '../../parts/parts.tsx'
import { PoseFigures, smallLength } from '../../parts/pose-figures.tsx'
import { isOldNow, latestOf, useResults } from '../../state/results.ts'
import { figureOf } from '../../words.ts'
import type { Chosen } from './drawing.tsx'
import { robotNow } from './seen-streams.ts'

/** The figures of a stream, four times a second. state: of the stream. */
export const RobotFigures = ({ stream, resultsId, state }: Chosen & { readonly state: string }) => {
  useResults([resultsId], 'figures')
  const slot = latestOf(resultsId)
  const { pose, deviations, truth, seen = [] } = robotNow(stream, resultsId)
  const isOld = slot !== undefined && isOldNow(slot)
  const off = pose && truth && offBy(pose, truth)
  return (
    <Card
      title={<Link href={`/streams/${encodeURIComponent(stream.id)}`}>{stream.name}</Link>}
      side={<State state={state} />}
    >
      <div className={`card-body stack${isOld ? ' is-old' : ''}`}>
        <PoseFigures pose={pose} deviations={deviations} />
        <Figures>
          <Figure name="tags" value={seen.length === 0 ? null : numbersOf(seen).join(', ')} />
          {off && (
            <Figure name="off the truth" value={smallLength(off.m)} under={`and ${figureOf(off.deg, 2)}° of heading`} />
          )}
        </Figures>
      </div>
      <Why stream={stream} resultsId={resultsId} />
    </Card>
  )
}

/** What is missing or old, and why. */
const Why = ({ stream, resultsId }: { readonly stream: StreamOfRobot; readonly resultsId: string }) => {
  const slot = latestOf(resultsId)
  const hints: React.ReactNode[] = []
  if (slot && isOldNow(slot))
    hints.push(
      <>
        This is old: nothing came for <Age sinceMs={Date.now() - (performance.now() - slot.heardMs)} />.
      </>,
    )
  const outputs = Object.values(slot?.results.outputs ?? {})
  if (slot && !outputs.some(({ kind }) => kind === 'field_pose'))
    hints.push(
      <>
        Its pipeline does not say where the robot is: add a node “field-pose” to it in{' '}
        <Link href="/pipelines">Pipelines</Link>, and make it an output.
      </>,
    )
  if (slot && stream.mount === null && stream.tone !== 'peer')
    hints.push(
      <>
        Nobody has said where its camera sits: it is taken to be the middle of the robot.{' '}
        <Link href="/rig">Set it in Rig</Link>.
      </>,
    )
  if (stream.limits.isGuessed)
    hints.push(
      <>
        How much its camera sees is guessed ({figureOf(widthDegOf(stream.limits))}° wide), as nobody has{' '}
        <Link href="/calibration">calibrated it</Link>.
      </>,
    )
  if (hints.length === 0) return null
  return (
    <ul className="field-hints hint">
      {hints.map((hint, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are told apart by nothing else
        <li key={n}>{hint}</li>
      ))}
    </ul>
  )
}
