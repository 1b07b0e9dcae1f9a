// What is wrong, in plain words, with the way to where something can be done about it.
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { browserTimeOf } from '../../api/device-clock.ts'
import { partName } from '../../parts/part-names.ts'
import { Age, Alert } from '../../parts/parts.tsx'
import { health, nt4, peers } from '../../state/device.ts'
import { useKnownOf } from '../../state/live.ts'
import { faultsOf, isRemote, shownOnce, streams } from '../../state/streams.ts'
import { givesPictures, troubleSince } from '../../state/trouble-since.ts'
import { shownState, type Tone } from '../../words.ts'

interface Trouble {
  readonly key: string
  readonly tone: Tone
  readonly what: ReactNode
  /** By the clock of the device; undefined: not known. */
  readonly sinceMs?: number | null | undefined
  readonly why: string | undefined
  /** Where something can be done about it. */
  readonly href: string
}

/** Streams have their own. What is wrong with a link, the link itself tells. */
const isOfOthers = (part: string): boolean => /^(streams|nt4-link|peers|peer-links)(\/|$)/.test(part)

const isBad = (state: string): boolean => shownState(state).tone === 'bad'

const useStreamTroubles = (): readonly Trouble[] =>
  shownOnce(useKnownOf(streams, ({ value }) => value) ?? []).flatMap((stream): readonly Trouble[] => {
    const { id, spec, status } = stream
    const href = `/streams/${encodeURIComponent(id)}`
    if (isRemote(stream))
      return isBad(status.state) && !stream.origin.stale
        ? [{ key: href, tone: 'bad', what: `${spec.alias} has no pictures`, why: faultsOf(stream).fault?.detail, href }]
        : []
    const { state, fault, pipeline } = stream.status
    const own: Trouble[] = []
    const sinceMs = troubleSince(stream)
    if (fault)
      own.push(
        givesPictures(stream)
          ? {
              key: href,
              tone: 'busy',
              what: `${spec.alias} is ${shownState(state).word}`,
              sinceMs,
              why: fault.detail,
              href,
            }
          : { key: href, tone: 'bad', what: `${spec.alias} has no pictures`, sinceMs, why: fault.detail, href },
      )
    if (pipeline.fault)
      own.push({
        key: `${href} pipeline`,
        tone: 'busy',
        what: `The pipeline of ${spec.alias} does not run`,
        why: pipeline.fault.detail,
        href,
      })
    return own
  })

const usePeerTroubles = (): readonly Trouble[] =>
  (useKnownOf(peers, ({ value }) => value) ?? [])
    .filter(({ status, fault, stale }) => fault !== null || isBad(status) || stale)
    .map(({ id, name, fault, health }) => ({
      key: `peer ${id}`,
      tone: 'busy' as const,
      what: `There is no link to ${name}`,
      sinceMs: health.last_seen_ms,
      why: fault?.detail,
      href: `/peers/${encodeURIComponent(id)}`,
    }))

const usePartTroubles = (): readonly Trouble[] =>
  (useKnownOf(health, ({ value }) => value?.parts) ?? [])
    .filter(({ name, fault }) => fault !== null && !isOfOthers(name))
    .map(({ name, fault, since_ms }) => ({
      key: `part ${name}`,
      tone: 'bad' as const,
      what: `${partName(name)}: something is wrong`,
      sinceMs: since_ms,
      why: fault?.detail,
      href: '/device',
    }))

const useRobotTroubles = (): readonly Trouble[] => {
  const status = useKnownOf(nt4, ({ value }) => value?.status)
  if (!status?.fault) return []
  return [{ key: 'robot', tone: 'busy', what: 'There is no link to the robot', why: status.fault.detail, href: '/nt4' }]
}

const TONES: readonly Tone[] = ['bad', 'busy']

/** All of them, the worst first. */
export const Alerts = () => {
  const all = [...useStreamTroubles(), ...usePeerTroubles(), ...usePartTroubles(), ...useRobotTroubles()]
  if (all.length === 0) return null
  return (
    <section className="stack" aria-label="What is wrong">
      {TONES.flatMap((tone) => all.filter((each) => each.tone === tone)).map(
        ({ key, tone, what, sinceMs, why, href }) => (
          <Alert
            key={key}
            tone={tone}
            icon={<TriangleAlert size={20} aria-hidden />}
            action={
              <Link className="button" href={href}>
                Show
              </Link>
            }
          >
            <strong>{what}</strong>
            {typeof sinceMs === 'number' && (
              <span className="overview-since">
                {' for '}
                <Age sinceMs={browserTimeOf(sinceMs)} />
              </span>
            )}
            {why === undefined ? '.' : `. ${why}`}
          </Alert>
        ),
      )}
    </section>
  )
}
