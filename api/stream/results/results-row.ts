// What is found in the frames of many streams, as it is found, on one WebSocket.
import { DIRECTORY } from '../../../actors/directory.ts'
import { LOCALIZATION } from '../../../actors/localization/tokens.ts'
import { PEER_REGISTRY, REMOTE_RESULTS } from '../../../actors/peers/tokens.ts'
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import { endOf } from '../../../machines/interdevice/heard-results.ts'
import { LocalizationSolve, solveExample, solveNow } from '../../../machines/localization/solve-document.ts'
import { nameList, namesIn, streamList } from '../../../machines/schema/name-list.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import { quote } from '../../../machines/schema/quote.ts'
import Type from '../../../machines/schema/type.ts'
import { StreamResults, StreamResultsEnd } from '../../../machines/stream/stream-results.ts'
import type { Given } from '../../../machines/token.ts'
import type { Endpoint } from '../../endpoints/endpoint.ts'
import { feed } from '../../endpoints/feed.ts'
import { ofStreamNeeds, streamNotFound } from '../of-stream.ts'
import { previewNeeds } from '../preview/show-preview.ts'
import type { SolveSource } from './result-feed.ts'
import { MAX_RESULT_LISTENERS, ResultListeners } from './result-listeners.ts'

/** The needs of the row. */
export const resultNeeds = {
  ...ofStreamNeeds,
  ...previewNeeds,
  directory: DIRECTORY,
  localization: LOCALIZATION,
  peers: PEER_REGISTRY,
  remote: REMOTE_RESULTS,
}
type ResultParts = Given<typeof resultNeeds>

const DEFAULT_RATE_PER_S = 10

const strict = { additionalProperties: false } as const

const Solve = Type.Object(
  { localization: LocalizationSolve },
  { ...strict, title: 'SolveResult', description: 'What was solved in a round of all cameras together.' },
)

/** Which outputs. */
export const outputsQuery = Type.Optional(
  nameList('These outputs, of pipelines that have them. Default: all.', 'tags,pose'),
)

/** How often, at most. */
export const rateQuery = Type.Optional(
  Type.Number({
    minimum: 0.1,
    maximum: 240,
    default: DEFAULT_RATE_PER_S,
    description: 'Frames a second of each stream, and rounds, at most.',
  }),
)

const query = {
  streams: Type.Optional(
    streamList(
      'Of these streams. Default: of all of this device, also of later ones; of none with `localization`.',
      'front,back:rear',
    ),
  ),
  localization: Type.Optional(
    Type.Boolean({
      description: oneLine`
        Also what \`GET /v1/localization/solve\` shows: once at the beginning, then at each round, and when the state,
        the map or the streams that are used are others.
      `,
    }),
  ),
  outputs: outputsQuery,
  rate: rateQuery,
}

const resultsExample = {
  stream_id: 'front',
  seq: 9000,
  captured_us: 300_000_000,
  width_px: 1280,
  height_px: 800,
  too_full: false,
  outputs: { focus: { kind: 'focus', rows: [{ sharpness: 0.82, best: 0.9 }] } },
}

/** The messages about frames. */
export const frameMessages = [
  { name: 'results', schema: StreamResults, example: resultsExample },
  { name: 'ended', schema: StreamResultsEnd, example: endOf('front') },
]

/** The row, and the way to send all listeners away. */
export const resultsRow = (parts: ResultParts): { readonly row: Endpoint; readonly close: () => void } => {
  const { streams, directory, budget, remote } = parts
  const listeners = new ResultListeners({
    streams,
    clock: directory.clock,
    budget,
    remote,
    solve: solveSource(parts),
  })
  const row = feed('GET', '/v1/results', {
    summary: 'What is found in frames, of many streams',
    about: oneLine`
      Each message is what was found in one frame of one stream, rounded; pictures come with theirs at \`frames\`.
      Streams of other devices come on the same socket, as those devices tell it: while the link to one is lost
      nothing comes of its streams, and what they find is told again when it is back. Times are of the device that
      took the picture. Who is slow misses messages, of each stream the newest wins; who takes none for 30 s is cut
      off. It takes no place of a viewer; ${MAX_RESULT_LISTENERS} may listen. Over the network what is sent counts in
      the bandwidth limit of previews, which give way to it.
    `,
    query,
    messages: [...frameMessages, { name: 'solve', schema: Solve, example: { localization: solveExample } }],
    admit: ({ query: asked }) => {
      for (const id of asked.streams === undefined ? [] : namesIn(asked.streams)) {
        const unknown = whyNot(parts, id)
        if (unknown) return unknown
      }
      return listeners.full()
    },
    accept: ({ query: asked, request }, socket) => {
      const { outputs, rate, localization: withSolve = false } = asked
      const named = asked.streams === undefined ? undefined : namesIn(asked.streams)
      listeners.accept(
        { socket, connection: request.socket },
        {
          ratePerS: rate,
          withSolve,
          remote: byPeer(named ?? []),
          ...((named || withSolve) && { streams: (named ?? []).filter((id) => !id.includes(':')) }),
          ...(outputs !== undefined && { outputs: namesIn(outputs) }),
        },
      )
    },
    faults: ['stream.not_found', 'viewer.too_many', 'peer.not_found', 'peer.not_native'],
  })
  return { row, close: () => listeners.close() }
}

/** Why nothing can come of a stream; undefined: it may, if not at once. */
const whyNot = ({ streams, peers }: Pick<ResultParts, 'streams' | 'peers'>, listedId: string): Fault | undefined => {
  const [peer_id = '', stream_id] = listedId.split(':')
  if (stream_id === undefined) return streams.get(listedId) ? undefined : streamNotFound(listedId)
  const access = peers.access(peer_id)
  if (isFault(access)) return NEVER.has(access.code) ? access : undefined
  if (access.state !== 'linked' || !access.inventory) return undefined
  if (access.inventory.streams.some(({ id }) => id === stream_id)) return undefined
  return { code: 'stream.not_found', detail: `${peer_id} has no stream ${quote(stream_id)}` }
}

/** A link that is not there yet may come. */
const NEVER: ReadonlySet<string> = new Set(['peer.not_found', 'peer.not_native'])

/** Streams of other devices, by their ids there. */
const byPeer = (listedIds: readonly string[]): ReadonlyMap<string, readonly string[]> => {
  const remote = new Map<string, string[]>()
  for (const listedId of listedIds) {
    const [peer_id = '', stream_id] = listedId.split(':')
    if (stream_id !== undefined) remote.set(peer_id, [...(remote.get(peer_id) ?? []), stream_id])
  }
  return remote
}

const solveSource = ({ directory, localization }: ResultParts): SolveSource => ({
  document: () => solveNow(localization, directory),
  onRound: (listener) => localization.solved.subscribe((solved) => solved && listener(solved.capturedUs)),
  onChanged: localization.onChanged,
})
