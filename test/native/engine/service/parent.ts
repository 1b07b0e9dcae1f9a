// A control process of its own: starts an engine with a camera, says the engine's process id, and stays until it is
// killed.
import * as Effect from 'effect/Effect'
import * as Scope from 'effect/Scope'
import type { Result } from '../../../../machines/engine/result.ts'
import { Latest } from '../../../../machines/latest.ts'
import { engineProcesses } from '../../../../native/engine/service/engines.ts'
import { engineTask, smallCamera } from '../../../support/engine/engine-task.ts'

const sinks = { results: new Latest<Result>(), picture: () => {} }
const engine = await Effect.runPromise(Scope.provide(engineProcesses().spawn('orphan', sinks), Scope.makeUnsafe()))
await Effect.runPromise(engine.open(engineTask(smallCamera)))
console.log(engine.pid)
