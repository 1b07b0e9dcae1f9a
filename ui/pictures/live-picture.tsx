// A live picture of a stream, with what was found in the very frame that is shown drawn over it.
import { useCallback, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { OverlayOptions } from '../drawing/overlay.ts'
import type { Fit } from '../drawing/placing.ts'
import { Age } from '../parts/parts.tsx'
import { usePreference } from '../state/preferences.ts'
import { type AnyStream, isRemote } from '../state/streams.ts'
import { spanOf } from '../words.ts'
import type { FrameFacts, Hold, KeptFrame, Look, PictureState } from './messages.ts'
import { watchSeen, watchSize } from './watch-element.ts'
import { drawOn, type PictureHandle } from './workers.ts'

export type { FrameFacts } from './messages.ts'

interface LivePictureProps {
  readonly stream: AnyStream
  /** Sent no wider than this; default: as the camera gives it. */
  readonly maxWidth?: number
  /** Sent no more often than this; default: as often as the camera gives pictures. */
  readonly fps?: number
  readonly overlay?: OverlayOptions
  /** The outputs whose values come with each picture; empty: none. Default: all, and the truth. */
  readonly outputs?: readonly string[] | undefined
  /** A picture that the pipeline makes, in place of that of the camera. */
  readonly output?: string
  readonly fit?: Fit
  /** Told of the frame on the screen. What stands beside a picture comes from here. */
  readonly onFrame?: (facts: FrameFacts) => void
  /** How often, at most; default: four times a second, as figures that change faster cannot be read. */
  readonly factsEveryMs?: number
  /** Told of its state when that is another one: what stands beside an old picture is old. */
  readonly onState?: (is: PictureState['is']) => void
  /** So many of its newest frames are kept, so that they can be shown again while it is held; default none. */
  readonly keep?: number
  /** It stands still, on one of the frames that are kept; null: it does not. */
  readonly hold?: Hold | null
  /** Told which frames are kept, the newest last, when it is held. */
  readonly onKept?: (frames: readonly KeptFrame[]) => void
  /** What those hear who do not see it; default: the name of the stream. */
  readonly label?: string
}

const OLD_AFTER_MS = 2000
const FACTS_EVERY_MS = 250
const NO_OVERLAY: OverlayOptions = {}

/** What is asked for at most where the network is slow. */
const SMALL = { widthPx: 320, fps: 5, quality: 50 } as const

/** Where its pictures are, and what is asked of them. */
const pathOf = (stream: AnyStream, kind: 'frames' | 'preview', query: Readonly<Record<string, unknown>>): string => {
  const id = encodeURIComponent(stream.id)
  const streams = isRemote(stream) ? `/v1/peers/${encodeURIComponent(stream.origin.peer_id)}/streams` : '/v1/streams'
  const asked = Object.entries(query).filter(([, value]) => value !== undefined)
  return `${streams}/${id}/${kind}?${new URLSearchParams(asked.map(([name, value]) => [name, String(value)]))}`
}

const MEANS = {
  waiting: 'waiting for the first picture',
  live: 'live',
  late: 'comes late',
  old: 'no new picture',
  placeholder: 'no picture, it says why',
  held: 'held',
} as const satisfies Record<PictureState['is'], string>

/** What stands over a picture that is not as it should be. */
const Says = ({ state: { is, sinceMs, why, lateMs = 0 } }: { readonly state: PictureState }) => {
  const isSmall = usePreference('isBandwidthSmall')
  if (is === 'live' || is === 'placeholder' || is === 'held') return null
  if (is === 'late')
    return (
      <p className="live-picture-late">
        <strong>{spanOf(lateMs)} old</strong>: the network is too slow.{' '}
        {!isSmall && <Link href="/settings">Ask for less</Link>}
      </p>
    )
  return (
    <div className="live-picture-says">
      <strong>
        {is === 'waiting' ? 'Waiting for the first picture' : 'No new picture'} for <Age sinceMs={sinceMs} />
      </strong>
      {why !== undefined && <span>{why}</span>}
    </div>
  )
}

/** The picture. It fills the element that it is in, and nothing of it is sent while nobody sees it. */
export const LivePicture = ({
  stream,
  maxWidth,
  fps,
  overlay = NO_OVERLAY,
  outputs,
  output,
  fit = 'contain',
  onFrame,
  factsEveryMs = FACTS_EVERY_MS,
  onState,
  keep = 0,
  hold = null,
  onKept,
  label = stream.spec.alias,
}: LivePictureProps) => {
  const host = useRef<HTMLDivElement>(null)
  const handle = useRef<PictureHandle>(undefined)
  const size = useRef({ widthPx: 1, heightPx: 1, ratio: 1 })
  const latest = useRef({ look: { overlay, fit }, onFrame, onState, onKept })
  const [state, setState] = useState<PictureState>()
  latest.current = { look: { overlay, fit }, onFrame, onState, onKept }

  useEffect(() => {
    const element = host.current
    if (!element) return undefined
    const canvas = document.createElement('canvas') // handed over to the worker, which can be done only once
    element.append(canvas)
    const picture = drawOn(canvas, { ...size.current, ...latest.current.look }, (report) => {
      if (report.kind === 'frame') return latest.current.onFrame?.(report.facts)
      if (report.kind === 'kept') return latest.current.onKept?.(report.frames)
      setState(report.state)
      latest.current.onState?.(report.state.is)
    })
    handle.current = picture
    const endSize = watchSize(element, (now) => {
      size.current = now
      picture.tell({ kind: 'look', look: { ...now, ...latest.current.look } })
    })
    const endSeen = watchSeen(element, (isSeen) => picture.tell({ kind: 'watch', isSeen }))
    return () => {
      endSize()
      endSeen()
      handle.current = undefined
      picture.close()
      canvas.remove()
    }
  }, [])

  const isSmall = usePreference('isBandwidthSmall')
  const widthPx = isSmall ? Math.min(maxWidth ?? SMALL.widthPx, SMALL.widthPx) : maxWidth
  const perS = isSmall ? Math.min(fps ?? SMALL.fps, SMALL.fps) : fps
  const look = { max_width: widthPx, quality: isSmall ? SMALL.quality : undefined, output }
  const results = outputs === undefined ? { results: true } : outputs.length > 0 && { results: true, outputs }
  const path = pathOf(stream, 'frames', { ...results, fps: perS, ...look })
  const whyPath = pathOf(stream, 'preview', look)
  const oldAfterMs = Math.max(OLD_AFTER_MS, perS === undefined ? 0 : 2500 / perS)
  useEffect(() => {
    handle.current?.tell({ kind: 'source', source: { path, whyPath, oldAfterMs, factsEveryMs, keep } })
  }, [path, whyPath, oldAfterMs, factsEveryMs, keep])

  const isHeld = hold !== null
  const heldAt = hold?.at
  useEffect(() => {
    handle.current?.tell({ kind: 'hold', hold: isHeld ? { at: heldAt } : null })
  }, [isHeld, heldAt])

  const drawing = JSON.stringify({ overlay, fit }) // callers make them again each time
  useEffect(() => {
    handle.current?.tell({
      kind: 'look',
      look: { ...size.current, ...(JSON.parse(drawing) as Pick<Look, 'overlay' | 'fit'>) },
    })
  }, [drawing])

  const is = state?.is ?? 'waiting'
  return (
    <div className="live-picture" data-state={is}>
      <div
        className="live-picture-canvas"
        ref={host}
        role="img"
        aria-label={is === 'live' ? label : `${label}: ${MEANS[is]}`}
      />
      {state && <Says state={state} />}
    </div>
  )
}

/**
 * For a component beside a picture: what it shows of the frame on the screen, and what to give to the picture as
 * `onFrame`. It is drawn again only when what `pick` returns is another value.
 */
export const useFrame = <Part,>(
  pick: (facts: FrameFacts) => Part,
): readonly [Part | undefined, (facts: FrameFacts) => void] => {
  const [part, setPart] = useState<Part>()
  const latest = useRef(pick)
  latest.current = pick
  const onFrame = useCallback((facts: FrameFacts) => setPart(() => latest.current(facts)), [])
  return [part, onFrame]
}
