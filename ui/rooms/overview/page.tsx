// The first page: what is wrong, all streams at once, where the robot is, what is plugged in and not in use.
import { Card, Empty, ProblemNote } from '../../parts/parts.tsx'
import { cameras, peers } from '../../state/device.ts'
import { useKnown, useKnownOf } from '../../state/live.ts'
import { isRemote, shownOnce, streams } from '../../state/streams.ts'
import { Alerts } from './alerts.tsx'
import { FirstSteps, isUnused, PluggedIn } from './cameras.tsx'
import { LastChanges } from './last-changes.tsx'
import { RobotCard } from './robot-card.tsx'
import { OwnTile, RemoteTile } from './tiles.tsx'
import { VideoLimit } from './video-limit.tsx'

const Tiles = () => {
  const { value, problem } = useKnown(streams)
  const devices = useKnownOf(peers, ({ value }) => value)
  if (value?.length === 0) return <FirstSteps />
  return (
    <div className="overview-tiles">
      {problem && <ProblemNote problem={problem} />}
      {shownOnce(value ?? []).map((stream) =>
        isRemote(stream) ? (
          <RemoteTile key={stream.id} stream={stream} peer={devices?.find(({ id }) => id === stream.origin.peer_id)} />
        ) : (
          <OwnTile key={stream.id} stream={stream} devices={devices} />
        ),
      )}
    </div>
  )
}

const Overview = () => {
  const hasStreams = useKnownOf(streams, ({ value }) => (value?.length ?? 0) > 0)
  const unused = useKnownOf(cameras, ({ value }) => value)?.filter(isUnused) ?? []
  return (
    <>
      <h1 className="only-read-aloud">Overview</h1>
      <Alerts />
      <div className="overview">
        <Tiles />
        <div className="stack">
          <RobotCard />
          {hasStreams && (
            <Card title="Plugged in, not in use">
              {unused.length === 0 ? <Empty>No other camera is plugged in.</Empty> : <PluggedIn cameras={unused} />}
            </Card>
          )}
          <LastChanges />
          <VideoLimit />
        </div>
      </div>
    </>
  )
}

export default Overview
