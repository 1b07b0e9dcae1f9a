// The ways in which pictures are written and read on this device.

import type { Static } from 'typebox'
import { oneLine } from '../schema/one-line.ts'
import Type from '../schema/type.ts'

const strict = { additionalProperties: false } as const

/** media_type: of what is written or read. library: who does it. */
export const Codec = Type.Object(
  {
    codec: Type.Enum(['jpeg', 'png', 'mjpeg', 'h264', 'h265'], {
      title: 'CodecName',
      description: 'What is written or read.',
    }),
    media_type: Type.String(),
    library: Type.String({ description: 'Who does it; of several, the first is used.' }),
    hardware: Type.Boolean({
      description: 'Whether a part of the device does it that is made for it; else the processor.',
    }),
  },
  { ...strict, title: 'Codec', description: 'A way in which pictures are written or read, that works on this device.' },
)
export type Codec = Static<typeof Codec>

/** note: what is missing, and what to do. */
export const Codecs = Type.Object(
  {
    encoders: Type.Array(Codec),
    decoders: Type.Array(Codec),
    note: Type.Union([Type.String(), Type.Null()], { description: 'What is missing, and what to do; null: nothing.' }),
  },
  {
    ...strict,
    title: 'Codecs',
    description: oneLine`
      The ways in which pictures are written and read here. Those of videos were tried, not looked up: each has worked
      once.
    `,
  },
)
export type Codecs = Static<typeof Codecs>

const jpeg: Codec = { codec: 'jpeg', media_type: 'image/jpeg', library: 'libjpeg-turbo', hardware: false }
const png: Codec = { codec: 'png', media_type: 'image/png', library: 'libpng', hardware: false }

/** The codecs of single pictures, which every engine has. */
export const PICTURE_CODECS: Pick<Codecs, 'encoders' | 'decoders'> = { encoders: [jpeg], decoders: [jpeg, png] }

/** The media type of what a codec of videos writes. */
export const MEDIA_TYPES = { mjpeg: 'video/x-motion-jpeg', h264: 'video/h264', h265: 'video/h265' } as const
