// A packet of live pictures as it is sent: a head of 13 bytes, then H.264 or a JPEG.
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
  JPEG says why none comes, and the time is when that was said.
`

/** How the answer is to be read, for the documents. */
export const ABOUT_VIDEO_PACKETS = oneLine`
  A packet: how many bytes follow (u32, big endian); when the picture was taken, microseconds since 1970 (u64, big
  endian); flags (u8); the picture, ITU-T H.264 Annex B. Flags: 1, a decoder can begin with it; 2, the parameter sets
  (SPS, PPS) lie in front, as in every packet with 1; 4, no video: a JPEG that says why none comes.
`

const HEAD_BYTES = 13
const AFTER_LENGTH_BYTES = 9
const KEY = 1
const CONFIGURATION = 2
const PLACEHOLDER = 4

const packetOf = (payload: Uint8Array, atUs: number, flags: number): Buffer => {
  const packet = Buffer.allocUnsafe(HEAD_BYTES + payload.length)
  packet.writeUInt32BE(AFTER_LENGTH_BYTES + payload.length, 0)
  packet.writeBigUInt64BE(BigInt(Math.max(0, Math.round(atUs))), 4)
  packet.writeUInt8(flags, 12)
  packet.set(payload, HEAD_BYTES)
  return packet
}

/** epochUs: Unix time of 0 of CLOCK_MONOTONIC, the same for all packets of a viewer, so that their times rise. */
export const videoPacket = ({ captured_us, is_key, bytes }: VideoPacket, epochUs: number): Buffer =>
  packetOf(bytes, epochUs + captured_us, is_key ? KEY | CONFIGURATION : 0)

const packets = new WeakMap<Picture, Buffer>()

/** A picture as a packet: made once, sent to everybody. */
export const picturePacket = (picture: Picture, clock: Clock): Buffer => {
  const known = packets.get(picture)
  if (known) return known
  const atUs = clock.nowMs() * 1000 - clock.monotonicUs() + picture.captured_us
  const packet = packetOf(picture.jpeg, atUs, KEY)
  packets.set(picture, packet)
  return packet
}

/** What stands for a video that does not come. */
export const placeholderPacket = (jpeg: Uint8Array, atUs: number): Buffer => packetOf(jpeg, atUs, PLACEHOLDER)
