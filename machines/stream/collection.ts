// The stored streams.
import { quote } from '../schema/quote.ts'
import { StreamId } from '../schema/stream-id.ts'
import { collection } from '../settings/collection.ts'
import { canonicalManifest } from './canonical-manifest.ts'
import { streamChanged } from './events.ts'
import { CanonicalManifest } from './manifest.ts'
import { streamNews } from './stream-news.ts'

/** Two cores carry a handful of streams; more than this is a mistake in a script. */
export const MAX_STREAMS = 16

/** One canonical manifest per stream, which can still be planned. */
export const streamCollection = collection({
  name: 'streams',
  id: StreamId,
  schema: CanonicalManifest,
  limit: MAX_STREAMS,
  changed: streamChanged,
  tells: streamNews,
  notFound: (id) => ({
    code: 'stream.not_found',
    detail: `there is no stream ${quote(id)}; GET /v1/streams lists them`,
  }),
  check: (manifest, id) => {
    const canonical = canonicalManifest(manifest)
    return [
      ...(manifest.id === id ? [] : [{ pointer: '/id', message: `is ${manifest.id} but it is stored as ${id}` }]),
      ...(canonical.ok ? [] : canonical.errors),
    ]
  },
})
