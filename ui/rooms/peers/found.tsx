// The devices that announce themselves or were found at an address, and looking for more.
import { Radar } from 'lucide-react'
import { useRef, useState } from 'react'
import { api, ask, type Documents, type Problem } from '../../api/client.ts'
import { Button, Card, Empty, Field, Pill, ProblemNote, WriteNote } from '../../parts/parts.tsx'
import { peers, session } from '../../state/device.ts'
import { useKnown, useKnownOf } from '../../state/live.ts'
import { type Candidate, found } from '../../state/peers-found.ts'
import { callDevice, pairing } from '../../state/peers-pairing.ts'
import { useWrite } from '../../state/write.ts'
import { canPair, fingerprintOf, kindOf } from './describe.ts'
import { Moved } from './moved.tsx'
import { VisionStreams } from './other-vision.tsx'
import { registerPeer } from './register.tsx'

/** What is found at an address, whether it announces itself or somebody looked there. */
interface Somebody {
  readonly name: string
  readonly base_url: string
  readonly kind: Documents['PeerKind'] | null
  readonly device_id: string | null
}

/**
 * Pairs it, or registers it: that is the same to who knows that one only, so the better one is offered first. isKnown:
 * it is registered.
 */
const WaysIn = ({ somebody, isKnown = false }: { readonly somebody: Somebody; readonly isKnown?: boolean }) => {
  const { name, base_url, kind } = somebody
  const mayAdminister = useKnownOf(session, ({ value }) => value?.may.includes('administer') ?? false)
  const { state, write } = useWrite()
  const isBusy = state.state === 'pending'
  const pair = async () => {
    await write(() => callDevice(base_url))
    pairing.refresh()
  }
  const mayBeNative = kind === 'native' || kind === null
  return (
    <>
      <div className="row">
        {mayBeNative && mayAdminister && canPair(base_url) && (
          <Button kind="main" aria-label={`Pair ${name}`} disabled={isBusy} onClick={() => void pair()}>
            Pair
          </Button>
        )}
        {mayAdminister && !isKnown && (
          <Button
            aria-label={`Register ${name}`}
            disabled={isBusy}
            onClick={() => void write(() => registerPeer({ base_url }))}
          >
            Register
          </Button>
        )}
      </div>
      <WriteNote state={state} />
    </>
  )
}

const CandidateRow = ({ candidate }: { readonly candidate: Candidate }) => {
  const { name, base_url, other_base_urls, kind, device_id, fingerprint, fingerprint_hint, found_by } = candidate
  const known = useKnownOf(
    peers,
    ({ value }) =>
      value?.find((peer) => device_id !== null && peer.device_id === device_id) ??
      value?.find((peer) => peer.base_url === base_url),
  )
  const shown = fingerprint ?? fingerprint_hint
  const title = name ?? base_url
  const somebody = { name: title, base_url, kind, device_id }
  return (
    <li>
      <div className="grow">
        <strong>{title}</strong>
        <p className="hint">
          {kind === null ? '' : `${kindOf(kind)}, `}
          {[base_url, ...other_base_urls].join(', ')},{' '}
          {found_by.includes('dns-sd') ? 'announces itself' : 'was looked at'}
        </p>
        {shown !== null && <p className="hint peers-fingerprint">certificate {fingerprintOf(shown.slice(0, 16))}</p>}
      </div>
      {known ? (
        <div>
          <Pill tone="peer">known as {known.name}</Pill>
          <Moved peer={known} candidate={candidate} />
          {known.fault?.code === 'peer.refuses_us' && <WaysIn somebody={somebody} isKnown />}
        </div>
      ) : (
        <div>
          <WaysIn somebody={somebody} />
        </div>
      )}
    </li>
  )
}

/** What became of a look at one address. */
interface Look {
  readonly at: string
  /** undefined: it is on its way. */
  readonly seen: Documents['PeerProbed'] | undefined
  readonly problem: Problem | undefined
}

