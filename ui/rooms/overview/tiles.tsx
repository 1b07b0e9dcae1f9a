// A stream in a small space: its picture with what was found in it, its state, and its figures.
import { createStore } from '@xstate/store'
import { useSelector } from '@xstate/store-react'
import { CirclePause, VideoOff } from 'lucide-react'
import { type ReactNode, useCallback, useState } from 'react'
import { Link } from 'wouter'
import type { Documents } from '../../api/client.ts'
import { browserTimeOf } from '../../api/device-clock.ts'
import { drawnOutputs } from '../../drawing/drawn-outputs.ts'
import { GuardLine } from '../../parts/guard-line.tsx'
import { Age, Figure, Figures, State } from '../../parts/parts.tsx'
import { type FrameFacts, LivePicture } from '../../pictures/live-picture.tsx'
import { useKnownOf } from '../../state/live.ts'
import {
  type AnyStream,
  attachedTo,
  faultsOf,
  isRemote,
  type RemoteStream,
  type Stream,
  streams,
  useFigures,
  wantedPipeline,
} from '../../state/streams.ts'
import { givesPictures } from '../../state/trouble-since.ts'
import { shownState } from '../../words.ts'

const OVERLAY = { tags: true }
const GLANCE_MS = 1000 // of many tiles at once nobody reads more, and each report is work for the page

/** `9, 10`; undefined: tags are not looked for. */
const tagsIn = ({ outputs, isPlaceholder }: FrameFacts): string | undefined => {
  const found = Object.values(outputs).filter((output) => output.kind === 'detections')
  if (isPlaceholder || found.length === 0) return undefined
  const ids = new Set(found.flatMap(({ rows }) => rows.map(({ id }) => id)))
  return [...ids].toSorted((one, other) => one - other).join(', ') || 'none'
}

/** What a picture says of itself, apart from its tile: figures change often, and nothing else of the tile with them. */
const createSeen = () =>
  createStore({
    context: { tags: undefined as string | undefined, isOld: false },
    on: {
      framed: (seen, { tags }: { tags: string | undefined }) => (seen.tags === tags ? seen : { ...seen, tags }),
      became: (seen, { is }: { is: string }) => ({ ...seen, isOld: is === 'old' || is === 'late' }),
    },
  })

interface FiguresProps {
  readonly seen: ReturnType<typeof createSeen>
  /** Whether nothing stands there but who looks at it, as no pictures come. */
  readonly isQuiet: boolean
}

interface FigureValues {
  readonly fps: number | null | undefined
  readonly latencyMs?: number | null | undefined
  readonly viewers?: number | null | undefined
}

const TileFigures = ({ seen, isQuiet, fps, latencyMs, viewers }: FiguresProps & FigureValues) => {
  const { tags, isOld } = useSelector(seen, ({ context }) => context)
  return (
    <div className={isOld ? 'is-old' : undefined}>
      <Figures>
        <Figure name="rate" value={isQuiet ? null : fps} unit="fps" />
        <Figure name="latency" value={isQuiet ? null : latencyMs} digits={1} unit="ms" />
        <Figure name="tags" value={isQuiet ? null : tags} />
        <Figure name="viewers" value={viewers} />
      </Figures>
    </div>
  )
}

const OwnFigures = ({ id, ...parts }: FiguresProps & { readonly id: string }) => {
  const figures = useFigures(id)
  return <TileFigures {...parts} fps={figures?.fps} latencyMs={figures?.latency_ms} viewers={figures?.viewers} />
}

interface TileProps {
  readonly stream: AnyStream
  /** The outputs of which something is drawn; default: any. */
  readonly outputs?: readonly string[]
  /** Beside its name. */
  readonly about?: string | undefined
  /** Beside its state. */
  readonly mark?: ReactNode
  /** Above its figures. */
  readonly note?: ReactNode
  /** In place of pictures, when none come. */
  readonly instead?: ReactNode
  /** Whether what is known of it is old. */
  readonly isOld?: boolean
  readonly figures: (parts: FiguresProps) => ReactNode
}

