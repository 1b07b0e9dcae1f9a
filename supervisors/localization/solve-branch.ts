// What is solved from all cameras together: one child, and what others know of it.
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { IMU } from '../../actors/imu/tokens.ts'
import { localizationActor } from '../../actors/localization/localization-actor.ts'
import { LocalizationRuntime } from '../../actors/localization/localization-runtime.ts'
import { EXTERNAL_SAMPLES, LOCALIZATION, ROUND_SOLVER } from '../../actors/localization/tokens.ts'
import { NT4_LINK } from '../../actors/nt4/tokens.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { fieldMapsChanged, localizationStateChanged } from '../../machines/localization/events.ts'
import { FIELD_MAPS, MAP_HASH } from '../../machines/localization/field-map.ts'
import { LocalizationSolver } from '../../machines/localization/solve-rounds.ts'
import type { LocalizationState } from '../../machines/localization/state.ts'
import { token } from '../../machines/token.ts'
import { CLOCK } from '../../native/clock/port.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { ON_BUG, RECORD, supervision } from '../composition/tokens.ts'

const CHILD = 'localization'
const RUNTIME = token<LocalizationRuntime>('localization-runtime')

export const solveBranch = branch({
  events: [localizationStateChanged],
  offers: [
    offer(RUNTIME, { clock: CLOCK, onBug: ON_BUG }, ({ clock, onBug }) => {
      return new LocalizationRuntime(clock.monotonicUs, onBug(CHILD))
    }),
    offer(LOCALIZATION, { runtime: RUNTIME }, ({ runtime }) => runtime),
    offer(ROUND_SOLVER, {}, () => (by) => new LocalizationSolver(by)),
  ],
  needs: {
    ...supervision,
    directory: DIRECTORY,
    runtime: RUNTIME,
    streams: STREAM_REGISTRY,
    maps: FIELD_MAPS,
    hashOf: MAP_HASH,
    link: NT4_LINK,
    external: EXTERNAL_SAMPLES,
    imu: IMU,
    makeSolver: ROUND_SOLVER,
    record: RECORD,
  },
  start: ({ supervisor, lifecycle, onBug: _, directory, runtime, external, ...shared }) =>
    Effect.suspend(() => {
      const { clock, events, settings } = directory
      const onMaps = (listener: () => void) =>
        events.subscribe(({ kind }) => {
          if (kind === fieldMapsChanged.kind) listener()
        })
      const logic = () =>
        localizationActor({ ...shared, runtime, settings, clock, onMaps, measured: external.measured })
      const observe = () => {
        const value = supervisor.snapshot(CHILD)?.value as LocalizationState | undefined
        const state = supervisor.status(CHILD)?.state === 'running' && value ? value : DOWN
        if (state === runtime.state()) return
        runtime.setState(state)
        events.publish(localizationStateChanged, { resource_ref: {}, data: { state } })
      }
      lifecycle.add(({ id, type }) => {
        if (id !== CHILD || type === 'stopped') return
        if (type === 'started') supervisor.actor(CHILD)?.subscribe({ next: observe, complete: observe, error: observe })
        observe()
      })
      return supervisor.start({ id: CHILD, incarnate: Effect.sync(() => ({ logic: logic() })) })
    }),
})

/** While the child is started again nobody knows where the robot is. */
const DOWN = 'lost'
