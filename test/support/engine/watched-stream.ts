// A stream whose pictures are watched over real sockets, in a service on fake ports.
import type { TestContext } from 'node:test'
import type { StreamRuntime } from '../../../actors/stream/stream-runtime.ts'
import { type ApiChanges, type FakeApi, listeningApi } from '../api/api.ts'

/** preview: where it is watched. */
export interface WatchedStream extends FakeApi {
  readonly stream: StreamRuntime
  readonly port: number
  readonly url: string
  readonly preview: string
}

/** It has a camera whose pictures come when the test says so. parts: of the API. */
export const watchedStream = async (t: TestContext, parts: ApiChanges = {}): Promise<WatchedStream> => {
  const api = await listeningApi(t, parts)
  const stream = await api.fake.addStream({ id: 'front', source: { backend: 'synthetic' } })
  return { ...api, stream, preview: `${api.url}/v1/streams/front/preview` }
}
