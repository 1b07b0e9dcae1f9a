// A device without videos.
import { PICTURE_CODECS } from '../../machines/codecs/codec.ts'
import type { CodecsPort } from './port.ts'

export const fakeCodecs = (): CodecsPort => ({
  found: async () => ({
    ...PICTURE_CODECS,
    note: 'These engines make their frames up: no videos are written or read.',
  }),
  whyNoVideos: () => null, // they are made up as well
})
