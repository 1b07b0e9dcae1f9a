// What the device knows of an item.
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { api, ask } from '../../api/client.ts'
import { Card, WriteNote } from '../../parts/parts.tsx'
import { contentUrl, type MediaItem } from '../../state/media.ts'
import { useWrite } from '../../state/write.ts'
import { counted, sizeOf } from '../../words.ts'
import { clockOf } from './transport.tsx'

const ORIGINS: Readonly<Record<MediaItem['origin'], string>> = {
  upload: 'uploaded',
  snapshot: 'a snapshot of a stream',
  recording: 'a recording of a stream',
  rewind: 'the last seconds of a stream',
  edit: 'made of another item',
  found: 'found in the folder of the media',
}

const FLAWS: Readonly<Record<NonNullable<MediaItem['flaw']>, string>> = {
  interrupted: 'The device stopped while it was being written. What is whole of it was kept.',
  truncated: 'Its writing ended early, as when the storage is full. What is whole of it was kept.',
}

const whenOf = (ms: number): string =>
  new Date(ms).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

type Fact = readonly [name: string, value: ReactNode]

const shapeOf = (shape: readonly unknown[]): string => shape.map((side) => side ?? 'any').join(' × ')

const modelFacts = ({ model }: MediaItem): readonly (Fact | false)[] =>
  model
    ? [
        ['Takes', model.inputs.map(({ name, shape }) => `${name}: ${shapeOf(shape)}`).join(', ')],
        ['Gives', model.outputs.map(({ name, shape }) => `${name}: ${shapeOf(shape)}`).join(', ')],
        ['Classes', model.classes.length > 0 ? counted(model.classes.length, 'class', 'classes') : 'not named'],
        model.run_ms !== null && ['Took here', `${model.run_ms.toFixed(1)} ms with an empty picture`],
      ]
    : []

const StreamLink = ({ id }: { readonly id: string }) => <Link href={`/streams/${encodeURIComponent(id)}`}>{id}</Link>

const ItemLink = ({ name }: { readonly name: string }) => (
  <Link href={`/media/${encodeURIComponent(name)}`}>{name}</Link>
)

/** A file beside an item, to be saved. */
const SavedFile = ({ url, bytes }: { readonly url: string; readonly bytes: number }) => (
  <a href={url} download>
    {sizeOf(bytes)}
  </a>
)

const factsOf = (item: MediaItem): readonly Fact[] => {
  const { origin, stream_id, size_bytes, width_px, height_px, duration_ms, frames, captured_at_ms, edited_from } = item
  const { label, imu, results } = item.side_cars
  const url = contentUrl(item.name)
  const all: readonly (Fact | false)[] = [
    ['Taken', captured_at_ms === null ? 'not known' : whenOf(captured_at_ms)],
    ['Stored', whenOf(item.created_at_ms)],
    ['From', ORIGINS[origin]],
    stream_id !== null && ['Stream', <StreamLink key="stream" id={stream_id} />],
    edited_from !== null && ['Made of', <ItemLink key="made" name={edited_from} />],
    item.state === 'ready' && ['Size', sizeOf(size_bytes)],
    width_px !== null && ['Picture', `${width_px} × ${height_px} px`],
    duration_ms !== null && ['Length', clockOf(duration_ms)],
    frames !== null && ['Pictures', String(frames)],
    ...modelFacts(item),
    results !== null && ['Results', <SavedFile key="results" url={`${url}?as=results`} bytes={results.size_bytes} />],
    label !== null && ['Label', <SavedFile key="label" url={`${url}/label`} bytes={label.size_bytes} />],
    imu !== null && ['IMU', <SavedFile key="imu" url={`${url}/imu`} bytes={imu.size_bytes} />],
  ]
  return all.filter((fact) => fact !== false)
}

/** All of it, and whether the device may delete it by itself. */
export const FactsCard = ({ item }: { readonly item: MediaItem }) => {
  const { name, automatic, flaw } = item
  const { state, write } = useWrite()
  const change = (isKept: boolean) =>
    write(() =>
      ask(api.PATCH('/v1/media/{name}/metadata', { params: { path: { name } }, body: { automatic: !isKept } })),
    )
  return (
    <Card title="What it is">
      <div className="card-body stack">
        {flaw && <p>{FLAWS[flaw]}</p>}
        <dl className="media-known">
          {factsOf(item).map(([what, value]) => (
            <div key={what}>
              <dt>{what}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {item.state === 'ready' && (
          <label className="row">
            <input type="checkbox" checked={!automatic} onChange={({ target }) => void change(target.checked)} />
            Keep it, also when the device needs room
          </label>
        )}
        <WriteNote state={state} />
      </div>
    </Card>
  )
}
