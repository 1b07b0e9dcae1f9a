// One other device: how the link to it is, its streams beside those of this one, and what else it has.
import { Trash2 } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { browserTimeOf } from '../../api/device-clock.ts'
import { Age, Button, Card, Empty, Figure, Figures, Pill, ProblemNote, State } from '../../parts/parts.tsx'
import { peers } from '../../state/device.ts'
import { useKnown } from '../../state/live.ts'
import { forgetPeer } from '../../state/peers-forgotten.ts'
import { decides, fingerprintOf, kindOf, mayOf, type Peer } from './describe.ts'
import { StaleMark } from './known.tsx'
import { MovedPeer } from './moved.tsx'
import { UrlStreamRow, VisionStreams } from './other-vision.tsx'
import { PeerHas } from './peer-has.tsx'
import { StreamsBeside } from './streams-beside.tsx'

const LinkCard = ({ peer }: { readonly peer: Peer }) => {
  const { base_url, integration, protocol_version, health, fault, fingerprint, has_token, authority, name } = peer
  return (
    <Card
      title="Link"
      side={
        <a href={base_url} rel="noreferrer">
          Its own page
        </a>
      }
    >
      <div className="card-body stack">
        {fault && <ProblemNote problem={fault} />}
        <MovedPeer peer={peer} />
        <Figures>
          <Figure name="round trip" value={health.round_trip_ms} digits={1} unit="ms" />
          <Figure
            name="heard"
            value={health.last_seen_ms === null ? '–' : ''}
            {...(health.last_seen_ms !== null &&
              peer.status !== 'linked' && {
                under: (
                  <>
                    <Age sinceMs={browserTimeOf(health.last_seen_ms)} /> ago
                  </>
                ),
              })}
            {...(peer.status === 'linked' && { under: 'all the time' })}
          />
          <Figure name="protocol" value={protocol_version ?? '–'} />
        </Figures>
        <p>
          {kindOf(integration)} at {base_url}. This device may {mayOf(peer)}. Of its streams {decides(authority, name)}.
        </p>
        {fingerprint !== null && <p className="hint peers-fingerprint">certificate {fingerprintOf(fingerprint)}</p>}
        {has_token && <p className="hint">It gave a token to this device.</p>}
      </div>
    </Card>
  )
}

/** Of a device of another kind: what was registered with it, and what it serves. */
const OtherKind = ({ peer }: { readonly peer: Peer }) => {
  const { integration, name, base_url, url_streams } = peer
  return (
    <Card title="Pictures that it serves">
      <div className="card-body stack">
        <p>
          It is no device of this kind, so nothing of it can be set here. Its pictures can be worked on here, each as a
          stream of this device.
        </p>
        {integration !== 'custom' && base_url.startsWith('http:') && <VisionStreams baseUrl={base_url} name={name} />}
      </div>
      {url_streams.length > 0 && (
        <ul className="list">
          {url_streams.map((stream) => (
            <UrlStreamRow key={stream.url} url={stream.url} name={stream.name ?? `${name} ${stream.url}`} />
          ))}
        </ul>
      )}
    </Card>
  )
}

const Found = ({ peer }: { readonly peer: Peer }) => {
  const [, go] = useLocation()
  const { id, name, status, integration } = peer
  const isNative = integration === 'native' || integration === null
  const forget = () => {
    forgetPeer(id, name)
    go('/peers')
  }
  return (
    <>
      <div className="page-head">
        <Link href="/peers">Peers</Link>
        <span aria-hidden>/</span>
        <h1>{name}</h1>
        <State state={status} />
        <StaleMark peer={peer} />
        {isNative && <Pill tone="peer">{decides(peer.authority, name)}</Pill>}
        <div className="right">
          <Button icon={<Trash2 size={16} aria-hidden />} onClick={forget}>
            Forget
          </Button>
        </div>
      </div>
      <LinkCard peer={peer} />
      {isNative ? (
        <>
          <StreamsBeside peer={peer} />
          <PeerHas peer={peer} />
        </>
      ) : (
        <OtherKind peer={peer} />
      )}
    </>
  )
}

/** The page. */
export const PeerPage = ({ id }: { readonly id: string }) => {
  const { value, problem } = useKnown(peers)
  const peer = value?.find((each) => each.id === id)
  if (peer) return <Found peer={peer} />
  return (
    <>
      <div className="page-head">
        <Link href="/peers">Peers</Link>
        <span aria-hidden>/</span>
        <h1>{id}</h1>
      </div>
      {problem && <ProblemNote problem={problem} />}
      {value && (
        <Card>
          <Empty action={<Link href="/peers">All peers</Link>}>There is no device of that name here any more.</Empty>
        </Card>
      )}
    </>
  )
}
