// The devices that are trusted: they may do here what is meant for devices.
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { browserTimeOf } from '../../api/device-clock.ts'
import { Button, Card, Dialog, Empty, Pill, ProblemNote, WriteNote } from '../../parts/parts.tsx'
import { useKnown } from '../../state/live.ts'
import { ownIdentity, revokeTrust, type Trust, trusted } from '../../state/peers-trust.ts'
import { useWrite } from '../../state/write.ts'
import { fingerprintOf } from './describe.ts'
import { TrustDialog } from './trust-form.tsx'

const dayOf = (deviceMs: number): string =>
  new Date(browserTimeOf(deviceMs)).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })

const untilOf = ({ spec: { expires_at_ms } }: Trust): string =>
  expires_at_ms === null ? 'until it is revoked' : `until ${dayOf(expires_at_ms)}`

const RevokeDialog = ({ trust, onClose }: { readonly trust: Trust; readonly onClose: () => void }) => {
  const { state, write } = useWrite()
  const revoke = async () => {
    const answer = await write(() => revokeTrust(trust.id))
    if (!answer.ok) return
    trusted.refresh()
    onClose()
  }
  return (
    <Dialog title={`Trust ${trust.spec.name} no longer?`} onClose={onClose}>
      <p>
        Whatever it has open on this device is closed at once, and it may do nothing here any more until the two are
        paired again. This cannot be taken back.
      </p>
      <WriteNote state={state} />
      <div className="row">
        <Button kind="danger" disabled={state.state === 'pending'} onClick={() => void revoke()}>
          Revoke
        </Button>
        <Button onClick={onClose}>Keep it</Button>
      </div>
    </Dialog>
  )
}

const TrustedRow = ({ trust }: { readonly trust: Trust }) => {
  const { spec, status } = trust
  const [isAsking, setAsking] = useState(false)
  return (
    <li>
      <div className="grow">
        <div className="row">
          <strong>{spec.name}</strong>
          <Pill tone={status.state === 'trusted' ? 'good' : 'quiet'}>{status.state}</Pill>
        </div>
        <p className="hint">
          by its {status.by}, {untilOf(trust)}
        </p>
        {spec.fingerprint !== null && (
          <p className="hint peers-fingerprint">certificate {fingerprintOf(spec.fingerprint.slice(0, 16))}</p>
        )}
      </div>
      <Button aria-label={`Revoke the trust in ${spec.name}`} onClick={() => setAsking(true)}>
        Revoke
      </Button>
      {isAsking && <RevokeDialog trust={trust} onClose={() => setAsking(false)} />}
    </li>
  )
}

/** What the people at another device need who trust this one by hand. */
const OwnCertificate = () => {
  const { value, problem } = useKnown(ownIdentity)
  return (
    <div className="card-body">
      {problem && <ProblemNote problem={problem} />}
      {value && (
        <p className="hint">
          certificate of this device{' '}
          <span className="peers-fingerprint">{fingerprintOf(value.client_fingerprint)}</span>
        </p>
      )}
    </div>
  )
}

/** All of them. */
export const TrustedCard = () => {
  const { value, problem } = useKnown(trusted)
  const [isAdding, setAdding] = useState(false)
  return (
    <Card
      title="Trusted"
      side={
        <Button icon={<Plus size={16} aria-hidden />} onClick={() => setAdding(true)}>
          Trust by fingerprint
        </Button>
      }
    >
      {problem && <ProblemNote problem={problem} />}
      {value?.length === 0 && <Empty>No device is trusted yet. Pair one, and it stands here.</Empty>}
      <ul className="list">
        {value?.map((trust) => (
          <TrustedRow key={trust.id} trust={trust} />
        ))}
      </ul>
      <OwnCertificate />
      {isAdding && <TrustDialog onClose={() => setAdding(false)} />}
    </Card>
  )
}
