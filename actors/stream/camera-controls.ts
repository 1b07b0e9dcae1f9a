// The controls of the camera that a stream has open, for those who do not speak Effect.
import * as Effect from 'effect/Effect'
import type { Control, ControlOutcome } from '../../machines/engine/controls.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Engine } from '../../native/engine/port.ts'
import { answerOf } from '../run.ts'

/** The controls of a camera. No promise of them is ever rejected. */
export interface CameraControls {
  /** Reads them all again. */
  readonly list: () => Promise<readonly Control[] | Fault>
  /** Writes one and reads it back. */
  readonly set: (id: number, value: number) => Promise<ControlOutcome | Fault>
}

/** Of what an engine has open, as long as it is. wasSet: of each that was set, with the value that was read back. */
export const controlsOf = (
  engine: Pick<Engine, 'controls' | 'setControl'>,
  wasSet: (id: number, value: number) => void,
): CameraControls => ({
  list: () => answerOf(engine.controls),
  set: (id, value) =>
    answerOf(Effect.tap(engine.setControl(id, value), ({ applied }) => Effect.sync(() => wasSet(id, applied)))),
})
