// The pose that the robot gets: of all cameras together.
import { Link } from 'wouter'
import { fromAngles } from '../../drawing/scene-pose.ts'
import { Alert, Card, Figure, Figures, Pill } from '../../parts/parts.tsx'
import { PoseFigures, smallLength } from '../../parts/pose-figures.tsx'
import { isSolveOld, type SolveSlot } from '../../state/localization.ts'
import type { LocalizationState } from '../../state/localization-wire.ts'
import { headingInWords } from './joint-words.ts'
import { MapMark } from './map-mark.tsx'
import { JOINT_STATES } from './reasons.ts'

/** What it takes. */
export interface JointCardProps {
  readonly slot: SolveSlot
  /** The map's name for people; undefined: not known. */
  readonly mapName: string | undefined
  /** Whether the heading has been off for so long that it is no noise. */
  readonly isHeadingOff: boolean
  /** A pose less sure than that is not given to the robot; undefined: not known. */
  readonly maxStdM: number | undefined
}

const NEXT: Readonly<Partial<Record<LocalizationState, string>>> = {
  off: 'Nobody solves the cameras together: the robot gets the poses of single cameras alone.',
  waiting: 'No camera can be used yet. Below is what each of them lacks.',
  coasting: 'No tags just now: the pose is carried on by the wheels, and gets less sure.',
  lost: 'No tag has said where the robot is for some seconds. The robot gets no pose.',
}

/** Where the robot is, how sure that is, by which map, and how it is with the heading. */
export const JointCard = ({ slot, mapName, isHeadingOff, maxStdM }: JointCardProps) => {
  const { state, pose, std_devs, std_xy_m, is_sure, map, heading, tags, cameras } = slot.solve
  const { word, tone } = JOINT_STATES[state]
  const usedTags = tags.filter(({ used }) => used).length
  const usedCameras = cameras.filter(({ tags_used }) => tags_used > 0).length
  const next = NEXT[state]
  return (
    <Card title="All cameras together" side={<Pill tone={tone}>{word}</Pill>}>
      <div className={`card-body stack${pose && isSolveOld(slot) ? ' is-old' : ''}`}>
        {next && (
          <p className="hint">
            {next} {state === 'off' && <Link href="/field/settings">Switch it on in Localization</Link>}
          </p>
        )}
        {pose && (
          <>
            <PoseFigures pose={fromAngles(pose)} deviations={std_devs ?? undefined} />
            <Figures>
              <Figure name="sure to" value={std_xy_m === null ? null : smallLength(std_xy_m)} />
              <Figure name="cameras used" value={`${usedCameras} of ${cameras.length}`} />
              <Figure name="tags used" value={`${usedTags} of ${tags.length}`} />
            </Figures>
          </>
        )}
        {pose && !is_sure && (
          <Alert tone="busy">
            The robot does not get this pose: it is less sure than{' '}
            {maxStdM === undefined ? 'set' : smallLength(maxStdM)}.
          </Alert>
        )}
      </div>
      <dl className="field-lines">
        <dt>Heading</dt>
        <dd>
          {heading.said_deg !== null && (
            <Pill tone={isHeadingOff ? 'bad' : heading.used ? 'good' : 'quiet'}>
              {isHeadingOff ? 'off' : heading.used ? 'used' : 'not used'}
            </Pill>
          )}{' '}
          {headingInWords(heading, isHeadingOff)}
        </dd>
        <dt>Map</dt>
        <dd>{map ? <MapMark id={map.id} name={mapName} hash={map.hash} /> : 'There is none.'}</dd>
      </dl>
    </Card>
  )
}
