// All stored items, the newest first: as many as somebody goes down to.
import { useSelector } from '@xstate/store-react'
import { Box, Download, Film, Image, Trash2 } from 'lucide-react'
import { memo, useEffect, useRef } from 'react'
import { Link, useSearchParams } from 'wouter'
import { FilesButton } from '../../parts/file-choice.tsx'
import { LongList } from '../../parts/long-list.tsx'
import { Alert, Button, Card, Empty, Pill, ProblemNote } from '../../parts/parts.tsx'
import { useFileDrop } from '../../parts/use-file-drop.ts'
import {
  contentUrl,
  type MediaFilter,
  type MediaItem,
  type MediaKind,
  thumbnailUrl,
  useMedia,
} from '../../state/media.ts'
import { usePreference } from '../../state/preferences.ts'
import { useOwnStreams } from '../../state/streams.ts'
import { sizeOf } from '../../words.ts'
import { refusedRemoval, removeMedia } from './remove.ts'
import { clockOf } from './transport.tsx'
import { UploadCard } from './upload-card.tsx'
import { uploadFiles } from './uploads.ts'

const UPLOADED = 'image/jpeg,image/png,video/mp4,video/quicktime,.mov,.onnx'

const KINDS: readonly (readonly [kind: MediaKind | undefined, name: string])[] = [
  [undefined, 'All'],
  ['picture', 'Pictures'],
  ['recording', 'Recordings'],
  ['model', 'Models'],
]
const ICONS = { picture: Image, recording: Film, model: Box }

const Thumbnail = ({ item }: { readonly item: MediaItem }) => {
  const url = thumbnailUrl(item)
  const isBandwidthSmall = usePreference('isBandwidthSmall')
  const Icon = ICONS[item.kind]
  // it is asked for when it comes into view, and not before
  return url && !isBandwidthSmall ? (
    <img src={url} alt="" loading="lazy" decoding="async" />
  ) : (
    <Icon size={32} aria-hidden />
  )
}

/** When an item was taken, as this browser writes it. */
const takenAt = ({ captured_at_ms, created_at_ms }: MediaItem): string =>
  new Date(captured_at_ms ?? created_at_ms).toLocaleString(undefined, { dateStyle: 'short', timeStyle: 'medium' })

const Entry = memo(({ item }: { readonly item: MediaItem }) => {
  const { name, state, stream_id, duration_ms, size_bytes, flaw } = item
  return (
    <li className="media-item">
      <Link className="media-thumbnail" href={`/media/${encodeURIComponent(name)}`} aria-hidden="true" tabIndex={-1}>
        <Thumbnail item={item} />
        {duration_ms !== null && <span className="media-length">{clockOf(duration_ms).slice(0, -3)}</span>}
      </Link>
      <div className="media-facts">
        <Link href={`/media/${encodeURIComponent(name)}`}>{name}</Link>
        <span className="hint">
          {takenAt(item)}
          {stream_id && ` · ${stream_id}`}
          {state === 'ready' && ` · ${sizeOf(size_bytes)}`}
        </span>
        <span className="row">
          {state === 'writing' && <Pill tone="busy">being written</Pill>}
          {flaw && <Pill tone="bad">{flaw === 'interrupted' ? 'interrupted' : 'cut short'}</Pill>}
        </span>
      </div>
      <div className="media-actions">
        {state === 'ready' && (
          <a
            className="button"
            data-kind="plain"
            data-size="icon"
            href={contentUrl(name)}
            download={name}
            aria-label={`Download ${name}`}
          >
            <Download size={18} aria-hidden />
          </a>
        )}
        {/* also of one that is to be written: nobody may write it any more, and else the device says so */}
        <Button
          kind="plain"
          icon={<Trash2 size={18} aria-hidden />}
          aria-label={`Delete ${name}`}
          onClick={() => removeMedia(name)}
        />
      </div>
    </li>
  )
})

