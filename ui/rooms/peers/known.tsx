// The devices that are registered here, with how the link to each is.
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { browserTimeOf } from '../../api/device-clock.ts'
import { Age, Button, Card, Empty, Figure, Figures, ProblemNote, State } from '../../parts/parts.tsx'
import { peers } from '../../state/device.ts'
import { useForgotten } from '../../state/forgotten.ts'
import { useKnown } from '../../state/live.ts'
import { forgetPeer, forgottenPeers } from '../../state/peers-forgotten.ts'
import { counted } from '../../words.ts'
import { kindOf, mayOf, type Peer, peerAddress } from './describe.ts'
import { RegisterDialog } from './register.tsx'

/** How old is what is known of a device whose link is gone. */
export const StaleMark = ({ peer }: { readonly peer: Peer }) => {
  const { stale, integration, health, synced_at_ms } = peer
  if (!stale || integration === 'legacy' || integration === 'custom' || integration === 'extvision') return null
  const sinceMs = health.last_seen_ms ?? synced_at_ms
  return (
    <State state="stale">
      {sinceMs === null ? (
        'not heard yet'
      ) : (
        <>
          as it was <Age sinceMs={browserTimeOf(sinceMs)} /> ago
        </>
      )}
    </State>
  )
}

const KnownPeer = ({ peer }: { readonly peer: Peer }) => {
  const { id, name, base_url, status, integration, protocol_version, health, fault, stale, streams } = peer
  const isNative = integration === 'native' || integration === null
  return (
    <li className="peers-known">
      <div className="grow">
        <div className="row">
          <h3>
            <Link href={peerAddress(id)}>{name}</Link>
          </h3>
          <State state={status} />
          <StaleMark peer={peer} />
        </div>
        <p className="hint">
          {kindOf(integration)} at {base_url}
          {isNative && `, ${counted(streams.length, 'stream')}`}
        </p>
        {isNative && (
          <div className={stale ? 'is-old' : undefined}>
            <Figures>
              <Figure name="round trip" value={health.round_trip_ms} digits={1} unit="ms" />
              <Figure name="protocol" value={protocol_version ?? '–'} />
            </Figures>
            <p className="hint">This device may {mayOf(peer)}.</p>
          </div>
        )}
        {fault && <ProblemNote problem={fault} />}
      </div>
      <Button
        kind="plain"
        icon={<Trash2 size={16} aria-hidden />}
        aria-label={`Forget ${name}`}
        onClick={() => forgetPeer(id, name)}
      />
    </li>
  )
}

/** All of them. */
export const KnownCard = () => {
  const { value, problem } = useKnown(peers)
  const { ids } = useForgotten(forgottenPeers)
  const [isRegistering, setRegistering] = useState(false)
  const shown = value?.filter(({ id }) => !ids.includes(id))
  const register = (
    <Button icon={<Plus size={16} aria-hidden />} onClick={() => setRegistering(true)}>
      Register by address
    </Button>
  )
  return (
    <Card title="Known" side={register}>
      {problem && <ProblemNote problem={problem} />}
      {shown?.length === 0 && (
        <Empty>No other device is known yet. Pair one, register one that was found, or type its address.</Empty>
      )}
      <ul className="list">
        {shown?.map((peer) => (
          <KnownPeer key={peer.id} peer={peer} />
        ))}
      </ul>
      {isRegistering && <RegisterDialog onClose={() => setRegistering(false)} />}
    </Card>
  )
}
