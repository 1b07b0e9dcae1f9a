// Asking a peer how the pictures of a stream are taken.
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { CameraCapture, StreamCapture } from '../../machines/interdevice/capture.ts'
import { pathPart } from '../../machines/interdevice/path-part.ts'
import { problemIn } from '../../machines/interdevice/problem.ts'
import { firstError, schemaErrors } from '../../machines/schema/errors.ts'
import { jsonIn } from '../../machines/schema/json.ts'
import { pruned } from '../../machines/schema/pruned.ts'
import { quote } from '../../machines/schema/quote.ts'
import Type from '../../machines/schema/type.ts'
import type { PeerAnswer, PeerRequest, PeerTarget } from '../../native/peers/port.ts'

/** What it takes. */
export interface CaptureParts {
  /** As PEER_ACCESS and ASK_PEER. */
  readonly findPeer: (peer_id: string) => { readonly target: PeerTarget } | Fault
  /** As PEER_ACCESS and ASK_PEER. */
  readonly ask: (target: PeerTarget, request: PeerRequest) => Promise<PeerAnswer | Fault>
}

const LIMIT_MS = 4_000
const MAX_BYTES = 1024 * 1024 // a pipeline has 256 KiB at most, and its lens a few hundred bytes
const [OK, NOT_FOUND] = [200, 404]

/** A newer device may say more. Not of a pipeline: without a part that is not known here it would be another one. */
const Heard = Type.Object({ ...StreamCapture.properties, pipeline: Type.Unknown() })

/** What is read of an answer. heard: the same, where a newer device may say more. */
interface Wanted {
  readonly schema: Parameters<typeof schemaErrors>[0]
  readonly heard: Parameters<typeof pruned>[0]
}

const reading =
  <Read>({ schema, heard }: Wanted) =>
  ({ findPeer, ask }: CaptureParts) =>
  async (peer_id: string, stream_id: string): Promise<Read | Fault> => {
    const peer = findPeer(peer_id)
    if (isFault(peer)) return peer
    const path = `/v1/interdevice/streams/${pathPart(stream_id)}/capture`
    const came = await ask(peer.target, { method: 'GET', path, limitMs: LIMIT_MS, maxBytes: MAX_BYTES })
    if (isFault(came)) return came
    const text = came.body.toString()
    if (came.status === OK) {
      const document = pruned(heard, jsonIn(text) ?? null)
      const errors = schemaErrors(schema, document)
      return errors.length === 0 ? (document as Read) : senseless(peer_id, firstError(errors, 'its answer'))
    }
    const { code, refusesUs } = problemIn(came.status, text)
    if (refusesUs)
      return { code: 'peer.refuses_us', detail: `${peer_id} does not let this device see how its pictures are taken` }
    if (came.status !== NOT_FOUND) return senseless(peer_id, `it answers ${came.status}`)
    return code === 'stream.not_found'
      ? { code: 'stream.not_found', detail: `${peer_id} has no stream ${quote(stream_id)}` }
      : senseless(peer_id, 'it cannot say how its pictures are taken; it may have an older version of the service')
  }

/** As READ_CAPTURE says. */
export const readingCapture = reading<StreamCapture>({ schema: StreamCapture, heard: Heard })

/** As READ_CAMERA_CAPTURE says. */
export const readingCameraCapture = reading<CameraCapture>({ schema: CameraCapture, heard: CameraCapture })

const senseless = (peer_id: string, why: string): Fault => ({
  code: 'peer.bad_answer',
  detail: `what ${peer_id} says of its pictures makes no sense: ${why}`,
})