/** Asks for the next page as soon as its end is nearly in view. */
const More = ({ onMore, isReading }: { readonly onMore: () => void; readonly isReading: boolean }) => {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const watch = new IntersectionObserver((all) => all.at(-1)?.isIntersecting && onMore(), { rootMargin: '600px' })
    if (!isReading && end.current) watch.observe(end.current)
    return () => watch.disconnect()
  }, [onMore, isReading])
  return (
    <div ref={end} className="card-body">
      <Button onClick={onMore} disabled={isReading}>
        {isReading ? 'Reading' : 'Show more'}
      </Button>
    </div>
  )
}

interface FiltersProps {
  readonly filter: MediaFilter
  readonly onChange: (change: MediaFilter) => void
}

const Filters = ({ filter, onChange }: FiltersProps) => {
  const streams = useOwnStreams() ?? []
  const ids = [...new Set([...streams.map(({ id }) => id), ...(filter.stream ? [filter.stream] : [])])]
  return (
    <div className="row media-filters">
      <fieldset className="row" aria-label="Kind">
        {KINDS.map(([kind, name]) => (
          <Button key={name} aria-pressed={filter.kind === kind} onClick={() => onChange({ kind })}>
            {name}
          </Button>
        ))}
      </fieldset>
      <label className="row">
        Stream
        <select value={filter.stream ?? ''} onChange={({ target }) => onChange({ stream: target.value || undefined })}>
          <option value="">all</option>
          {ids.map((id) => (
            <option key={id} value={id}>
              {streams.find((stream) => stream.id === id)?.spec.alias ?? id}
            </option>
          ))}
        </select>
      </label>
      <label className="row">
        Day
        <input
          type="date"
          value={filter.day ?? ''}
          onChange={({ target }) => onChange({ day: target.value || undefined })}
        />
      </label>
    </div>
  )
}

const isKind = (text: string | null): text is MediaKind => KINDS.some(([kind]) => kind !== undefined && kind === text)

const NOTHING = 'Nothing is stored yet. Take a snapshot or record a stream on its page, or upload files here.'

const Refused = () => {
  const refused = useSelector(refusedRemoval, ({ context }) => context.refused)
  if (!refused) return null
  return (
    <Alert tone="bad" action={<Button onClick={() => refusedRemoval.trigger.forgot()}>Close</Button>}>
      <ProblemNote title={`${refused.name} is still there.`} problem={refused.problem} />
    </Alert>
  )
}

/** The list with its filters, which stand in the address. */
export const MediaList = () => {
  const [query, setQuery] = useSearchParams()
  const drop = useFileDrop(uploadFiles)
  const kind = query.get('kind')
  const filter: MediaFilter = {
    kind: isKind(kind) ? kind : undefined,
    stream: query.get('stream') ?? undefined,
    day: query.get('day') ?? undefined,
  }
  const { items, problem, cursor, isReading, disk, readMore } = useMedia(filter)
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const change = (to: MediaFilter) =>
    setQuery(
      Object.entries({ ...filter, ...to }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    )
  return (
    <div className="stack" {...drop}>
      <div className="page-head">
        <h1>Media</h1>
        <div className="right">
          {disk && (
            <span className="hint media-disk">
              {sizeOf(disk.free_bytes)} of {sizeOf(disk.total_bytes)} free
            </span>
          )}
          <FilesButton name="Files to upload" accept={UPLOADED} kind="main" hasSeveral onChoose={uploadFiles}>
            Upload
          </FilesButton>
        </div>
      </div>
      <Filters filter={filter} onChange={change} />
      <Refused />
      <UploadCard />
      {problem && <ProblemNote problem={problem} />}
      <Card label="Items">
        {items && items.length > 0 && (
          <LongList items={items} keyOf={({ name }) => name} className="media-list">
            {(item) => <Entry item={item} />}
          </LongList>
        )}
        {items?.length === 0 && cursor === null && (
          <Empty
            action={
              isFiltered && (
                <Button onClick={() => change({ kind: undefined, stream: undefined, day: undefined })}>Show all</Button>
              )
            }
          >
            {isFiltered ? 'Nothing of what is stored is of that kind, stream and day.' : NOTHING}
          </Empty>
        )}
        {!items && !problem && <p className="card-body hint">Loading</p>}
        {items && cursor !== null && <More onMore={readMore} isReading={isReading} />}
      </Card>
    </div>
  )
}
