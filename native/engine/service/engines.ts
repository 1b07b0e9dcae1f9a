// Engines as child processes: whatever native code does to its process, the control process goes on. A child lives as long
// as its scope.
import * as Effect from 'effect/Effect'
import { type EngineLimits, LIMITS } from '../../../machines/engine/health.ts'
import type { EnginePort } from '../port.ts'
import { startChild } from './child.ts'
import { engineClient } from './client.ts'
import { Conversation } from './conversation.ts'
import { withHangLimit } from './hang-limit.ts'
import { endLeftEngines } from './left-engines.ts'
import { EngineDoor } from './viewer-handover.ts'

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
      const { child, door } = yield* Effect.acquireRelease(
        Effect.map(startChild(name, conversation, folder), (started) => {
          conversation.door = started.records && new EngineDoor(started, started.records)
          return { child: started, door: conversation.door }
        }),
        (started) =>
          Effect.andThen(
            started.child.end,
            Effect.sync(() => started.door?.close()),
          ),
      )
      yield* withHangLimit(conversation.ready, { pid: child.pid, threads: 'all', limits: limits.start }, (why) => ({
        code: 'engine.unavailable',
        detail: `The vision engine did not start: ${why}. The machine may be overloaded.`,
      }))
      return { ...engineClient(child, conversation, limits), door: door ?? null }
    }),
})
