// The resource guard.
import * as Effect from 'effect/Effect'
import { askNow } from '../../actors/ask.ts'
import { DIRECTORY } from '../../actors/directory.ts'
import { guardActor } from '../../actors/guard/guard-actor.ts'
import { GuardView } from '../../actors/guard/guard-view.ts'
import { GUARD_VIEW } from '../../actors/guard/tokens.ts'
import { STREAM_REGISTRY } from '../../actors/stream/tokens.ts'
import { SYSTEM_METRICS } from '../../actors/system/tokens.ts'
import { guardStateChanged, streamGuarded } from '../../machines/guard/events.ts'
import type { guardMachine } from '../../machines/guard/guard-machine.ts'
import { guardCollection } from '../../machines/guard/settings-collection.ts'
import { guardStateOf } from '../../machines/guard/state-name.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { OPTIONS, RECORD, supervision } from '../composition/tokens.ts'

const CHILD = 'guard'

export const guardBranch = branch({
  collections: [guardCollection],
  events: [streamGuarded, guardStateChanged],
  offers: [offer(GUARD_VIEW, {}, () => new GuardView())],
  needs: {
    ...supervision,
    directory: DIRECTORY,
    streams: STREAM_REGISTRY,
    metrics: SYSTEM_METRICS,
    view: GUARD_VIEW,
    record: RECORD,
    options: OPTIONS,
  },
  start: ({ supervisor, lifecycle, directory, streams, metrics, view, record, options }) =>
    Effect.suspend(() => {
      const { clock, events, settings } = directory
      const stopRecording = (id: string) => {
        const actor = directory.actor(`recordings/${id}`)
        if (actor) void askNow(actor, { type: 'recording.stop' })
      }
      const logic = (): typeof guardMachine =>
        guardActor({ streams, clock, settings, events, metrics, view, record, stopRecording, isAllowed: options.guard })
      const observe = () => {
        const isRunning = supervisor.status(CHILD)?.state === 'running'
        const state = guardStateOf(isRunning ? supervisor.snapshot(CHILD)?.value : undefined)
        if (state === view.state) return
        view.state = state
        events.publish(guardStateChanged, { resource_ref: {}, data: { state } })
      }
      lifecycle.add(({ id, type }) => {
        if (id !== CHILD || type === 'stopped') return
        if (type === 'started') supervisor.actor(CHILD)?.subscribe({ next: observe, complete: observe, error: observe })
        observe()
      })
      return supervisor.start({ id: CHILD, incarnate: Effect.sync(() => ({ logic: logic() })) })
    }),
})
