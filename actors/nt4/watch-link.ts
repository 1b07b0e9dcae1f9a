// Tells machines whose state follows the link to the robot of its changes.
import type { Latest } from '../../machines/latest.ts'
import type { Nt4Session } from '../../native/nt4/port.ts'
import { fromScoped, keep } from '../run.ts'

/** up: a session is ready, the first or another one in the place of one that was lost. */
type LinkEvent = { readonly type: 'link.up' } | { readonly type: 'link.down' }

/** The body of an effect that tells its machine of each turn of the link, and at once when there is one. */
export const watchLinkOf = (link: Latest<Nt4Session | undefined>) =>
  fromScoped<never, void, LinkEvent>((_, { send, guard }) =>
    keep(
      () => {
        const tell = guard((session: Nt4Session | undefined) => send({ type: session ? 'link.up' : 'link.down' }))
        const unsubscribe = link.subscribe(tell)
        if (link.value) tell(link.value)
        return unsubscribe
      },
      (unsubscribe) => unsubscribe(),
    ),
  )