const LookResult = ({ look: { at, seen, problem } }: { readonly look: Look }) => {
  if (problem) return <ProblemNote title={`${at}:`} problem={problem} />
  if (!seen) return <p>Looking at {at} ...</p>
  const { base_url, kind, hello, fault, fingerprint } = seen
  if (kind === null && fault) return <ProblemNote title={`Nobody is at ${base_url}.`} problem={fault} />
  const name = hello?.name ?? base_url
  return (
    <div className="stack">
      <p>
        <strong>{name}</strong> at {base_url}: {kindOf(kind)}
        {hello?.agreement && `, protocol ${hello.agreement.protocol_version}`}
        {fingerprint !== null && (
          <span className="hint peers-fingerprint"> certificate {fingerprintOf(fingerprint.slice(0, 16))}</span>
        )}
      </p>
      {fault && <ProblemNote problem={fault} />}
      {kind !== null && <WaysIn somebody={{ name, base_url, kind, device_id: hello?.device_id ?? null }} />}
      {kind === 'extvision' && <VisionStreams baseUrl={base_url} name={name} />}
    </div>
  )
}

/** Half of those that the device takes at a time: others look too. */
const AT_ONCE = 4

const lookOnce = async (at: string): Promise<Look> => {
  const answer = await ask(api.POST('/v1/peers/probe', { body: { base_url: at } }))
  return answer.ok ? { at, seen: answer.value, problem: undefined } : { at, seen: undefined, problem: answer.problem }
}

const LookAt = () => {
  const [text, setText] = useState('')
  const [looks, setLooks] = useState<readonly Look[]>([])
  const newest = useRef<readonly string[]>([])
  const put = (look: Look) => setLooks((before) => before.map((each) => (each.at === look.at ? look : each)))
  const lookAt = (addresses: readonly string[]) => {
    newest.current = addresses
    setLooks(addresses.map((at) => ({ at, seen: undefined, problem: undefined })))
    const waiting = addresses.values()
    const lookInTurn = async () => {
      for (const at of waiting) {
        const look = await lookOnce(at)
        if (newest.current !== addresses) return
        put(look)
      }
    }
    for (let n = 0; n < AT_ONCE; n++) void lookInTurn()
  }
  return (
    <div className="card-body stack">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const addresses = new Set(text.split(/[\s,]+/).filter((each) => each !== ''))
          lookAt([...addresses].map((each) => (each.includes('://') ? each : `http://${each}`)))
        }}
      >
        <Field
          name="Look at an address"
          hint="http://10.12.34.11:5800; several with blanks between. Nothing is changed."
        >
          {(id, describedBy) => (
            <div className="row peers-look">
              <input
                id={id}
                className="input grow"
                inputMode="url"
                required
                aria-describedby={describedBy}
                value={text}
                onChange={({ target }) => setText(target.value)}
              />
              <Button type="submit">Look</Button>
            </div>
          )}
        </Field>
      </form>
      <div aria-live="polite" className="stack">
        {looks.map((look) => (
          <LookResult key={look.at} look={look} />
        ))}
      </div>
    </div>
  )
}

const listening = ({ state, reason, announced_as }: Documents['DnsSdStatus']): string => {
  if (state === 'off') return `Nobody is listened for: ${reason}`
  if (state === 'starting') return 'It is being begun to listen for devices that announce themselves.'
  const own = announced_as === null ? '' : `; this one does as ${announced_as}`
  return `Devices that announce themselves show here${own}.`
}

/** All of them. */
export const FoundCard = () => {
  const { value, problem } = useKnown(found)
  const { state, write } = useWrite()
  const scan = async () => {
    await write(() => ask(api.POST('/v1/peers/discover', { body: {} })))
    found.refresh()
  }
  return (
    <Card
      title="Found"
      side={
        <Button icon={<Radar size={16} aria-hidden />} disabled={state.state === 'pending'} onClick={() => void scan()}>
          Ask around now
        </Button>
      }
    >
      {problem && <ProblemNote problem={problem} />}
      {state.state === 'refused' && (
        <div className="card-body">
          <ProblemNote problem={state.problem} />
        </div>
      )}
      {state.state === 'applied' && (
        <p className="card-body" role="status">
          All devices on this network were asked. Who answers shows here.
        </p>
      )}
      {value?.items.length === 0 && <Empty>No other device was found yet. {listening(value.discovery.dns_sd)}</Empty>}
      <ul className="list">
        {value?.items.map((candidate) => (
          <CandidateRow key={candidate.id} candidate={candidate} />
        ))}
      </ul>
      {(value?.items.length ?? 0) > 0 && value && <p className="card-body hint">{listening(value.discovery.dns_sd)}</p>}
      <LookAt />
    </Card>
  )
}
