// The codecs of this device, found out by a program that tries each: what FFmpeg's libraries list, they list on every
// machine.

import { existsSync } from 'node:fs'
import * as Effect from 'effect/Effect'
import { type Codec, type Codecs, MEDIA_TYPES, PICTURE_CODECS } from '../../machines/codecs/codec.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { projectPath } from '../files/project-root.ts'
import { jsonLines, runProgram } from '../programs/run.ts'
import type { CodecsPort } from './port.ts'

const PROGRAM = projectPath('native/libav/build/codecs')

const NOT_THERE = oneLine`
  Videos are neither written nor read, as FFmpeg’s libraries are missing; install libavformat-dev and libavcodec-dev,
  then start the service again.
`

/**
 * What is found is kept: it takes a second of the processor, and hardware does not come and go. program: says what
 * works, one JSON object a line.
 */
export const linuxCodecs = (program = PROGRAM): CodecsPort => {
  const isThere = existsSync(program) // once: what is installed counts from the next start on
  let known: Promise<Codecs> | undefined
  const find = async (): Promise<Codecs> => {
    if (!isThere) return { ...PICTURE_CODECS, note: NOT_THERE }
    return Effect.runPromise(
      Effect.match(Effect.flatMap(runProgram(program), codecsIn), {
        onSuccess: (codecs) => codecs,
        onFailure: ({ detail }) => {
          known = undefined // it may work the next time
          return { ...PICTURE_CODECS, note: `Which videos can be written and read is not known: ${detail}.` }
        },
      }),
    )
  }
  return {
    whyNoVideos: () => (isThere ? null : NOT_THERE),
    found: () => {
      known ??= find()
      return known
    },
  }
}

interface Line extends Pick<Codec, 'library' | 'hardware'> {
  readonly kind: 'encoder' | 'decoder'
  readonly codec: keyof typeof MEDIA_TYPES
}

/** Hardware comes first: it leaves the processor to the vision. */
const codecsIn = (output: string): Effect.Effect<Codecs, Fault> => Effect.map(jsonLines<Line>('codecs', output), listed)

const listed = (lines: readonly Line[]): Codecs => {
  const those = (kind: Line['kind']): readonly Codec[] =>
    lines
      .filter((line) => line.kind === kind)
      .map(({ codec, library, hardware }) => ({ codec, media_type: MEDIA_TYPES[codec], library, hardware }))
      .sort((one, other) => Number(other.hardware) - Number(one.hardware))
  return {
    encoders: [...PICTURE_CODECS.encoders, ...those('encoder')],
    decoders: [...PICTURE_CODECS.decoders, ...those('decoder')],
    note: null,
  }
}
