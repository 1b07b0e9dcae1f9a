// A system without a bus, as a laptop is: nobody can be asked.
import * as Effect from 'effect/Effect'
import type { DbusPort } from './port.ts'

export const fakeDbus: DbusPort = {
  connect: Effect.fail({ kind: 'no-bus', name: null, text: 'there is no system bus' }),
}
