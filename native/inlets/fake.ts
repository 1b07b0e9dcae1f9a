// Inlets that nobody can ask: a fake engine has pictures of its own.
import * as Effect from 'effect/Effect'
import type { InletPort } from './port.ts'

export const fakeInlets = (): InletPort => ({
  open: () => Effect.succeed('http://127.0.0.1/?key=none'),
})
