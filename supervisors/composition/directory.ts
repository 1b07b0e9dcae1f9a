// The directory of running actors: it asks the supervisor.
import type { Directory, Part } from '../../actors/directory.ts'
import type { ActorName, ActorNamed } from '../../machines/supervision/actors.ts'
import { type ChildStatus, findPresent } from '../../machines/supervision/child.ts'
import type { Supervisor } from '../supervision/supervisor.ts'

/** The part of a directory that the supervisor knows. */
export const actorsOf = (supervisor: Supervisor): Pick<Directory, 'actor' | 'parts'> => {
  const actor = <Name extends ActorName>(name: Name) => supervisor.actor(name) as ActorNamed<Name> | undefined
  const parts = () => supervisor.children().map((child) => partOf(supervisor, child))
  return { actor, parts }
}

/** A child as health shows it; undefined: there is none of this id. */
export const partNamed = (supervisor: Supervisor, id: string): Part | undefined => {
  const child = supervisor.status(id)
  return child && partOf(supervisor, child)
}

const partOf = (supervisor: Supervisor, child: ChildStatus): Part => {
  const { state, fault } = findPresent(child, supervisor.snapshot(child.id))
  return { name: child.id, state, since_ms: child.since_ms, restarts: child.restarts, fault }
}
