// An area that needs more than every endpoint has: it names that by tokens, and its table is made of it.
import { type Given, type Needs, type Resolve, resolveNeeds } from '../../machines/token.ts'
import type { Area } from './endpoint.ts'

/** Makes an area for one server. all: every area of that server, once they are made. */
export type AreaMaker = (resolve: Resolve, all: () => readonly Area[]) => Area

/**
 * Declares an area by what it needs. Whatever it keeps beyond a request it makes itself, and ends with `close` of the
 * area.
 */
export const areaOf =
  <N extends Needs>(needs: N, make: (parts: Given<N>, all: () => readonly Area[]) => Area): AreaMaker =>
  (resolve, all) =>
    make(resolveNeeds(resolve, needs), all)
