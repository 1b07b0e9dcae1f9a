// The machine of updates with its effects: on the slots, the uploaded bundle and the record.
import type * as Duration from 'effect/Duration'
import * as Effect from 'effect/Effect'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Latest } from '../../machines/latest.ts'
import type { DeviceUse } from '../../machines/restart/device-use.ts'
import type { UpdateFigures } from '../../machines/update/progress.ts'
import type { RanBefore } from '../../machines/update/record.ts'
import { versionName } from '../../machines/update/release.ts'
import { restore } from '../../machines/update/restore.ts'
import type { UpdateEvent } from '../../machines/update/update-commands.ts'
import { type UpdateActions, updateMachine } from '../../machines/update/update-machine.ts'
import type { Recorded, UpdateEffects } from '../../machines/update/update-setup.ts'
import type { KnownVersion } from '../../machines/update/update-state.ts'
import type { BundleStore, OnProgress, UpdateBackend, VerifiedBundle } from '../../native/update/port.ts'
import { fromEffect, fromScoped } from '../run.ts'
import type { RecordKeeper } from './record-keeper.ts'

/** What the updater works with. */
export interface UpdateParts {
  readonly backend: UpdateBackend
  readonly store: BundleStore
  readonly keeper: RecordKeeper
  /** How far the present step is. */
  readonly progress: Latest<UpdateFigures>
  /** Tells what an update would interrupt, at once and when that changes; returns the way to stop. */
  readonly watchUse: (tell: (use: DeviceUse) => void) => () => void
  /** What runs now, and is to run again with the new version. */
  readonly ranBefore: () => RanBefore
  /** Looks what is not well; called again and again during a trial. */
  readonly health: (before: RanBefore | null) => Effect.Effect<readonly string[]>
  /** A second, if nothing is said. */
  readonly betweenLooks?: Duration.Input
  /** Enters a fault in the error history. */
  readonly record: (fault: Fault) => void
}

const DEFAULT_BETWEEN_LOOKS = '1 second'

/** Takes the commands of machines/update/update-commands.ts. */
export const updateActor = (parts: UpdateParts) => {
  const { backend, store, keeper, progress, watchUse, ranBefore, health, record } = parts
  const { betweenLooks = DEFAULT_BETWEEN_LOOKS } = parts
  const save = ({ draft }: Recorded) => keeper.save(draft)
  const begin = Effect.sync(() => progress.set({ bytes: 0, totalBytes: null }))
  const onProgress: OnProgress = (bytes, totalBytes) => progress.set({ bytes, totalBytes })
  return updateMachine.provide({
    actors: {
      restore: fromEffect(() =>
        Effect.gen(function* () {
          const kept = yield* store.kept
          progress.set({ bytes: kept?.offset ?? 0, totalBytes: kept?.bytes ?? null })
          return restore({ record: yield* keeper.load, slots: yield* backend.slots, kept })
        }),
      ),
      watchDevice: fromScoped<never, void, UpdateEvent>((_, { send, guard }) =>
        Effect.andThen(
          Effect.acquireRelease(
            Effect.sync(() => watchUse(guard((use) => send({ type: 'device.seen', ...use })))),
            (stop) => Effect.sync(stop),
          ),
          Effect.never,
        ),
      ),
      keep: fromEffect(({ forgetsBundle, ...recorded }: Recorded & { readonly forgetsBundle: boolean }) =>
        Effect.andThen(save(recorded), forgetsBundle ? store.clear : Effect.void),
      ),
      begin: fromEffect(({ announced, ...recorded }) =>
        Effect.andThen(Effect.andThen(begin, save(recorded)), store.begin(announced)),
      ),
      resume: fromEffect(({ id }: { readonly id: string }) =>
        Effect.andThen(
          store.endAppending,
          Effect.flatMap(store.kept, (kept) => (kept?.id === id ? Effect.succeed(kept) : Effect.fail(NOT_KEPT))),
        ),
      ),
      complete: fromEffect(({ id, ...recorded }) => Effect.andThen(store.complete(id), save(recorded))),
      verify: fromEffect((recorded: Recorded) =>
        Effect.gen(function* () {
          yield* begin
          yield* save(recorded)
          const bundle = yield* store.verify(onProgress)
          return offeredIn(bundle)
        }),
      ),
      install: fromEffect((recorded: Recorded) =>
        Effect.gen(function* () {
          yield* begin
          const bundle = yield* store.verify(() => {}) // it may have lain here for days
          const name = yield* backend.install(bundle, onProgress)
          yield* save({ draft: { ...recorded.draft, target: name } })
          return { name, slots: yield* backend.slots }
        }),
      ),
      activate: fromEffect(({ name, draft }) =>
        Effect.gen(function* () {
          const before = ranBefore()
          yield* save({ draft: { ...draft, before } })
          yield* backend.activate(name)
          return before
        }),
      ),
      restart: fromEffect((recorded: Recorded) => Effect.andThen(save(recorded), backend.restart)),
      undo: fromEffect(({ reason }: { readonly reason: string }) =>
        Effect.gen(function* () {
          const { running, chosen } = yield* backend.slots
          if (chosen !== running.name) yield* backend.goBack(reason)
          return yield* backend.slots
        }),
      ),
      watchHealth: fromScoped<never, Recorded, UpdateEvent>((recorded, { send }) =>
        Effect.andThen(
          Effect.ignore(save(recorded)),
          Effect.forever(
            Effect.andThen(
              Effect.map(health(recorded.draft.before), (missing) => send({ type: 'health.seen', missing })),
              Effect.sleep(betweenLooks),
            ),
          ),
        ),
      ),
      commit: fromEffect((recorded: Recorded) =>
        Effect.gen(function* () {
          yield* backend.commit
          yield* Effect.ignore(save(recorded)) // the slots say enough
          return yield* backend.slots
        }),
      ),
      goBack: fromEffect(({ reason, ...recorded }) =>
        Effect.ignore(save(recorded)).pipe(
          // where it cannot be written, the launcher goes back by itself after the next start
          Effect.andThen(Effect.catch(backend.goBack(reason), (fault) => Effect.sync(() => record(fault)))),
          Effect.andThen(backend.restart),
        ),
      ),
    } satisfies Required<UpdateEffects>,
    actions: { record: (_, fault) => record(fault) } satisfies Required<UpdateActions>,
  })
}

const NOT_KEPT: Fault = {
  code: 'update.no_upload',
  detail: 'the upload is not on the disk any more; begin another one',
}

const offeredIn = ({ manifest, sha256 }: VerifiedBundle): KnownVersion => ({
  name: versionName(manifest.version, sha256),
  version: manifest.version,
  built_at_ms: manifest.built_at_ms,
})
