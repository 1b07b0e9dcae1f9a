// The health of the parts: that one fails or recovers is told.
import * as Effect from 'effect/Effect'
import { DIRECTORY } from '../../actors/directory.ts'
import { HealthNews } from '../../actors/health/health-news.ts'
import { healthChanged } from '../../machines/health/events.ts'
import { branch } from '../composition/branch.ts'
import { partNamed } from '../composition/directory.ts'
import { SHOWN, SUPERVISOR } from '../composition/tokens.ts'

export const healthBranch = branch({
  events: [healthChanged],
  needs: { directory: DIRECTORY, supervisor: SUPERVISOR, shown: SHOWN },
  start: ({ directory, supervisor, shown }) =>
    Effect.asVoid(
      Effect.acquireRelease(
        Effect.sync(() => {
          const news = new HealthNews({ directory })
          const stop = shown.add((id) => news.look(id, partNamed(supervisor, id)))
          return () => {
            stop()
            news.end()
          }
        }),
        (end) => Effect.sync(end),
      ),
    ),
})
