// The directory of running actors: it asks the supervisor.
import type { Directory, Part } from '../../actors/directory.ts'
import type { ActorName, ActorNamed } from '../../machines/supervision/actors.ts'
import { findPresent } from '../../machines/supervision/child.ts'
import type { Supervisor } from '../supervision/supervisor.ts'

/** The part of a directory that the supervisor knows. */
export const actorsOf = (supervisor: Supervisor): Pick<Directory, 'actor' | 'parts'> => {
  const actor = <Name extends ActorName>(name: Name) => supervisor.actor(name) as ActorNamed<Name> | undefined
  const parts = (): readonly Part[] =>
    supervisor.children().map((child) => {
      const { state, fault } = findPresent(child, supervisor.snapshot(child.id))
      return { name: child.id, state, since_ms: child.since_ms, restarts: child.restarts, fault }
    })
  return { actor, parts }
}
