// Registers a device by its address.
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api, ask, type Documents } from '../../api/client.ts'
import { Button, Dialog, Field, WriteNote } from '../../parts/parts.tsx'
import { peers } from '../../state/device.ts'
import { useWrite } from '../../state/write.ts'
import { fingerprintIn, peerAddress } from './describe.ts'

type Registration = Documents['PeerRegistrationOrder']

/** From then on it is called, and linked where it is one of this kind. */
export const registerPeer = async (body: Registration) => {
  const answer = await ask<Documents['Peer']>(api.POST('/v1/peers', { body }))
  if (answer.ok) peers.refresh()
  return answer
}

/** The form, over the page. */
export const RegisterDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { state, write } = useWrite()
  const [, go] = useLocation()
  const [at, setAt] = useState('')
  const [name, setName] = useState('')
  const [token, setToken] = useState('')
  const [fingerprint, setFingerprint] = useState('')

  const register = async () => {
    const given = {
      ...(name.trim() !== '' && { name: name.trim() }),
      ...(token.trim() !== '' && { token: token.trim() }),
      ...(fingerprint.trim() !== '' && { fingerprint: fingerprintIn(fingerprint) }),
    }
    const answer = await write(() => registerPeer({ base_url: at.trim(), ...given }))
    if (!answer.ok) return
    onClose()
    go(peerAddress(answer.value.id))
  }
  return (
    <Dialog title="Register a device" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void register()
        }}
      >
        <Field name="Address" hint="http://10.12.34.11:5800, or https:// and its port of HTTPS">
          {(id, describedBy) => (
            <input
              id={id}
              className="input"
              inputMode="url"
              required
              aria-describedby={describedBy}
              value={at}
              onChange={({ target }) => setAt(target.value)}
            />
          )}
        </Field>
        <Field name="Name" hint="Left empty, what it calls itself.">
          {(id, describedBy) => (
            <input
              id={id}
              className="input"
              maxLength={60}
              aria-describedby={describedBy}
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        <details>
          <summary>A device that wants a token</summary>
          <div className="stack">
            <Field name="Token" hint="The one that it gave to this device. It is kept, and never shown.">
              {(id, describedBy) => (
                <input
                  id={id}
                  className="input"
                  type="password"
                  autoComplete="off"
                  aria-describedby={describedBy}
                  value={token}
                  onChange={({ target }) => setToken(target.value)}
                />
              )}
            </Field>
            <Field name="Fingerprint of its certificate" hint="64 hex digits. Left empty, that of who answers now.">
              {(id, describedBy) => (
                <input
                  id={id}
                  className="input"
                  autoComplete="off"
                  aria-describedby={describedBy}
                  value={fingerprint}
                  onChange={({ target }) => setFingerprint(target.value)}
                />
              )}
            </Field>
          </div>
        </details>
        <WriteNote state={state} />
        <div className="row">
          <Button type="submit" kind="main" disabled={state.state === 'pending'}>
            Register it
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  )
}
