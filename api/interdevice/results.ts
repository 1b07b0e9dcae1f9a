// What is found in the frames of the streams here, for other devices.
import { DIRECTORY } from '../../actors/directory.ts'
import { isShared } from '../../machines/interdevice/listing.ts'
import { nameList, namesIn } from '../../machines/schema/name-list.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import Type from '../../machines/schema/type.ts'
import type { Given } from '../../machines/token.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { feed } from '../endpoints/feed.ts'
import { ofStreamNeeds } from '../stream/of-stream.ts'
import { previewNeeds } from '../stream/preview/show-preview.ts'
import { MAX_RESULT_LISTENERS, ResultListeners } from '../stream/results/result-listeners.ts'
import { frameMessages, outputsQuery, rateQuery } from '../stream/results/results-row.ts'

/** The needs of the row. */
export const deviceResultNeeds = { ...ofStreamNeeds, ...previewNeeds, directory: DIRECTORY }

/** The row, and the way to send all listeners away. */
export const deviceResultsRow = (
  parts: Given<typeof deviceResultNeeds>,
): { readonly row: Endpoint; readonly close: () => void } => {
  const { streams, directory, budget } = parts
  const shared = {
    all: () => streams.all().filter(({ manifest }) => isShared(manifest)),
    subscribe: (changed: () => void) => streams.subscribe(changed),
  }
  const listeners = new ResultListeners({ streams: shared, clock: directory.clock, budget })
  const row = feed('GET', '/v1/interdevice/results', {
    summary: 'What is found in frames here, for other devices',
    about: oneLine`
      Each message is what was found in one frame of one stream, as at \`/v1/results\`. One that is named and is not
      there yet is followed as soon as it is. Who is slow misses messages, of each stream the newest wins; who takes
      none for 30 s is cut off. ${MAX_RESULT_LISTENERS} may listen.
    `,
    access: 'peer',
    query: {
      streams: Type.Optional(nameList('Of these streams. Default: of all, also of later ones.', 'front,back')),
      outputs: outputsQuery,
      rate: rateQuery,
    },
    messages: frameMessages,
    admit: () => listeners.full(),
    accept: ({ query: { streams: named, outputs, rate }, request }, socket) =>
      listeners.accept(
        { socket, connection: request.socket },
        {
          ratePerS: rate,
          withSolve: false,
          ...(named !== undefined && { streams: namesIn(named) }),
          ...(outputs !== undefined && { outputs: namesIn(outputs) }),
        },
      ),
    faults: ['viewer.too_many'],
  })
  return { row, close: () => listeners.close() }
}
