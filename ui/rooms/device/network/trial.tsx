// A change that is tried: the time that is left, the way to the new address, and the confirmation, which the page that
// ordered it makes by itself as soon as it reaches the device there.
import { useEffect, useState } from 'react'
import { Alert, Button, ProblemNote } from '../../../parts/parts.tsx'
import { hostname } from '../../../state/device.ts'
import { useKnownOf } from '../../../state/live.ts'
import {
  confirmChange,
  type Network,
  type NetworkChange,
  type NetworkInterface,
  network,
  type ShownChange,
} from '../../../state/network.ts'
import { useWrite } from '../../../state/write.ts'

const GO_AFTER_MS = 2_500 // half a second until it begins, and about one until it is in force
const TRY_EVERY_MS = 1_000
const TICK_MS = 500

/** What this page ordered, and whether the address under it goes with that. */
let ordered: { readonly interface: string; readonly leaves: boolean; readonly goesTo: string | null } | null = null

/** The same page at another host. */
const addressAt = (host: string): string =>
  `${location.protocol}//${host}${location.port && `:${location.port}`}/device/network?confirm=1`

/** Whether a change that came after this one has ended, and the device is where it was. */
const wasUndone = (previous: string | undefined): boolean => {
  const { job_id, outcome } = network.now().value?.change ?? {}
  return job_id !== previous && outcome?.kept === false
}

/**
 * Remembers what was ordered, since the page goes where the device does. previous: the job of the change before, if
 * there was one.
 */
export const rememberOrder = (shown: NetworkInterface, change: NetworkChange, previous: string | undefined): void => {
  const isUnder = shown.addresses.some(({ address }) => address === location.hostname)
  const leaves = isUnder && change.address !== location.hostname
  const goesTo = leaves && change.address !== undefined ? addressAt(change.address) : null
  ordered = { interface: shown.name, leaves, goesTo }
  if (goesTo) setTimeout(() => wasUndone(previous) || location.assign(goesTo), GO_AFTER_MS)
}

const STEPS: Readonly<Record<Exclude<ShownChange['step'], 'ended' | 'waiting'>, string>> = {
  ordered: 'begins in a moment',
  applying: 'is coming into force',
  keeping: 'was confirmed and is being kept',
  undoing: 'is being undone',
}

/** Seconds that are left, counted here from when they were read. */
const useSecondsLeft = ({ remaining_ms }: ShownChange): number | null => {
  const [untilMs, setUntilMs] = useState<number | null>(null)
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    setUntilMs(remaining_ms === null ? null : performance.now() + remaining_ms)
    setNow(performance.now())
    if (remaining_ms === null) return
    const timer = setInterval(() => setNow(performance.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [remaining_ms])
  return untilMs === null ? null : Math.max(0, Math.ceil((untilMs - now) / 1000))
}

/** Confirms again and again until that counts, or nothing waits any more. */
const useConfirmation = (isWanted: boolean): void => {
  useEffect(() => {
    if (!isWanted) return
    let isOver = false
    const go = async () => {
      while (!isOver) {
        const answer = await confirmChange().catch(() => null) // no answer in time
        if (answer?.ok || (answer && !answer.ok && answer.problem.code === 'network.nothing_waits')) break
        await new Promise((resolve) => setTimeout(resolve, TRY_EVERY_MS))
      }
      network.refresh()
    }
    void go()
    return () => {
      isOver = true
    }
  }, [isWanted])
}

interface Props {
  readonly change: ShownChange
  readonly known: Network
  /** Whether the page came here to confirm. */
  readonly isArrival: boolean
}

/** The change that is under way, or how the last one ended. */
export const TrialNote = ({ change, known, isArrival }: Props) => {
  const left = useSecondsLeft(change)
  const name = useKnownOf(hostname, ({ value }) => value?.hostname)
  const { state, write } = useWrite()
  const isOurs = ordered?.interface === change.interface
  useConfirmation(change.step === 'waiting' && (isArrival || (isOurs && !ordered?.leaves)))
  const what = `${change.interface}: ${change.method === 'dhcp' ? 'an address from the network' : change.address}`

  if (change.step === 'ended') return <Ended change={change} />
  if (change.step !== 'waiting') return <Alert tone="busy">{`${what} ${STEPS[change.step]}.`}</Alert>
  const target = ordered?.goesTo ?? (name && ordered?.leaves ? addressAt(`${name}.local`) : null)
  return (
    <Alert
      tone="busy"
      action={
        <Button kind="main" onClick={() => void write(confirmChange)}>
          Keep it
        </Button>
      }
    >
      <p>
        {what} is in force, and is kept when it is confirmed there.{' '}
        <strong>{left === null ? '' : `Else everything is as before in ${left} s.`}</strong>
      </p>
      {target && (
        <p>
          This page goes on at <a href={target}>{new URL(target).host}</a>, which confirms by itself. If that does not
          open, this computer is in another network: wait, and the device is back where it was.
        </p>
      )}
      {!target && change.method === 'dhcp' && name && (
        <p>
          It has{' '}
          {known.interfaces.find((each) => each.name === change.interface)?.addresses[0]?.address ?? 'no address'} now,
          and is found as <code>{name}.local</code>.
        </p>
      )}
      {state.state === 'refused' && <ProblemNote problem={state.problem} />}
    </Alert>
  )
}

/** How it ended; until somebody has read it. */
const Ended = ({ change: { interface: name, outcome, job_id, address } }: { readonly change: ShownChange }) => {
  const [isRead, setIsRead] = useState<string>()
  if (!outcome || isRead === job_id) return null
  return (
    <Alert tone={outcome.kept ? 'good' : 'bad'} action={<Button onClick={() => setIsRead(job_id)}>All right</Button>}>
      {outcome.kept
        ? `${name} keeps its new settings${address ? `, ${address}` : ''}.`
        : `${name} is as it was before: ${outcome.reason}.`}
    </Alert>
  )
}