const Tile = ({ stream, outputs, about, mark, note, instead, isOld = false, figures }: TileProps) => {
  const { id, spec, status } = stream
  const [seen] = useState(createSeen)
  const onFrame = useCallback((facts: FrameFacts) => seen.trigger.framed({ tags: tagsIn(facts) }), [seen])
  const onState = useCallback((is: string) => seen.trigger.became({ is }), [seen])
  return (
    <article className={isOld ? 'card overview-tile is-old' : 'card overview-tile'}>
      <div className="stage">
        {instead ?? (
          <LivePicture
            stream={stream}
            maxWidth={640}
            fps={15}
            overlay={OVERLAY}
            outputs={outputs}
            factsEveryMs={GLANCE_MS}
            onFrame={onFrame}
            onState={onState}
          />
        )}
        <div className="over">
          <State state={status.state} />
          {mark}
        </div>
      </div>
      <div className="facts">
        <div className="name">
          <h2>
            <Link href={`/streams/${encodeURIComponent(id)}`}>{spec.alias}</Link>
          </h2>
          {about !== undefined && <span className="hint">{about}</span>}
        </div>
        {note}
        {figures({ seen, isQuiet: instead !== undefined })}
      </div>
    </article>
  )
}

/** What stands where a picture would be. */
const NoPicture = ({ icon, title, children }: { icon: ReactNode; title: string; children?: ReactNode }) => (
  <div className="no-picture">
    {icon}
    <strong>{title}</strong>
    {children && <span>{children}</span>}
  </div>
)

const lost = (detail?: string) => (
  <NoPicture icon={<VideoOff size={28} aria-hidden />} title="No pictures">
    {detail}
  </NoPicture>
)

const insteadOf = (stream: AnyStream): ReactNode => {
  if (stream.status.state === 'disabled')
    return <NoPicture icon={<CirclePause size={28} aria-hidden />} title="Switched off" />
  if (isRemote(stream))
    return shownState(stream.status.state).tone === 'bad' ? lost(faultsOf(stream).fault?.detail) : undefined
  return givesPictures(stream) ? undefined : lost(stream.status.fault?.detail)
}

/** Of a stream of this device. devices: that it knows; one of them may have the camera. */
export const OwnTile = ({
  stream,
  devices = [],
}: {
  readonly stream: Stream
  readonly devices: readonly Peer[] | undefined
}) => {
  const remote = useKnownOf(streams, ({ value }) => value && attachedTo(value, stream.id))
  const device = devices.find(({ id }) => id === remote?.origin.peer_id)
  const about = [stream.status.extcam_table, remote && device && aboutRemote(remote, device)].filter(Boolean).join(', ')
  return (
    <Tile
      stream={stream}
      outputs={drawnOutputs(wantedPipeline(stream))}
      about={about === '' ? undefined : about}
      mark={stream.spec.source.backend === 'peer' && <State state="local_attach" />}
      note={<GuardLine guard={stream.status.guard} />}
      instead={insteadOf(stream)}
      figures={(parts) => <OwnFigures id={stream.id} {...parts} />}
    />
  )
}

type Peer = Documents['Peer']

const kindOf = ({ integration, name }: Peer): string => `remote ${integration ?? ''} stream on ${name}`

const decides = ({ authority }: RemoteStream, { name }: Peer): string =>
  authority === 'source' ? `${name} decides` : 'this device decides'

const aboutRemote = (stream: RemoteStream, peer: Peer): string => `${kindOf(peer)}, ${decides(stream, peer)}`

/** Of a stream of another device. */
export const RemoteTile = ({ stream, peer }: { readonly stream: RemoteStream; readonly peer: Peer | undefined }) => {
  const { origin, compute, status } = stream
  const seenMs = peer?.health.last_seen_ms
  return (
    <Tile
      stream={stream}
      about={peer && aboutRemote(stream, peer)}
      mark={
        <>
          <State state={compute} />
          {origin.stale && (
            <State state="stale">
              {shownState('stale').word}
              {typeof seenMs === 'number' && (
                <>
                  {', '}
                  <Age sinceMs={browserTimeOf(seenMs)} />
                </>
              )}
            </State>
          )}
        </>
      }
      instead={insteadOf(stream)}
      isOld={origin.stale}
      figures={(parts) => <TileFigures fps={status.fps} {...parts} />}
    />
  )
}
