// Streams as the field takes them: whose results they have, how their camera sits and what it sees.
import type { Documents } from '../../api/client.ts'
import type { FieldRobot, StreamOfRobot } from '../../drawing/field-robot.ts'
import { robotOf } from '../../drawing/field-robot.ts'
import { limitsOfStream } from '../../drawing/scene-frustum.ts'
import { isOldNow, latestOf, trailOf } from '../../state/results.ts'
import { type AnyStream, isRemote } from '../../state/streams.ts'

/** Under which id the results of a stream come: of one of a peer that is worked on here they are this device's. */
export const resultsIdOf = (stream: AnyStream): string =>
  (isRemote(stream) ? stream.local_stream_id : undefined) ?? stream.id

/** A stream's name, with that of its device when it is another one. */
export const nameOf = (stream: AnyStream, peers: readonly Documents['Peer'][]): string => {
  if (!isRemote(stream)) return stream.spec.alias
  const { peer_id } = stream.origin
  return `${stream.spec.alias} on ${peers.find(({ id }) => id === peer_id)?.name ?? peer_id}`
}

/** A stream without what was found in its frames. */
export const streamOfRobot = (
  stream: AnyStream,
  size: Documents['RobotDimensions'] | undefined,
  peers: readonly Documents['Peer'][],
): StreamOfRobot => ({
  id: stream.id,
  name: nameOf(stream, peers),
  tone: isRemote(stream) ? 'peer' : 'good',
  size,
  limits: limitsOfStream(stream.status),
  mount: isRemote(stream) ? null : (stream.spec.pose ?? null),
})

/** The robot as a stream has it now. resultsId: of its results. */
export const robotNow = (stream: StreamOfRobot, resultsId: string): FieldRobot => {
  const slot = latestOf(resultsId)
  const outputs = slot?.results.outputs ?? {}
  return robotOf({ ...stream, trail: trailOf(resultsId), isOld: isOldNow(slot) }, outputs)
}
