// The controls of the camera that a stream has open, for those who do not speak Effect.
import * as Effect from 'effect/Effect'
import type { Control, ControlOutcome } from '../../machines/engine/controls.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Engine } from '../../native/engine/port.ts'
import { answerOf } from '../run.ts'

/** Neither promise is ever rejected. list: read anew. set: writes one and reads it back. */
export interface CameraControls {
  readonly list: () => Promise<readonly Control[] | Fault>
  readonly set: (id: number, value: number) => Promise<ControlOutcome | Fault>
}

/** Of what an engine has open, as long as it is. told: of each that was set, with the value that was read back. */
export const controlsOf = (
  engine: Pick<Engine, 'controls' | 'setControl'>,
  told: (id: number, value: number) => void,
): CameraControls => ({
  list: () => answerOf(engine.controls),
  set: (id, value) =>
    answerOf(Effect.tap(engine.setControl(id, value), ({ applied }) => Effect.sync(() => told(id, applied)))),
})
