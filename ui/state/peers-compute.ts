// Where the pictures of a stream of another device are worked on: there, or on this one.
import { type Answer, api, ask, type Documents, requestKey } from '../api/client.ts'
import { peers } from './device.ts'
import { streams } from './streams.ts'

/** proxy: on its own device. local_attach: on this one. */
export type Compute = Documents['PeerStream']['compute']

/** Says where. That is this device's own to say; the answer has the revision of the stream on its own device. */
export const orderCompute = async (
  at: { readonly peer_id: string; readonly remote_stream_id: string },
  compute: Compute,
): Promise<Answer<Documents['StreamCommandAnswer']>> => {
  const answer = await ask(
    api.POST('/v1/peers/{peer_id}/streams/{remote_stream_id}/commands', {
      params: { path: at },
      body: { request_id: requestKey(), command: 'set_compute', payload: { compute } },
    }),
  )
  if (!answer.ok) return answer
  streams.refresh()
  peers.refresh()
  return { ...answer, revision: answer.value.new_revision }
}
