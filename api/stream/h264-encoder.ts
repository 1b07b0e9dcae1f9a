// By what this device encodes H.264.
import type { Fault } from '../../machines/errors/fault.ts'
import type { Given } from '../../machines/token.ts'
import { CODECS } from '../../native/codecs/port.ts'
import { fault } from '../problems/problem.ts'

/** The needs of the choice of an encoder. */
export const encoderNeeds = {
  codecs: CODECS,
}
type EncoderParts = Given<typeof encoderNeeds>

/**
 * The encoder that is used, by its name, or why there is none. Found out by trying, the first time that somebody asks:
 * that takes a second.
 */
export const h264Encoder = async ({ codecs }: EncoderParts): Promise<string | Fault> => {
  const { encoders, note } = await codecs.found()
  const encoder = encoders.find(({ codec }) => codec === 'h264')
  return encoder?.library ?? fault('codec.unavailable', `this device cannot encode H.264: ${note ?? NONE_WORKS}`)
}

const NONE_WORKS =
  'none of the encoders that FFmpeg’s libraries bring works here; GET /v1/streams/codecs lists what does'
