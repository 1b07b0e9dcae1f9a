// Engines as child processes: whatever native code does to its process, the control process goes on. A child lives as
// long as its scope.
import * as Effect from 'effect/Effect'
import { type EngineLimits, LIMITS } from '../../../machines/engine/health.ts'
import type { EnginePort } from '../port.ts'
import { startChild } from './child.ts'
import { engineClient } from './client.ts'
import { Conversation } from './conversation.ts'
import { withHangLimit } from './hang-limit.ts'
import { endLeftEngines } from './left-engines.ts'
import { EngineHandover } from './viewer-handover.ts'

/**
 * Real engines.
 *
 * limits: how long each thing may take. folder: where the models lie that their pipelines run; without, they run none.
 */
export const engineProcesses = (limits: EngineLimits = LIMITS, folder?: string): EnginePort => ({
  endLeft: folder === undefined ? Effect.succeed([]) : Effect.promise(() => endLeftEngines(folder)),
  spawn: (name, sinks) =>
    Effect.gen(function* () {
      const conversation = new Conversation(sinks)
      const { child, handover } = yield* Effect.acquireRelease(
        Effect.map(startChild(name, conversation, folder), (started) => {
          conversation.handover = started.records && new EngineHandover(started, started.records)
          return { child: started, handover: conversation.handover }
        }),
        (started) =>
          Effect.andThen(
            started.child.end,
            Effect.sync(() => started.handover?.close()),
          ),
      )
      yield* withHangLimit(conversation.ready, { pid: child.pid, threads: 'all', limits: limits.start }, (why) => ({
        code: 'engine.unavailable',
        detail: `The vision engine did not start: ${why}. The machine may be overloaded.`,
      }))
      return { ...engineClient(child, conversation, limits), handover: handover ?? null }
    }),
})
