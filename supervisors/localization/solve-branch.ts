// What is solved from all cameras together: nothing yet.
import * as Effect from 'effect/Effect'
import { LOCALIZATION } from '../../actors/localization/tokens.ts'
import { Latest } from '../../machines/latest.ts'
import { localizationStateChanged } from '../../machines/localization/events.ts'
import type { Solved } from '../../machines/localization/solution.ts'
import { branch } from '../composition/branch.ts'
import { offer } from '../composition/container.ts'
import { ON_BUG } from '../composition/tokens.ts'

/** Nothing is solved. */
export const solveBranch = branch({
  events: [localizationStateChanged],
  offers: [
    offer(LOCALIZATION, { onBug: ON_BUG }, ({ onBug }) => ({
      solved: new Latest<Solved | undefined>(onBug('localization')),
      state: () => 'off' as const,
      streams: () => [],
      onChanged: () => () => {},
      rejected: () => ({}),
      map: () => null,
    })),
  ],
  needs: {},
  start: () => Effect.void,
})
