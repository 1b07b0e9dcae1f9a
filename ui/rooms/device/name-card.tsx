// The name of the device. Under another name it has another address, so the page says where it goes, and how one gets
// back.
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { api, ask } from '../../api/client.ts'
import { Alert, Button, Card, Dialog, Field, ProblemNote, WriteNote } from '../../parts/parts.tsx'
import { hostname } from '../../state/device.ts'
import { useKnown } from '../../state/live.ts'
import { useWrite } from '../../state/write.ts'

const NAME_PATTERN = '[A-Za-z0-9]([A-Za-z0-9\\-]{0,61}[A-Za-z0-9])?'

/**
 * The address of this page when the device has another name; undefined: it stays as it is, as where somebody has come
 * by a number.
 */
const addressUnder = (name: string, previous: string): string | undefined => {
  const { protocol, hostname: host, port } = location
  const [first = '', ...rest] = host.split('.')
  if (first.toLowerCase() !== previous.toLowerCase()) return undefined
  return `${protocol}//${[name.toLowerCase(), ...rest].join('.')}${port && `:${port}`}/device?was=${previous}`
}

interface ChangeProps {
  readonly from: string
  readonly to: string
  readonly onClose: () => void
  readonly onCarryOut: () => void
}

/** What becomes of it, before it does. */
const ChangeDialog = ({ from, to, onClose, onCarryOut }: ChangeProps) => {
  const address = addressUnder(to, from)
  return (
    <Dialog title={`Call it ${to}?`} onClose={onClose}>
      <p>
        Under the name {from} it is not found any more. Robot programs and other devices that call it so have to be
        changed.
      </p>
      {address ? (
        <p>
          This page takes you to <code>{address.split('/device')[0]}</code>. There one has to sign in again, where that
          is wanted.
        </p>
      ) : (
        <p>
          The address of this page stays as it is. The device is found as <code>{to.toLowerCase()}.local</code>, too.
        </p>
      )}
      <div className="row">
        <Button kind="main" onClick={onCarryOut}>
          Change the name
        </Button>
        <Button onClick={onClose}>Leave it</Button>
      </div>
    </Dialog>
  )
}

/** The name, and the way to another one and back. */
export const NameCard = () => {
  const { value, problem } = useKnown(hostname)
  const [query, setQuery] = useSearchParams()
  const [draft, setDraft] = useState<string>()
  const [asked, setAsked] = useState<string>()
  const [goes, setGoes] = useState<string>()
  const { state, write } = useWrite()
  const now = value?.hostname ?? ''
  const was = query.get('was')

  const rename = async (name: string) => {
    setAsked(undefined)
    const address = addressUnder(name, now)
    const answer = await write(() => ask(api.POST('/v1/device/hostname', { body: { hostname: name } })))
    if (!answer.ok) return
    setDraft(undefined)
    if (address) setGoes(address)
    else setQuery({ was: now }, { replace: true })
  }
  return (
    <Card title="Name">
      <form
        className="card-body stack"
        onSubmit={(event) => {
          event.preventDefault()
          setAsked(draft)
        }}
      >
        {problem && <ProblemNote problem={problem} />}
        {was && was !== now && (
          <Alert tone="quiet" action={<Button onClick={() => setAsked(was)}>Call it {was} again</Button>}>
            It was called {was} before.
          </Alert>
        )}
        {goes !== undefined && (
          <Alert tone="busy">
            The device has its new name. It is found at <a href={goes}>{goes.split('/device')[0]}</a> in a moment.
          </Alert>
        )}
        <Field
          name="Name of the device"
          hint="Letters, digits and hyphens, up to 63. Each device in a network needs one of its own."
          note={<WriteNote state={state} />}
        >
          {(id, describedBy) => (
            <input
              id={id}
              className="input"
              value={draft ?? now}
              required
              maxLength={63}
              pattern={NAME_PATTERN}
              autoCapitalize="none"
              spellCheck={false}
              aria-describedby={describedBy}
              onChange={({ target }) => setDraft(target.value)}
            />
          )}
        </Field>
        <div className="row">
          <Button type="submit" disabled={draft === undefined || draft === now || state.state === 'pending'}>
            Change
          </Button>
          {draft !== undefined && <Button onClick={() => setDraft(undefined)}>Leave it as it is</Button>}
        </div>
      </form>
      {asked !== undefined && (
        <ChangeDialog from={now} to={asked} onClose={() => setAsked(undefined)} onCarryOut={() => void rename(asked)} />
      )}
    </Card>
  )
}
