// How the service on the device is: its parts, its version, its name.
import { useEffect, useMemo, useState } from 'react'
import type { Documents } from '../../api/client.ts'
import { browserTimeOf } from '../../api/device-clock.ts'
import { partName } from '../../parts/part-names.ts'
import { Age, Card, Figure, Figures, Pill, ProblemNote } from '../../parts/parts.tsx'
import { ResourceLink } from '../../parts/resource-link.tsx'
import { Scrollable } from '../../parts/scrollable.tsx'
import { health } from '../../state/device.ts'
import { useKnown } from '../../state/live.ts'
import { counted, shownState, spanOf, type Tone } from '../../words.ts'
import { BootloaderCard } from './bootloader-card.tsx'
import { NameCard } from './name-card.tsx'
import { RestartCard } from './restart-card.tsx'

type Health = Documents['Health']
type Part = Health['parts'][number]

const MINUTE_MS = 60_000
const RANKS: readonly Tone[] = ['bad', 'busy', 'good', 'quiet']
const SWITCHED_OFF = new Set(['off', 'disabled', 'parked'])
const HAS_PAGE = /^(streams|peers)\//
const ON_ITS_WAY = new Set(['starting', 'restarting', 'backing-off'])

/** `live.steady` is `live` in one of its forms. */
const stateOf = ({ state }: Part): string => state.split('.')[0] ?? state

const toneOf = (part: Part): Tone => {
  if (part.fault || part.state === 'failed') return 'bad'
  if (SWITCHED_OFF.has(stateOf(part))) return 'quiet'
  return ON_ITS_WAY.has(stateOf(part)) ? 'busy' : 'good'
}

/** The states in which a part works have names that say nothing to who does not know it. */
const wordOf = (part: Part): string => {
  const state = stateOf(part)
  return toneOf(part) === 'good' && state !== 'live' ? 'works' : shownState(state).word
}

/** Trouble first, then in the order of the service. */
const inOrder = (parts: readonly Part[]): readonly Part[] => {
  const rank = (part: Part) => RANKS.indexOf(toneOf(part))
  return [...parts].sort((a, b) => rank(a) - rank(b))
}

const PartRow = ({ part }: { readonly part: Part }) => {
  const { name, state, since_ms, restarts, fault } = part
  return (
    <tr>
      <th scope="row">
        {HAS_PAGE.test(name) ? <ResourceLink resource={name}>{partName(name)}</ResourceLink> : partName(name)}
        <div className="hint">{name}</div>
      </th>
      <td>
        <span className="pill" data-tone={toneOf(part)} title={state}>
          {wordOf(part)}
        </span>
      </td>
      <td>
        <Age sinceMs={browserTimeOf(since_ms)} />
      </td>
      <td>{restarts}</td>
      <td>{fault ? fault.detail : ''}</td>
    </tr>
  )
}

const Parts = ({ parts }: { readonly parts: readonly Part[] }) => (
  <Scrollable name="Parts of the service">
    <table className="device-parts">
      <thead>
        <tr>
          <th scope="col">Part</th>
          <th scope="col">State</th>
          <th scope="col">For</th>
          <th scope="col">Restarts</th>
          <th scope="col">What is wrong</th>
        </tr>
      </thead>
      <tbody>
        {inOrder(parts).map((part) => (
          <PartRow key={part.name} part={part} />
        ))}
      </tbody>
    </table>
  </Scrollable>
)

/** How long the service has run. The clock of the device may be set meanwhile: it is counted on that of the browser. */
const Uptime = ({ known: { uptime_ms } }: { readonly known: Health }) => {
  const readMs = useMemo(() => ({ atMs: performance.now(), uptime_ms }), [uptime_ms])
  const [, setTick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), MINUTE_MS)
    return () => clearInterval(timer)
  }, [])
  return <Figure name="runs for" value={spanOf(readMs.uptime_ms + performance.now() - readMs.atMs)} size="large" />
}

/** The first page of the room. */
export const DeviceOverview = () => {
  const { value, problem } = useKnown(health)
  const wrong = value?.parts.filter(({ fault }) => fault !== null).length ?? 0
  return (
    <>
      <div className="page-head">
        <h1>Device</h1>
        {value && (
          <Pill tone={wrong > 0 ? 'bad' : 'good'}>
            {wrong > 0 ? `${counted(wrong, 'part')} in trouble` : 'all parts are well'}
          </Pill>
        )}
      </div>
      {problem && <ProblemNote problem={problem} />}
      <div className="device-page">
        <Card title="Parts of the service">{value && <Parts parts={value.parts} />}</Card>
        <div className="stack">
          <Card title="Service">
            <div className="card-body">
              {value && (
                <Figures>
                  <Figure name="version" value={value.version} size="large" />
                  <Uptime known={value} />
                </Figures>
              )}
            </div>
          </Card>
          <NameCard />
          <RestartCard />
          <BootloaderCard />
        </div>
      </div>
      {!value && !problem && <p className="hint">Loading</p>}
    </>
  )
}
