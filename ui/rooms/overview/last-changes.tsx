// What was changed of late, where, and as which revision.
import { useSelector } from '@xstate/store-react'
import { browserTimeOf } from '../../api/device-clock.ts'
import { Card, Empty } from '../../parts/parts.tsx'
import { type Change, changes } from '../../state/changes.ts'
import { peers } from '../../state/device.ts'
import { useKnownOf } from '../../state/live.ts'
import { isRemote, streams } from '../../state/streams.ts'
import { timeOf } from '../../words.ts'

const WHAT: Readonly<Record<string, string>> = {
  stream_changed: 'settings changed',
  pipeline_changed: 'pipeline changed',
  pose_changed: 'mount moved',
  control_changed: 'control set',
  graph_changed: 'pipeline changed',
  rig_changed: 'size changed',
  nt4_changed: 'link set',
  hostname_changed: 'named',
  peer_changed: 'link set',
  trust_changed: 'trust changed',
  field_maps_changed: 'changed',
}

const MEDIA: Readonly<Record<string, string>> = {
  picture: 'picture kept',
  recording: 'recording kept',
  model: 'model kept',
}

const whatOf = ({ kind, data }: Change): string => {
  const {
    deleted = false,
    kind: media,
    state,
  } = (data ?? {}) as {
    readonly deleted?: boolean
    readonly kind?: string | null
    readonly state?: string | null
  }
  if (deleted) return 'deleted'
  if (kind === 'media_changed') return state === 'writing' ? 'being written' : (MEDIA[media ?? ''] ?? 'kept')
  return WHAT[kind] ?? kind.replaceAll('_', ' ')
}

/** Names for what an event only has ids of. */
const useNames = () => {
  const all = useKnownOf(streams, ({ value }) => value)
  const devices = useKnownOf(peers, ({ value }) => value)
  return ({ kind, ref }: Change): string => {
    const peer = ref.peer_id === undefined ? undefined : devices?.find(({ id }) => id === ref.peer_id)
    const stream = all?.find((each) =>
      isRemote(each)
        ? each.origin.peer_id === ref.peer_id && each.id === `${ref.peer_id}:${ref.stream_id}`
        : ref.peer_id === undefined && each.id === ref.stream_id,
    )
    const whose = peer && kind !== 'peer_changed' ? ` on ${peer.name}` : ''
    const of = ref.media_name ?? ref.graph_id ?? ref.camera_uid
    if (ref.stream_id !== undefined) return `${stream?.spec.alias ?? ref.stream_id}${whose}`
    if (kind === 'peer_changed') return peer?.name ?? ref.peer_id ?? ''
    if (of !== undefined) return `${of}${whose}`
    return { rig_changed: 'Robot', nt4_changed: 'Robot', field_maps_changed: 'Field maps' }[kind] ?? 'This device'
  }
}

/** The last ones. */
export const LastChanges = () => {
  const items = useSelector(changes, ({ context }) => context.items)
  const nameOf = useNames()
  return (
    <Card title="Last changes">
      {items.length === 0 ? (
        <Empty>Nothing was changed since this page was opened. What anybody changes shows here.</Empty>
      ) : (
        <ol className="list overview-changes">
          {items.map((change) => (
            <li key={change.key}>
              <time dateTime={new Date(browserTimeOf(change.atMs)).toISOString()}>
                {timeOf(browserTimeOf(change.atMs))}
              </time>
              <span>
                <strong>{nameOf(change)}</strong> {whatOf(change)}
                {change.revision !== null && `, revision ${change.revision}`}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}
