// A registered device that is found at another address: it is registered there with one press, and stays who it is.
import { Button, WriteNote } from '../../parts/parts.tsx'
import { session } from '../../state/device.ts'
import { useKnownOf } from '../../state/live.ts'
import { type Candidate, found } from '../../state/peers-found.ts'
import { useWrite } from '../../state/write.ts'
import { canPair, type Peer } from './describe.ts'
import { registerPeer } from './register.tsx'

const LINKS: ReadonlySet<Peer['status']> = new Set(['synchronising', 'linked'])

/**
 * Where a device is found to which there is no link at the address by which it is known; undefined: nowhere else. One
 * that is known by its certificate has to show it there, which it does over TLS alone.
 */
const newAddressOf = (peer: Peer, candidate: Candidate): string | undefined => {
  if (candidate.device_id === null || candidate.device_id !== peer.device_id || LINKS.has(peer.status)) return undefined
  return [candidate.base_url, ...candidate.other_base_urls].find(
    (each) => each !== peer.base_url && (peer.fingerprint === null || canPair(each)),
  )
}

/** The device at the new address has to prove that it is the same one, and the peer keeps its name, token and trust. */
const UseAddress = ({ peer: { name, base_url }, address }: { readonly peer: Peer; readonly address: string }) => {
  const mayAdminister = useKnownOf(session, ({ value }) => value?.may.includes('administer') ?? false)
  const { state, write } = useWrite()
  return (
    <div>
      <p className="hint">
        There is no link to {name} at {base_url}. It says that it is at {address} now.
      </p>
      {mayAdminister && (
        <Button
          kind="main"
          aria-label={`Use this address for ${name}: ${address}`}
          disabled={state.state === 'pending'}
          onClick={() => void write(() => registerPeer({ base_url: address }))}
        >
          Use this address
        </Button>
      )}
      <WriteNote state={state} />
    </div>
  )
}

/** Offered where the device was found. Nothing where it has not moved. */
export const Moved = ({ peer, candidate }: { readonly peer: Peer; readonly candidate: Candidate }) => {
  const address = newAddressOf(peer, candidate)
  return address === undefined ? null : <UseAddress peer={peer} address={address} />
}

/** Offered where people look after the device. */
export const MovedPeer = ({ peer }: { readonly peer: Peer }) => {
  const candidate = useKnownOf(found, ({ value }) =>
    value?.items.find(({ device_id }) => device_id !== null && device_id === peer.device_id),
  )
  return candidate ? <Moved peer={peer} candidate={candidate} /> : null
}
