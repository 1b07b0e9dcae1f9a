// What is found in the frames of many streams, as it is found, on one WebSocket.
import type { Static, TObject } from 'typebox'
import { DIRECTORY } from '../../../actors/directory.ts'
import { LOCALIZATION } from '../../../actors/localization/tokens.ts'
import { leavesDevice } from '../../../machines/bandwidth/budget.ts'
import { frameResultFields } from '../../../machines/engine/frame-results.ts'
import type { Fault } from '../../../machines/errors/fault.ts'
import { LocalizationSolve, solveExample, solveNow } from '../../../machines/localization/solve-document.ts'
import { nameList, namesIn } from '../../../machines/schema/name-list.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import Type from '../../../machines/schema/type.ts'
import type { Given } from '../../../machines/token.ts'
import { onlyListens } from '../../connections/connections.ts'
import type { Endpoint } from '../../endpoints/endpoint.ts'
import { feed } from '../../endpoints/feed.ts'
import { ofStreamNeeds, streamNotFound } from '../of-stream.ts'
import { previewNeeds } from '../preview/show-preview.ts'
import { ResultSocket, type SolveSource } from './result-feed.ts'

/** The needs of the row. */
export const resultNeeds = { ...ofStreamNeeds, ...previewNeeds, directory: DIRECTORY, localization: LOCALIZATION }
type ResultParts = Given<typeof resultNeeds>

const TRY_AGAIN_LATER = 1013
const DEFAULT_RATE_PER_S = 10

/** At the device. They take no place of those who watch pictures, which cost a hundred times as much. */
export const MAX_RESULT_LISTENERS = 64

const strict = { additionalProperties: false } as const
const stream_id = Type.String({ description: 'The stream.', examples: ['front'] })

const Results = Type.Object(
  { stream_id, ...frameResultFields },
  { ...strict, title: 'StreamResults', description: 'What was found in a frame of a stream: FrameResults.' },
)

const Ended = Type.Object(
  { stream_id, ended: Type.Literal(true) },
  { ...strict, title: 'StreamResultsEnd', description: 'The stream was deleted; nothing more comes of it.' },
)

const Solve = Type.Object(
  { localization: LocalizationSolve },
  { ...strict, title: 'SolveResult', description: 'What was solved in a round of all cameras together.' },
)

const query = {
  streams: Type.Optional(
    nameList('Of these streams. Default: of all, also of later ones; of none with `localization`.', 'front,back'),
  ),
  localization: Type.Optional(
    Type.Boolean({
      description: oneLine`
        Also what \`GET /v1/localization/solve\` shows: once at the beginning, then at each round, and when the state,
        the map or the streams that are used are others.
      `,
    }),
  ),
  outputs: Type.Optional(nameList('These outputs, of pipelines that have them. Default: all.', 'tags,pose')),
  rate: Type.Optional(
    Type.Number({
      minimum: 0.1,
      maximum: 240,
      default: DEFAULT_RATE_PER_S,
      description: 'Frames a second of each stream, and rounds, at most.',
    }),
  ),
}
type Query = Static<TObject<typeof query>>

const resultsExample = {
  stream_id: 'front',
  seq: 9000,
  captured_us: 300_000_000,
  width_px: 1280,
  height_px: 800,
  too_full: false,
  outputs: { focus: { kind: 'focus', rows: [{ sharpness: 0.82, best: 0.9 }] } },
}

/** The row, and the way to send all listeners away. */
export const resultsRow = (parts: ResultParts): { readonly row: Endpoint; readonly close: () => void } => {
  const listeners = new Set<ResultSocket>()

  const solve = solveSource(parts)

  const full = (): Fault | undefined =>
    listeners.size < MAX_RESULT_LISTENERS
      ? undefined
      : { code: 'viewer.too_many', detail: `${MAX_RESULT_LISTENERS} listen to what is found; close one first` }

  const unknownIn = ({ streams }: Query) =>
    streams === undefined ? undefined : namesIn(streams).find((id) => !parts.streams.get(id))

  const row = feed('GET', '/v1/results', {
    summary: 'What is found in frames, of many streams',
    about: oneLine`
      Each message is what was found in one frame of one stream, rounded; pictures come with theirs at \`frames\`. Who
      is slow misses messages, of each stream the newest wins; who takes none for 30 s is cut off. It takes no
      place of a viewer; ${MAX_RESULT_LISTENERS} may listen. Over the network what is sent counts in the bandwidth
      limit of previews, which give way to it.
    `,
    query,
    messages: [
      { name: 'results', schema: Results, example: resultsExample },
      { name: 'ended', schema: Ended, example: { stream_id: 'front', ended: true } },
      { name: 'solve', schema: Solve, example: { localization: solveExample } },
    ],
    admit: ({ query: asked }) => {
      const unknown = unknownIn(asked)
      return unknown === undefined ? full() : streamNotFound(unknown)
    },
    accept: ({ query: asked, request, directory }, socket) => {
      const { outputs, rate = DEFAULT_RATE_PER_S, localization: withSolve = false } = asked
      const streams = asked.streams === undefined ? undefined : namesIn(asked.streams)
      const connection = request.socket
      if (connection.closed) return
      // others may have come since it was let in
      if (full()) {
        socket.close(TRY_AGAIN_LATER, 'there is no room for another one who listens')
        return
      }
      onlyListens(connection)
      const listener = new ResultSocket(
        { streams: parts.streams, clock: directory.clock, solve },
        { socket, connection },
        {
          ratePerS: rate,
          isMetered: parts.budget.mbit_s !== null && leavesDevice(connection),
          withSolve,
          ...((streams || withSolve) && { streams: streams ?? [] }),
          ...(outputs !== undefined && { outputs: namesIn(outputs) }),
        },
      )
      listeners.add(listener)
      connection.once('close', () => listeners.delete(listener))
    },
    faults: ['stream.not_found', 'viewer.too_many'],
  })
  const close = () => {
    for (const listener of listeners) listener.end()
  }
  return { row, close }
}

const solveSource = ({ directory, localization }: ResultParts): SolveSource => ({
  document: () => solveNow(localization, directory),
  onRound: (listener) => localization.solved.subscribe((solved) => solved && listener(solved.capturedUs)),
  onChanged: localization.onChanged,
})
