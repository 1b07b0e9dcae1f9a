// What other devices read of where this one sees tags and the robot.
import { DIRECTORY } from '../../actors/directory.ts'
import { LOCALIZATION } from '../../actors/localization/tokens.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { DEVICE, PEER_KEY_FORM, readPeerKey, SOLVE } from '../../machines/localization/peer-key.ts'
import { solveNow } from '../../machines/localization/solve-document.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { outputNotFound } from '../../machines/stream/outputs.ts'
import type { Given } from '../../machines/token.ts'
import { read } from '../endpoints/read.ts'
import { malformedKey } from '../localization/malformed-key.ts'
import { PeerOutputKey } from '../localization/outputs.ts'
import { PeerPlace, peerPlaceExample, streamPlace } from '../localization/samples.ts'
import { sharedStream, sharedStreamNeeds } from './shared-stream.ts'

/** The needs of the row. */
export const outputNeeds = { ...sharedStreamNeeds, directory: DIRECTORY, localization: LOCALIZATION }
type OutputParts = Given<typeof outputNeeds>

/** The row. */
export const outputRow = (parts: OutputParts) =>
  read('GET', '/v1/interdevice/localization/outputs/:output_key', {
    params: { output_key: PeerOutputKey },
    summary: 'Newest sample of an output that says where something is',
    about: oneLine`
      Those of \`localization_outputs\` of \`GET /v1/interdevice/resources\`; \`device.solve\` is where this device sees
      the robot by all its cameras.
    `,
    access: 'peer',
    answer: PeerPlace,
    example: peerPlaceExample,
    get: ({ params: { output_key } }) => placeAt(parts, output_key),
    faults: ['stream.not_found', 'output.not_found', 'output_key.malformed', 'stream.failed'],
  })

const placeAt = (parts: OutputParts, output_key: string): object | Fault => {
  const key = readPeerKey(output_key)
  if (!key) return malformedKey(output_key, PEER_KEY_FORM)
  const { streamId, port } = key
  if (streamId === DEVICE) return port === SOLVE ? solvePlace(parts, output_key) : outputNotFound(DEVICE, port)
  const stream = sharedStream(parts, streamId)
  return isFault(stream) ? stream : streamPlace(parts.directory, stream, { port, shownKey: output_key })
}

const solvePlace = ({ localization, directory }: OutputParts, output_key: string) => {
  const sample = solveNow(localization, directory)
  return { output_key, data_type: SOLVE, age_ms: sample.age_ms, sample: sample.round === null ? null : sample }
}
