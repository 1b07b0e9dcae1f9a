// The last pictures of a stream, saved: a recording that begins with them and is stopped at once.
import * as Effect from 'effect/Effect'
import * as Fiber from 'effect/Fiber'
import { type ActorRefFrom, waitFor } from 'xstate'
import type { Fault, Reply } from '../../machines/errors/fault.ts'
import type { recordingMachine } from '../../machines/recording/recording-machine.ts'
import { rewindBytes } from '../../machines/stream/rewind.ts'
import { ask } from '../ask.ts'
import type { Directory } from '../directory.ts'
import type { StreamRuntime } from '../stream/stream-runtime.ts'

type Recording = ActorRefFrom<typeof recordingMachine>

const START_LIMIT = '30 seconds' // as over HTTP
const STOP_LIMIT = '60 seconds'

/**
 * Saves all that the stream keeps. Fails with `recording.failed` or `actor.not_now` when it keeps nothing or is being
 * recorded, and as a recording does. It comes to its end whoever stops waiting for it: a recording that nobody ends
 * would go on.
 */
export const saveRewind = (
  { actor }: Pick<Directory, 'actor'>,
  stream: Pick<StreamRuntime, 'id' | 'manifest'>,
): Effect.Effect<void, Fault> =>
  Effect.suspend(() => {
    if (rewindBytes(stream.manifest) === 0) return Effect.fail(keepsNothing(stream.id))
    const recording = actor(`recordings/${stream.id}`)
    if (!recording) return Effect.fail(notNow)
    const order = { type: 'recording.start', name: null, rewinds: true, library: null } as const
    const begun = Effect.tapError(done(ask(recording, order, START_LIMIT)), ({ code }) =>
      code === 'actor.timeout' ? Effect.forkDetach(endLate(recording)) : Effect.void,
    )
    const saved = Effect.andThen(begun, end(recording))
    return Effect.flatMap(Effect.forkDetach(saved), Fiber.join)
  })

const end = (recording: Recording): Effect.Effect<void, Fault> =>
  done(ask(recording, { type: 'recording.stop' }, STOP_LIMIT))

/** One that begins after the answer was given up is ended all the same: nobody else knows that it is to be. */
const endLate = (recording: Recording): Effect.Effect<void> =>
  Effect.ignore(
    Effect.andThen(
      Effect.tryPromise(() => waitFor(recording, ({ value }) => value !== 'starting')),
      end(recording),
    ),
  )

const done = (asked: Effect.Effect<Reply>): Effect.Effect<void, Fault> =>
  Effect.flatMap(asked, (reply) => (reply.outcome === 'done' ? Effect.void : Effect.fail(reply.fault)))

const keepsNothing = (id: string): Fault => ({
  code: 'recording.failed',
  detail: `the stream ${id} keeps none of its pictures; give it \`rewind\` in its manifest`,
})

const notNow: Fault = {
  code: 'actor.unavailable',
  detail: 'the recordings are being started; try it again in a moment',
}
