// A packet of live pictures as it is sent: a head of 13 bytes, then H.264 or a JPEG; between them what was found in the
// very frame, where that was asked for.
import { type FrameResults, frameResultsText } from '../../../machines/engine/frame-results.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import type { Picture } from '../../../machines/stream/picture.ts'
import type { VideoPacket } from '../../../machines/stream/video.ts'
import type { Clock } from '../../../native/clock/port.ts'

export const VIDEO_MEDIA_TYPE = 'application/vnd.vedette.h264-packets'

/** Of a message that is one picture. */
export const PICTURE_MEDIA_TYPE = 'application/vnd.vedette.jpeg-packet'

/** How such a message is to be read, for the documents. */
export const ABOUT_PICTURE_PACKETS = oneLine`
  A message is one packet, as those of H.264 in a preview: how many bytes follow (u32, big endian); when the picture
  was taken, microseconds since 1970 (u64, big endian); flags (u8); a JPEG. Flags: 1, a picture; 4, no picture: the
  JPEG says why none comes, and the time is when that was said; 8, what was found in that very frame lies in front of
  the JPEG: how many bytes it is (u32, big endian), then JSON. That has the frame (\`seq\`, \`captured_us\`,
  \`too_full\`), the size of the picture that pixels in it are of (\`width_px\`, \`height_px\`), and by the name of
  each output its \`kind\` and \`rows\`, which are those of a sample, rounded: FrameResults. Of a frame that a robot
  wants left out, and of no picture, there are no outputs.
`

/** How the answer is to be read, for the documents. */
export const ABOUT_VIDEO_PACKETS = oneLine`
  A packet: how many bytes follow (u32, big endian); when the picture was taken, microseconds since 1970 (u64, big
  endian); flags (u8); the picture, ITU-T H.264 Annex B. Flags: 1, a decoder can begin with it; 2, the parameter sets
  (SPS, PPS) lie in front, as in every packet with 1; 4, no video: a JPEG that says why none comes; 16, the time of
  capture of its frame (u64, big endian) lies before the picture: the \`captured_us\` that its results have.
`

const HEAD_BYTES = 13
const AFTER_LENGTH_BYTES = 9
const KEY = 1
const CONFIGURATION = 2
const PLACEHOLDER = 4
const RESULTS = 8
const RESULTS_LENGTH_BYTES = 4
const CAPTURED = 16
const CAPTURED_BYTES = 8

const packetOf = (payload: Uint8Array, atUs: number, flags: number, results?: string): Buffer => {
  const resultBytes = results === undefined ? 0 : RESULTS_LENGTH_BYTES + Buffer.byteLength(results)
  const packet = Buffer.allocUnsafe(HEAD_BYTES + resultBytes + payload.length)
  packet.writeUInt32BE(AFTER_LENGTH_BYTES + resultBytes + payload.length, 0)
  packet.writeBigUInt64BE(BigInt(Math.max(0, Math.round(atUs))), 4)
  packet.writeUInt8(results === undefined ? flags : flags | RESULTS, 12)
  if (results !== undefined) {
    packet.writeUInt32BE(resultBytes - RESULTS_LENGTH_BYTES, HEAD_BYTES)
    packet.write(results, HEAD_BYTES + RESULTS_LENGTH_BYTES)
  }
  packet.set(payload, HEAD_BYTES + resultBytes)
  return packet
}

/**
 * epochUs: Unix time of 0 of CLOCK_MONOTONIC, the same for all packets of a viewer until the clock is set, so that
 * their times rise. hasCaptured: with the time by which its frame is known among results.
 */
export const videoPacket = (
  { captured_us, is_key, bytes }: VideoPacket,
  epochUs: number,
  hasCaptured = false,
): Buffer => {
  const flags = is_key ? KEY | CONFIGURATION : 0
  if (!hasCaptured) return packetOf(bytes, epochUs + captured_us, flags)
  const payload = Buffer.allocUnsafe(CAPTURED_BYTES + bytes.length)
  payload.writeBigUInt64BE(BigInt(Math.round(captured_us)), 0)
  payload.set(bytes, CAPTURED_BYTES)
  return packetOf(payload, epochUs + captured_us, flags | CAPTURED)
}

/** Which outputs go with a picture; default all. */
export interface ResultChoice {
  readonly outputs?: readonly string[]
}

const packets = new WeakMap<Picture, Map<string, Buffer>>()

/** A picture as a packet: made once, sent to everybody who wants the same. results: null: the picture alone. */
export const picturePacket = (picture: Picture, clock: Clock, results: ResultChoice | null = null): Buffer => {
  const key = results === null ? 'plain' : `results ${results.outputs?.join() ?? ''}`
  const ofPicture = packets.get(picture) ?? new Map<string, Buffer>()
  packets.set(picture, ofPicture)
  const known = ofPicture.get(key)
  if (known) return known
  const atUs = clock.nowMs() * 1000 - clock.monotonicUs() + picture.captured_us
  const packet = packetOf(picture.jpeg, atUs, KEY, results ? foundIn(picture, results) : undefined)
  ofPicture.set(key, packet)
  return packet
}

const NOTHING_FOUND = JSON.stringify({ outputs: {} })

/** Of a frame in which nothing was looked for there are no outputs. */
const foundIn = ({ seq, captured_us, width_px, height_px, result }: Picture, { outputs }: ResultChoice): string =>
  result
    ? frameResultsText(result, outputs)
    : JSON.stringify({ seq, captured_us, width_px, height_px, too_full: false, outputs: {} } satisfies FrameResults)

/** What stands for pictures that do not come. hasResults: in the form of those that have some. */
export const placeholderPacket = (jpeg: Uint8Array, atUs: number, hasResults = false): Buffer =>
  packetOf(jpeg, atUs, PLACEHOLDER, hasResults ? NOTHING_FOUND : undefined)
