// The last pictures of a stream, saved: a recording that begins with them and ends at once.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { rewindBytes } from '../../machines/stream/rewind.ts'
import { ask } from '../ask.ts'
import type { Directory } from '../directory.ts'
import type { StreamRuntime } from '../stream/stream-runtime.ts'

const LIMIT = '90 seconds' // to begin and to end, as over HTTP

/**
 * Saves all that the stream keeps. Fails with `recording.failed` or `actor.not_now` when it keeps nothing or is being
 * recorded, and as a recording does. It comes to its end whoever stops waiting for it.
 */
export const saveRewind = (
  { actor }: Pick<Directory, 'actor'>,
  stream: Pick<StreamRuntime, 'id' | 'manifest'>,
): Effect.Effect<void, Fault> =>
  Effect.suspend(() => {
    if (rewindBytes(stream.manifest) === 0) return Effect.fail(keepsNothing(stream.id))
    const recording = actor(`recordings/${stream.id}`)
    if (!recording) return Effect.fail(notNow)
    const order = { type: 'recording.start', name: null, rewinds: true, endsAtOnce: true, library: null } as const
    return Effect.flatMap(ask(recording, order, LIMIT), (reply) =>
      reply.outcome === 'done' ? Effect.void : Effect.fail(reply.fault),
    )
  })

const keepsNothing = (id: string): Fault => ({
  code: 'recording.failed',
  detail: `the stream ${id} keeps none of its pictures; give it \`rewind\` in its manifest`,
})

const notNow: Fault = {
  code: 'actor.unavailable',
  detail: 'the recordings are being started; try it again in a moment',
}
