// Who somebody is for the device, and what that one may do.

import type { Documents } from '../../api/client.ts'
import { Button, Card, ProblemNote } from '../../parts/parts.tsx'
import { session } from '../../state/device.ts'
import { useKnown } from '../../state/live.ts'
import { askForToken, signOut } from '../../state/sign-in.ts'

type Session = Documents['Session']

const PROFILES: Readonly<Record<Session['profile'], string>> = {
  bench: 'The device listens to its own machine alone. Nobody has to sign in.',
  field: `The device is open to its own network. From elsewhere, and for what changes the device itself, it takes its
    token.`,
  locked: 'The device is locked: everything but this page takes its token.',
}

const WHO: Readonly<Record<Session['identified_by'], string>> = {
  nothing: 'You are not signed in.',
  token: 'You are known by the token of the device.',
  session: 'You are signed in.',
  peer: 'You are known as a device that is trusted.',
}

const MAY: Readonly<Record<Session['may'][number], string>> = {
  read: 'see everything',
  operate: 'change streams, pipelines and settings',
  administer: 'change what the device is and whom it trusts',
  console: 'open a shell',
  peer: 'do what other devices do here',
}

const dateOf = (ms: number): string => new Date(ms).toLocaleDateString(undefined, { dateStyle: 'long' })

/** Signing in and out, and the rules of this device. */
export const SessionCard = () => {
  const { value, problem } = useKnown(session)
  const shown = value?.may.filter((each) => each !== 'peer') ?? []
  return (
    <Card title="Access">
      <div className="card-body stack">
        {problem && <ProblemNote problem={problem} />}
        {value && (
          <>
            <p>
              {WHO[value.identified_by]}
              {value.expires_at_ms !== null && ` That ends by itself on ${dateOf(value.expires_at_ms)}.`}
            </p>
            <p>{PROFILES[value.profile]}</p>
            <p>You may {shown.length > 0 ? shown.map((each) => MAY[each]).join(', ') : 'do nothing yet'}.</p>
            {value.profile !== 'bench' && (
              <>
                <div className="row">
                  {value.identified_by === 'session' ? (
                    <Button onClick={() => void signOut()}>Sign out</Button>
                  ) : (
                    <Button onClick={askForToken}>Sign in</Button>
                  )}
                </div>
                <p className="hint">
                  The token stands once in the log of the service, at its first start. Where it is lost: delete the file
                  administrator-token of its data directory and start the service again; the log has a new one, and the
                  old one and all sessions end.
                </p>
              </>
            )}
          </>
        )}
      </div>
    </Card>
  )
}
