// The keeper of the media, with its effects: what it does, the store does.
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import { type MediaEffects, type MediaEvent, mediaMachine } from '../../machines/media/media-machine.ts'
import type { MediaStore } from '../../native/media/port.ts'
import { answerOrFail, fromEffect, fromScoped } from '../run.ts'
import { untilSo } from '../until-heard.ts'

/** What the keeper works with. */
export interface MediaActorParts {
  readonly store: Pick<MediaStore, 'reconcile' | 'isWriting' | 'keepRoom' | 'finishLeft' | 'carryOut' | 'news'>
  /** Enters a fault in the error history. */
  readonly record: (fault: Fault) => void
  /** At the room, while something is written; default: a second. */
  readonly lookEveryMs?: number
}

const LOOK_EVERY_MS = 1_000 // a camera records 10 MB in it, and the reserve has 256

const FINISH_EVERY_LOOKS = 15 // as for everything that failed

/** Takes the orders of machines/media/orders.ts. */
export const mediaActor = ({ store, record, lookEveryMs = LOOK_EVERY_MS }: MediaActorParts) => {
  return mediaMachine.provide({
    actors: {
      reconcile: fromEffect(() =>
        answerOrFail(() => store.reconcile()).pipe(
          Effect.tapError((fault) => Effect.sync(() => record(fault))),
          Effect.map((mended) => mended.forEach(record)),
        ),
      ),
      watchSpace: fromScoped<never, void, MediaEvent>((_, { send }) => {
        let before: Fault | null = null
        let looks = 0
        const look = Effect.map(
          Effect.promise(() => store.keepRoom()),
          (fault) => {
            if ((fault === null) === (before === null)) return
            if (fault) record(fault)
            before = fault
            send({ type: 'space.changed', fault })
          },
        )
        const untilWriting = untilSo(
          (changed) => store.news.add(changed),
          () => store.isWriting || before !== null,
        )
        const finish = Effect.suspend(() => {
          looks += 1
          return looks % FINISH_EVERY_LOOKS === 0 ? Effect.promise(() => store.finishLeft()) : Effect.void
        })
        // The device is not woken while nothing is written; the look after the last writing says that there is room
        // again.
        return Effect.forever(
          untilWriting.pipe(Effect.andThen(Effect.sleep(lookEveryMs)), Effect.andThen(look), Effect.andThen(finish)),
        )
      }),
      carryOut: fromEffect(({ ask: _, ...change }) => answerOrFail(() => store.carryOut(change))),
    } satisfies Required<MediaEffects>,
  })
}
