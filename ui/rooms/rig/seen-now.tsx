// Where the tags say that a camera sits: of what it sees itself, and of where another camera says that the robot is.
import { seenMount } from '../../drawing/robot-seen.ts'
import { type AnglePose, wrapDeg } from '../../drawing/scene-pose.ts'
import { Button } from '../../parts/parts.tsx'
import { isOldNow, latestOf, useResults } from '../../state/results.ts'
import { useOwnStreams } from '../../state/streams.ts'
import { figureOf } from '../../words.ts'
import type { RigCamera } from './rig-cameras.ts'

/** What it takes. */
export interface SeenNowProps {
  readonly camera: RigCamera
  /** undefined: nobody may change it. */
  readonly onUse?: ((pose: AnglePose) => void) | undefined
}

const newestOf = (streamId: string) => {
  const slot = latestOf(streamId)
  return isOldNow(slot) ? undefined : slot?.results.outputs
}

/** What is seen, against what is set; nothing where nothing can be said. */
export const SeenNow = ({ camera: { streamId, peer, pose }, onUse }: SeenNowProps) => {
  const own = useOwnStreams() ?? []
  const others = peer ? [] : own.filter(({ id, spec }) => id !== streamId && spec.pose !== undefined)
  const isWanted = streamId !== null && others.length > 0
  useResults(isWanted ? [streamId, ...others.map(({ id }) => id)] : [], 'figures')
  if (!isWanted) return null
  const mine = newestOf(streamId)
  for (const other of others) {
    const theirs = newestOf(other.id)
    const seen = mine && theirs && seenMount(mine, theirs)
    if (seen) return <Seen by={other.spec.alias} seen={seen} set={pose} onUse={onUse} />
  }
  return null
}

interface SeenProps {
  readonly by: string
  readonly seen: AnglePose
  readonly set: AnglePose | null
  readonly onUse: ((pose: AnglePose) => void) | undefined
}

const Seen = ({ by, seen, set, onUse }: SeenProps) => {
  const off_m = set && Math.hypot(seen.x_m - set.x_m, seen.y_m - set.y_m, seen.z_m - set.z_m)
  const turned = set && (['yaw_deg', 'pitch_deg', 'roll_deg'] as const).map((key) => wrapDeg(seen[key] - set[key]))
  return (
    <div className="rig-seen">
      <p className="hint">
        Seen now, while the robot stands still, if {by} is right: {figureOf(seen.x_m * 100, 1)},{' '}
        {figureOf(seen.y_m * 100, 1)}, {figureOf(seen.z_m * 100, 1)} cm; yaw {figureOf(seen.yaw_deg, 1)}°, pitch{' '}
        {figureOf(seen.pitch_deg, 1)}°, roll {figureOf(seen.roll_deg, 1)}°.
        {off_m !== null && turned && (
          <>
            {' '}
            That is {figureOf(off_m * 100, 1)} cm and {figureOf(Math.max(...turned.map(Math.abs)), 1)}° off what is set.
          </>
        )}
      </p>
      {onUse && <Button onClick={() => onUse(seen)}>Use it</Button>}
    </div>
  )
}
