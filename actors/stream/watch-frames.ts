// Whether frames come.
import * as Effect from 'effect/Effect'
import { isSilent, LOOK_EVERY_MS, lookedAgain, type Watched } from '../../machines/stream/stall.ts'
import type { StreamEvent } from '../../machines/stream/stream-machine.ts'
import type { Talk } from '../run.ts'
import type { StreamRuntime } from './stream-runtime.ts'

/**
 * Says when frames stop coming and when they come again. Frames themselves never enter the mailbox.
 *
 * Looks are counted, not time: whatever keeps this process from running keeps it from reading frames as well, and
 * before each look it reads those that came.
 */
export const watchFrames = (
  { meter, engine }: Pick<StreamRuntime, 'meter' | 'engine'>,
  { send, guard }: Pick<Talk<StreamEvent>, 'send' | 'guard'>,
): Effect.Effect<never> =>
  Effect.callback(() => {
    let watched: Watched = { frames: meter.frames, quietMs: 0 }
    let wasSilent = false
    const look = () => {
      watched = lookedAgain(watched, meter.frames)
      const silent = isSilent(watched, engine.opened.value?.fps)
      if (silent !== wasSilent) send({ type: silent ? 'frames.stopped' : 'frames.started' })
      wasSilent = silent
    }
    // A fibre that sleeps wakes up twice for each tick, and through much more code.
    const timer = setInterval(guard(look), LOOK_EVERY_MS)
    return Effect.sync(() => clearInterval(timer))
  })
