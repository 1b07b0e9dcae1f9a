// One run of RAUC, from the order to its end. It tells of it by signals; where they do not come, because it is silent,
// has died or was started again, it is asked, and what it says is believed.
import * as Effect from 'effect/Effect'
import * as Queue from 'effect/Queue'
import type { Fault } from '../../../machines/errors/fault.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import { toFault } from '../../dbus/failure.ts'
import type { DbusConnection, DbusFailure, DbusSignal } from '../../dbus/port.ts'
import { changedProperties } from '../../dbus/properties.ts'
import { beginInstall, INSTALLER, RAUC, type RaucStatus, readOfRauc, readSlots } from './service.ts'

const DEFAULT_SILENCE_MS = 30_000 // it says nothing while it writes an image
const MAX_INSTALL_MS = 3_600_000 // a slow card and a large system; what takes longer hangs

/** What is installed, and how. */
export interface RaucInstall {
  readonly path: string
  /** Where it goes, as it was before. */
  readonly target: RaucStatus
  readonly onPercent: (percent: number) => void
  /** How long it may say nothing before it is asked. */
  readonly silenceMs?: number
}

type Told =
  | { readonly type: 'percent'; readonly percent: number }
  | { readonly type: 'completed'; readonly result: number }
  | { readonly type: 'gone' }

/**
 * Installs, and succeeds when the slot is written. RAUC cannot be stopped: an interruption waits until it has ended.
 * Fails with `device.failed`.
 */
export const installBundle = (connection: DbusConnection, install: RaucInstall): Effect.Effect<void, Fault> =>
  Effect.scoped(
    Effect.gen(function* () {
      const told = yield* Queue.unbounded<Told>()
      const tell = (event: Told) => void Queue.offerUnsafe(told, event)
      yield* Effect.mapError(
        connection.follow(RAUC, {
          signal: (signal) => {
            const event = toldBy(signal)
            if (event) tell(event)
          },
          owner: () => tell({ type: 'gone' }), // by another process, too: that one knows nothing of this
        }),
        toFault('RAUC cannot be listened to'),
      )
      const begin = Effect.mapError(beginInstall(connection, install.path), toFault('RAUC does not install the bundle'))
      const end = Effect.timeoutOrElse(Effect.raceFirst(waited(connection, install, told), lostWith(connection)), {
        duration: MAX_INSTALL_MS,
        orElse: () => Effect.fail(failed(`it has not ended within ${MAX_INSTALL_MS / 60_000} minutes`)),
      })
      // it has begun, perhaps, before the order is answered
      yield* Effect.uninterruptibleMask((restore) =>
        Effect.andThen(
          begin,
          Effect.onInterrupt(restore(end), () => Effect.ignore(end)),
        ),
      )
    }),
  )

const toldBy = (signal: DbusSignal): Told | undefined => {
  if (signal.interface === INSTALLER && signal.member === 'Completed')
    return { type: 'completed', result: Number(signal.body[0]) }
  const progress = changedProperties(signal, INSTALLER)?.Progress
  return Array.isArray(progress) ? { type: 'percent', percent: Number(progress[0]) } : undefined
}

const waited = (
  connection: DbusConnection,
  install: RaucInstall,
  told: Queue.Dequeue<Told>,
): Effect.Effect<void, Fault> =>
  Effect.gen(function* () {
    const { silenceMs = DEFAULT_SILENCE_MS, onPercent } = install
    let highest = 0 // it goes back to 0 when it has checked the bundle, and begins with writing it
    for (;;) {
      const event = yield* Effect.timeoutOrElse(Queue.take(told), {
        duration: silenceMs,
        orElse: () => Effect.succeed(null),
      })
      if (event?.type === 'percent') {
        highest = Math.max(highest, event.percent)
        onPercent(highest)
      } else if (event?.type === 'completed') {
        return event.result === 0 ? undefined : yield* Effect.fail(failed(yield* lastError(connection)))
      } else if (event?.type === 'gone') {
        return yield* Effect.fail(failed('its service ended in the middle of it'))
      } else if ((yield* asked(readOfRauc(connection, 'Operation'))) === 'idle') {
        return yield* endedUnheard(connection, install)
      }
    }
  })

/** What it says of the slot now is compared with what it said before. */
const endedUnheard = (connection: DbusConnection, { target }: RaucInstall): Effect.Effect<void, Fault> =>
  Effect.gen(function* () {
    const slots = yield* asked(readSlots(connection))
    const now = slots.find(({ name }) => name === target.name)
    const isWritten = now !== undefined && now.installs !== null && now.installs > (target.installs ?? 0)
    if (!isWritten) yield* Effect.fail(failed(yield* lastError(connection)))
  })

const lastError = (connection: DbusConnection): Effect.Effect<string, Fault> =>
  Effect.map(asked(readOfRauc(connection, 'LastError')), (text) => text || 'it does not say why')

const asked = <Value>(question: Effect.Effect<Value, DbusFailure>): Effect.Effect<Value, Fault> =>
  Effect.mapError(question, ({ text }) => failed(text))

const lostWith = (connection: DbusConnection): Effect.Effect<never, Fault> =>
  Effect.mapError(connection.lost, ({ text }) => failed(text))

const failed = (why: string): Fault => ({
  code: 'device.failed',
  detail: oneLine`
    RAUC did not install the system: ${why}. The system that runs is untouched, and stays; what is in the other slot
    cannot be used until an update succeeds
  `,
})
