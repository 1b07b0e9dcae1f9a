// What the pictures take of the network, against what they may.
import { useSelector } from '@xstate/store-react'
import { api, ask, type Documents } from '../../api/client.ts'
import { Card } from '../../parts/parts.tsx'
import { createLive, useKnownOf } from '../../state/live.ts'
import { figures } from '../../state/streams.ts'
import { figureOf } from '../../words.ts'

const capabilities = createLive<Documents['StreamCapabilities']>({
  read: () => ask(api.GET('/v1/streams/capabilities')),
  heed: () => undefined, // it is as it was started
})

/** Of the previews of all streams. */
export const VideoLimit = () => {
  const limit = useKnownOf(capabilities, ({ value }) => value?.limits.bandwidth_mbit_s)
  const sent = useSelector(figures, ({ context }) =>
    Object.values(context).reduce((sum, { bandwidth }) => sum + (bandwidth?.sent_mbit_s ?? 0), 0),
  )
  if (limit === undefined) return null
  return (
    <Card title="Video over the network">
      <div className="card-body overview-video">
        <span>
          <strong>{figureOf(sent, 1)}</strong>
          {limit === null ? ' Mbit/s, no limit is set' : ` of ${limit} Mbit/s`}
        </span>
        {limit !== null && <meter min={0} max={limit} value={Math.min(limit, sent)} aria-label="Video, of its limit" />}
      </div>
    </Card>
  )
}
