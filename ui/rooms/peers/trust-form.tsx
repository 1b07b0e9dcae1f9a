// Trusts a device without pairing: by the fingerprint of its certificate, or by a token that is made for it.
import { useState } from 'react'
import { Button, Dialog, Field, WriteNote } from '../../parts/parts.tsx'
import { trustDevice, trusted } from '../../state/peers-trust.ts'
import { useWrite } from '../../state/write.ts'
import { fingerprintIn } from './describe.ts'

/** The token, which is told only this once. */
const Told = ({
  name,
  token,
  onClose,
}: {
  readonly name: string
  readonly token: string
  readonly onClose: () => void
}) => (
  <div className="stack">
    <p>
      Give this token to {name}: on its page, under Peers, it is entered with the address of this device. It is shown
      only now.
    </p>
    <output className="peers-fingerprint" aria-label="The token">
      {token}
    </output>
    <div className="row">
      <Button kind="main" onClick={onClose}>
        I have it
      </Button>
    </div>
  </div>
)

const HINT = `64 hex digits: on the page of that device, under Peers, “certificate of this device”. Left empty, a token
is made for it instead.`

/** The form, over the page. */
export const TrustDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { state, write } = useWrite()
  const [name, setName] = useState('')
  const [fingerprint, setFingerprint] = useState('')
  const [token, setToken] = useState<string>()
  const trust = async () => {
    const given = fingerprintIn(fingerprint)
    const answer = await write(() => trustDevice({ name: name.trim(), ...(given !== '' && { fingerprint: given }) }))
    if (!answer.ok) return
    trusted.refresh()
    if (answer.value.token === null) onClose()
    else setToken(answer.value.token)
  }
  return (
    <Dialog title="Trust a device" onClose={onClose}>
      {token !== undefined ? (
        <Told name={name.trim()} token={token} onClose={onClose} />
      ) : (
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault()
            void trust()
          }}
        >
          <p>Pairing does this on both devices at once. Here one says it for this device alone.</p>
          <Field name="Its name">
            {(id) => (
              <input
                id={id}
                className="input"
                required
                maxLength={120}
                value={name}
                onChange={({ target }) => setName(target.value)}
              />
            )}
          </Field>
          <Field name="Fingerprint of its certificate" hint={HINT}>
            {(id, describedBy) => (
              <input
                id={id}
                className="input"
                autoComplete="off"
                spellCheck={false}
                aria-describedby={describedBy}
                value={fingerprint}
                onChange={({ target }) => setFingerprint(target.value)}
              />
            )}
          </Field>
          <WriteNote state={state} />
          <div className="row">
            <Button type="submit" kind="main" disabled={state.state === 'pending'}>
              {fingerprintIn(fingerprint) === '' ? 'Make a token' : 'Trust it'}
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}
