// Pairs this device with another one: both show a code, and people compare.
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { Documents } from '../../api/client.ts'
import { Button, Card, Field, Pill, ProblemNote, WriteNote } from '../../parts/parts.tsx'
import { useKnown } from '../../state/live.ts'
import {
  callDevice,
  confirmCode,
  endPairing,
  type PairingStep,
  pairing,
  waitForCall,
} from '../../state/peers-pairing.ts'
import { useWrite } from '../../state/write.ts'
import type { Tone } from '../../words.ts'
import { fingerprintOf, peerAddress } from './describe.ts'

type Pairing = Documents['Pairing']

const STATES: Readonly<Record<Pairing['state'], readonly [word: string, tone: Tone]>> = {
  closed: ['nobody is being paired', 'quiet'],
  open: ['waits to be called', 'busy'],
  calling: ['calling', 'busy'],
  waiting: ['called', 'busy'],
  comparing: ['compare the codes', 'busy'],
  confirmed: ['confirmed here', 'busy'],
  storing: ['confirmed on both', 'busy'],
  done: ['paired', 'good'],
  failed: ['failed', 'bad'],
}

/** `1:52 left`. */
const TimeLeft = ({ untilMs }: { readonly untilMs: number }) => {
  const [nowMs, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((untilMs - nowMs) / 1000))
  return (
    <span className="hint" role="timer">
      {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')} left
    </span>
  )
}

const Begin = () => {
  const { state, write } = useWrite()
  const [at, setAt] = useState('')
  const isBusy = state.state === 'pending'
  const send = async (order: () => ReturnType<typeof waitForCall>) => {
    await write(order)
    pairing.refresh()
  }
  return (
    <div className="stack">
      <p>Of two devices one waits, and the other one calls it. Both then show a code of six digits.</p>
      <div className="row">
        <Button kind="main" disabled={isBusy} onClick={() => void send(waitForCall)}>
          Wait to be called
        </Button>
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void send(() => callDevice(at.trim()))
        }}
      >
        <Field name="Or call the device at" hint="https:// with its port of HTTPS: https://10.12.34.11:5801">
          {(id, describedBy) => (
            <div className="row peers-look">
              <input
                id={id}
                className="input grow"
                inputMode="url"
                required
                aria-describedby={describedBy}
                value={at}
                onChange={({ target }) => setAt(target.value)}
              />
              <Button type="submit" disabled={isBusy}>
                Call it
              </Button>
            </div>
          )}
        </Field>
      </form>
      <WriteNote state={state} />
    </div>
  )
}

const Code = ({ code }: { readonly code: string }) => (
  <output className="peers-code" aria-label={`The code is ${code}`}>
    {code}
  </output>
)

/** Who is at the other end, as it says itself. */
const Other = ({ other, base_url }: Pick<Pairing, 'other' | 'base_url'>) => {
  if (!other) return base_url === null ? null : <p>Calling {base_url} ...</p>
  return (
    <p>
      {base_url === null ? 'Called by ' : 'Calling '}
      <strong>{other.name}</strong>
      {base_url !== null && ` at ${base_url}`}
      <span className="hint peers-fingerprint"> certificate {fingerprintOf(other.fingerprint.slice(0, 16))}</span>
    </p>
  )
}

const Comparing = ({ pairing: { code, other } }: { readonly pairing: Pairing }) => {
  const { state, write } = useWrite()
  if (code === null || !other) return null
  const isBusy = state.state === 'pending'
  const answer = async (order: () => ReturnType<typeof confirmCode> | ReturnType<typeof endPairing>) => {
    await write<unknown>(order)
    pairing.refresh()
  }
  return (
    <div className="stack">
      <Code code={code} />
      <p>Look at the page of {other.name}. Which code stands there?</p>
      <div className="row">
        <Button kind="main" disabled={isBusy} onClick={() => void answer(() => confirmCode(code))}>
          The same code
        </Button>
        <Button kind="danger" disabled={isBusy} onClick={() => void answer(endPairing)}>
          Another code
        </Button>
      </div>
      <p className="hint">Another code means that somebody stands between the two. Then nobody is trusted.</p>
      <WriteNote state={state} />
    </div>
  )
}

const Cancel = () => {
  const { state, write } = useWrite()
  return (
    <div className="row">
      <Button
        disabled={state.state === 'pending'}
        onClick={() => void write<unknown>(endPairing).then(() => pairing.refresh())}
      >
        Do not pair
      </Button>
      {state.state === 'refused' && <ProblemNote problem={state.problem} />}
    </div>
  )
}

const Step = ({ step: { pairing } }: { readonly step: PairingStep }) => {
  const { state, code, other, peer_id, fault } = pairing
  const name = other?.name ?? 'the other device'
  switch (state) {
    case 'closed':
      return <Begin />
    case 'open':
      return (
        <>
          <p>Now call this device from the page of the other one.</p>
          <Cancel />
        </>
      )
    case 'calling':
    case 'waiting':
      return (
        <>
          <Other {...pairing} />
          <Cancel />
        </>
      )
    case 'comparing':
      return (
        <>
          <Other {...pairing} />
          <Comparing pairing={pairing} />
        </>
      )
    case 'confirmed':
    case 'storing':
      return (
        <>
          <Other {...pairing} />
          {code !== null && <Code code={code} />}
          <p>Confirmed here. Now press “The same code” on the page of {name}.</p>
          <Cancel />
        </>
      )
    case 'done':
      return (
        <>
          <p role="status">
            This device and <strong>{name}</strong> trust each other.
            {peer_id !== null && (
              <>
                {' '}
                <Link href={peerAddress(peer_id)}>Open {name}</Link>
              </>
            )}
          </p>
          <Begin />
        </>
      )
    case 'failed':
      return (
        <>
          {fault && <ProblemNote title="Nobody was paired." problem={fault} />}
          <Begin />
        </>
      )
  }
}

/** The card. */
export const PairingCard = () => {
  const { value, problem } = useKnown(pairing)
  const [word, tone] = STATES[value?.pairing.state ?? 'closed']
  return (
    <Card
      title="Pairing"
      side={
        value && (
          <div className="row">
            {value.untilMs !== null && <TimeLeft untilMs={value.untilMs} />}
            <Pill tone={tone}>{word}</Pill>
          </div>
        )
      }
    >
      <div className="card-body stack" aria-live="polite">
        {problem && <ProblemNote problem={problem} />}
        {value && <Step step={value} />}
      </div>
    </Card>
  )
}
