// The rows of single outputs: of streams of this device, and of other devices.
import { DIRECTORY } from '../../actors/directory.ts'
import { ASK_PEER, PEER_ACCESS } from '../../actors/peers/tokens.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { pathPart } from '../../machines/interdevice/path-part.ts'
import { problemIn } from '../../machines/interdevice/problem.ts'
import { PEER_KEY_FORM, PEER_KEY_PATTERN, readPeerKey } from '../../machines/localization/peer-key.ts'
import { REFUSALS } from '../../machines/peers/greeting.ts'
import { PeerId } from '../../machines/peers/peer.ts'
import { schemaErrors } from '../../machines/schema/errors.ts'
import { jsonIn } from '../../machines/schema/json.ts'
import { lenient } from '../../machines/schema/lenient.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { quote } from '../../machines/schema/quote.ts'
import { StreamId } from '../../machines/schema/stream-id.ts'
import Type from '../../machines/schema/type.ts'
import type { Given } from '../../machines/token.ts'
import { read } from '../endpoints/read.ts'
import { SUCCESS } from '../problems/faults.ts'
import { fault } from '../problems/problem.ts'
import { ofStream } from '../stream/of-stream.ts'
import { malformedKey } from './malformed-key.ts'
import { PeerPlace, peerPlaceExample, StreamPlace, streamPlace, streamPlaceExample } from './samples.ts'

/** The needs of the rows. */
export const outputNeeds = {
  directory: DIRECTORY,
  streams: STREAM_REGISTRY,
  accessTo: PEER_ACCESS,
  ask: ASK_PEER,
}
type OutputParts = Given<typeof outputNeeds>

const LIMIT_MS = 3_000 // a page asks again by itself
const MAX_ANSWER_BYTES = 1_048_576

const OutputName = Type.String({
  description: 'An output that says where a tag or the robot is.',
  examples: ['pose'],
})

/** An output of another device. */
export const PeerOutputKey = Type.String({
  pattern: PEER_KEY_PATTERN,
  description: PEER_KEY_FORM,
  examples: ['front.pose'],
})

/** The rows. */
export const outputRows = (parts: OutputParts) => [
  read('GET', '/v1/localization/streams/:id/outputs/:output_key', {
    params: { id: StreamId, output_key: OutputName },
    summary: 'Newest sample of an output of a stream that says where something is',
    answer: StreamPlace,
    example: streamPlaceExample,
    get: ({ params: { id, output_key } }) =>
      ofStream(parts, id, (stream) => streamPlace(parts.directory, stream, { port: output_key })),
    faults: ['stream.not_found', 'output.not_found', 'stream.failed'],
  }),

  read('GET', '/v1/localization/peers/:id/outputs/:output_key', {
    params: { id: PeerId, output_key: PeerOutputKey },
    summary: 'Newest sample of an output of another device',
    about: oneLine`
      Asked of that device each time; nothing is remembered here. \`device.solve\` is where it sees the robot by all its
      cameras. \`age_ms\` counts from the exposure to the answer here; the other times are by the clock there.
    `,
    answer: PeerPlace,
    example: peerPlaceExample,
    get: ({ params: { id, output_key } }) =>
      readPeerKey(output_key) ? placeOfPeer(parts, id, output_key) : malformedKey(output_key, PEER_KEY_FORM),
    faults: [
      ...REFUSALS,
      'peer.not_found',
      'peer.not_linked',
      'peer.bad_answer',
      'peer.unreachable',
      'output.not_found',
      'output_key.malformed',
    ],
  }),
]

const placeOfPeer = async (
  { accessTo, ask, directory: { clock } }: OutputParts,
  id: string,
  output_key: string,
): Promise<object | Fault> => {
  const access = accessTo(id)
  if (isFault(access)) return access
  const askedUs = clock.monotonicUs()
  const answer = await ask(access.target, {
    method: 'GET',
    path: `/v1/interdevice/localization/outputs/${pathPart(output_key)}`,
    limitMs: LIMIT_MS,
    maxBytes: MAX_ANSWER_BYTES,
  })
  if (isFault(answer)) return awayFrom(id, answer)
  const text = answer.body.toString()
  if (answer.status !== SUCCESS.ok) return refusalOf(id, output_key, { status: answer.status, text })
  const document = jsonIn(text)
  if (schemaErrors(lenient(PeerPlace), document).length > 0)
    return fault('peer.bad_answer', `the peer ${id} answers with no sample of an output`)
  // one way of two
  return olderBy((clock.monotonicUs() - askedUs) / 2_000, document as { readonly age_ms: number | null })
}

const olderBy = (ms: number, place: { readonly age_ms: number | null }) => ({
  ...place,
  age_ms: place.age_ms === null ? null : place.age_ms + ms,
})

/** One that does not answer in time is away, as far as this goes: nothing was ordered. */
const awayFrom = (id: string, found: Fault): Fault =>
  found.code === 'peer.too_slow' ? fault('peer.unreachable', `the peer ${id} gives no answer: ${found.detail}`) : found

const refusalOf = (
  id: string,
  output_key: string,
  { status, text }: { readonly status: number; readonly text: string },
): Fault => {
  const { isWhole, refusesUs, said, detail = '' } = problemIn(status, text)
  if (refusesUs) return fault('peer.refuses_us', `the peer ${id} does not let this device read that: ${detail}`)
  if (said?.endsWith('.not_found'))
    return fault('output.not_found', `the peer ${id} has no output ${quote(output_key)}: ${detail}`)
  return fault('peer.bad_answer', isWhole ? `the peer ${id} answers: ${detail}` : `the peer ${id} answers nonsense`)
}
