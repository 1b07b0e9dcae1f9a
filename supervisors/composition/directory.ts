// Who is alive, as the directory tells it: it asks the supervisor.
import type { Directory, Part } from '../../actors/directory.ts'
import type { ActorName, ActorNamed } from '../../machines/supervision/actors.ts'
import type { Supervisor } from '../supervision/supervisor.ts'

/** The part of a directory that the supervisor knows. */
export const actorsOf = (supervisor: Supervisor): Pick<Directory, 'actor' | 'parts'> => {
  const actor = <Name extends ActorName>(name: Name) => supervisor.actor(name) as ActorNamed<Name> | undefined
  const parts = (): readonly Part[] =>
    supervisor.children().map(({ id, state, since_ms, restarts, fault }) => {
      const snapshot = supervisor.actor(id)?.getSnapshot() as Seen | undefined
      return {
        name: id,
        state: state === 'running' && snapshot ? nameOfState(snapshot.value) : state,
        since_ms,
        restarts,
        fault: snapshot ? (snapshot.context.fault ?? null) : fault, // that of the latest crash is over when it runs again
      }
    })
  return { actor, parts }
}

interface Seen {
  readonly value: unknown
  readonly context: { readonly fault?: Part['fault'] }
}

/** `live`, or `session.connected` for a state within a state. */
const nameOfState = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Object.entries(value as object)
        .map(([outer, inner]) => `${outer}.${nameOfState(inner)}`)
        .join(' ')
