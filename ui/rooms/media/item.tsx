// One item: what it shows, what is known of it, and what people note down about it.
import { Box, Download, Trash2 } from 'lucide-react'
import { type ReactNode, useCallback, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { BackLink } from '../../parts/back-link.tsx'
import { Alert, Button, Card, Empty, Pill, ProblemNote } from '../../parts/parts.tsx'
import { contentUrl, isOfPictures, type MediaItem, useMediaItem } from '../../state/media.ts'
import { useQueryChoices } from '../../state/query-choices.ts'
import { FactsCard } from './facts.tsx'
import { FilmPlayer } from './film-player.tsx'
import { LabelCard, NoteCard } from './notes.tsx'
import { type FoundMarks, Marks, useMarks, wordsOf } from './overlay.tsx'
import { removeMedia } from './remove.ts'
import { RunCard } from './run.tsx'
import { VideoPlayer } from './video-player.tsx'

const MarksSwitch = ({
  found,
  atMs,
  isOn,
  onChange,
}: {
  readonly found: FoundMarks | undefined
  readonly atMs: number
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}) =>
  found && (
    <div className="row">
      <label className="row">
        <input type="checkbox" checked={isOn} onChange={({ target }) => onChange(target.checked)} />
        Results
      </label>
      <span className="hint">{found.why ?? wordsOf(found, atMs)}</span>
    </div>
  )

const Recording = ({
  item,
  over,
  more,
}: {
  readonly item: MediaItem
  readonly over: (atMs: number) => ReactNode
  readonly more: (atMs: number) => ReactNode
}) => {
  const [query, choose] = useQueryChoices()
  const [isVideo, setVideo] = useState(!isOfPictures(item))
  const onStand = useCallback((atMs: number) => choose('at', String(Math.round(atMs))), [choose])
  const shared = { item, startMs: Number(query.get('at')) || 0, onStand, over, more }
  return isVideo ? <VideoPlayer {...shared} onRefused={() => setVideo(false)} /> : <FilmPlayer {...shared} />
}

const Content = ({ item }: { readonly item: MediaItem }) => {
  const found = useMarks(item)
  const [query, choose] = useQueryChoices()
  const isMarked = query.get('results') !== 'off'
  const over = (atMs: number) => isMarked && <Marks found={found} atMs={atMs} />
  const more = (atMs: number) => (
    <MarksSwitch
      found={found}
      atMs={atMs}
      isOn={isMarked}
      onChange={(isOn) => choose('results', isOn ? undefined : 'off')}
    />
  )
  if (item.kind === 'recording') return <Recording item={item} over={over} more={more} />
  if (item.kind === 'model')
    return (
      <Empty
        action={
          <Link className="button" href="/pipelines">
            Use it in a pipeline
          </Link>
        }
      >
        <Box size={32} aria-hidden /> A learned model. A pipeline runs it, with its name in the node that finds objects
        or classes.
      </Empty>
    )
  return (
    <>
      <div className="media-stage">
        <img src={contentUrl(item.name)} alt={item.name} />
        {over(0)}
      </div>
      {found && <div className="media-transport">{more(0)}</div>}
    </>
  )
}

const Shown = ({ item }: { readonly item: MediaItem }) => {
  const [, go] = useLocation()
  const { name, state } = item
  return (
    <>
      <div className="page-head">
        <BackLink href="/media" name="All media" />
        <h1 className="media-name">{name}</h1>
        {state === 'writing' && <Pill tone="busy">being written</Pill>}
        <div className="right">
          {state === 'ready' && (
            <a className="button" href={contentUrl(name)} download={name}>
              <Download size={18} aria-hidden /> Download
            </a>
          )}
          {/* also of one that is to be written: nobody may write it any more, and else the device says so */}
          <Button
            kind="danger"
            icon={<Trash2 size={18} aria-hidden />}
            onClick={() => {
              removeMedia(name)
              go('/media')
            }}
          >
            Delete
          </Button>
        </div>
      </div>
      <div className="media-page">
        <Card label="Content">
          {state === 'ready' ? (
            <Content item={item} />
          ) : (
            <Empty>It is being written, and can be looked at as soon as it is whole. This page shows it then.</Empty>
          )}
        </Card>
        <div className="stack">
          <FactsCard item={item} />
          {item.kind === 'recording' && state === 'ready' && <RunCard item={item} />}
          <NoteCard item={item} />
          {item.kind !== 'recording' && state === 'ready' && <LabelCard item={item} />}
        </div>
      </div>
    </>
  )
}

/** The page of one item. */
export const MediaItemPage = ({ name }: { readonly name: string }) => {
  const { item, problem, isGone } = useMediaItem(name)
  if (isGone)
    return (
      <>
        <h1 className="media-name">{name}</h1>
        <Alert
          tone="quiet"
          action={
            <Link className="button" href="/media">
              All media
            </Link>
          }
        >
          This item has been deleted.
        </Alert>
      </>
    )
  if (item) return <Shown item={item} />
  return (
    <>
      <h1 className="media-name">{name}</h1>
      {problem ? (
        <Empty
          action={
            <Link className="button" href="/media">
              All media
            </Link>
          }
        >
          {problem.detail}
        </Empty>
      ) : (
        <p className="hint">Loading</p>
      )}
      {problem && problem.code !== 'media.not_found' && <ProblemNote problem={problem} />}
    </>
  )
}
