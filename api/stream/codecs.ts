// The codecs of this device.

import { Codecs, PICTURE_CODECS } from '../../machines/codecs/codec.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import type { Given } from '../../machines/token.ts'
import { CODECS } from '../../native/codecs/port.ts'
import { read } from '../endpoints/read.ts'

/** The needs of rows of codecs. */
export const codecNeeds = {
  codecs: CODECS,
}
type CodecParts = Given<typeof codecNeeds>

export const codecRows = ({ codecs }: CodecParts) => [
  read('GET', '/v1/streams/codecs', {
    summary: 'Encoders and decoders of pictures and videos',
    about: oneLine`
      Found out by trying each, the first time that somebody asks; what is found stays until the service is restarted.
    `,
    answer: Codecs,
    example: { ...PICTURE_CODECS, note: null },
    get: () => codecs.found(),
  }),
]
