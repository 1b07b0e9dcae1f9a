// Pictures that were taken already: those among the media, and files that are dropped here.
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { FilesButton } from '../../parts/file-choice.tsx'
import { Button, Empty, Field, ProblemNote, WriteNote } from '../../parts/parts.tsx'
import { useFileDrop } from '../../parts/use-file-drop.ts'
import { startSolve } from '../../state/calibration-solve.ts'
import { calibrations, type KeptCalibration } from '../../state/calibrations.ts'
import { useKnownOf } from '../../state/live.ts'
import { type MediaItem, thumbnailUrl, useMedia } from '../../state/media.ts'
import { usePreference } from '../../state/preferences.ts'
import type { Stream } from '../../state/streams.ts'
import { useWrite } from '../../state/write.ts'
import { counted } from '../../words.ts'
import { UploadCard } from '../media/upload-card.tsx'
import { uploadFiles, useUploads } from '../media/uploads.ts'
import { useSquares } from './squares.ts'
import { describeMode, jobAddress } from './words.ts'

const MIN_PICTURES = 4 // fewer say nothing about a lens
const GOOD_PICTURES = 10
const MIN_DERIVING_PICTURES = 3 // that say whether the lens of another mode fits this one

/** What was chosen; files that were sent while this is open are chosen by themselves. */
const useChosen = () => {
  const [chosen, setChosen] = useState<readonly string[]>([])
  const uploads = useUploads()
  const [before] = useState(() => new Set(uploads.map(({ id }) => id)))
  const seen = useRef(new Set<string>())
  useEffect(() => {
    const sent = uploads.flatMap(({ id, item }) =>
      !before.has(id) && item?.kind === 'picture' && !seen.current.has(item.name) ? item.name : [],
    )
    for (const name of sent) seen.current.add(name)
    if (sent.length > 0) setChosen((now) => [...now.filter((name) => !sent.includes(name)), ...sent])
  }, [uploads, before])
  const toggle = (name: string) =>
    setChosen((now) => (now.includes(name) ? now.filter((each) => each !== name) : [...now, name]))
  return { chosen, toggle, setChosen }
}

interface PictureProps {
  readonly item: MediaItem
  readonly isChosen: boolean
  readonly onToggle: () => void
}

const Picture = ({ item, isChosen, onToggle }: PictureProps) => {
  const isBandwidthSmall = usePreference('isBandwidthSmall')
  const url = thumbnailUrl(item)
  return (
    <li>
      <label className="calibration-choice" data-chosen={isChosen}>
        {url && !isBandwidthSmall && <img src={url} alt="" loading="lazy" decoding="async" />}
        <span className="row">
          <input type="checkbox" checked={isChosen} onChange={onToggle} />
          <span className="calibration-choice-name">{item.name}</span>
        </span>
      </label>
    </li>
  )
}

/** Calibrations of the same camera in another mode. */
const useOtherModes = ({ id, spec: { source }, status: { width_px, height_px } }: Stream) => {
  const uid = source.backend === 'v4l2' ? source.camera_uid : undefined
  return useKnownOf(calibrations, ({ value }) => value)?.filter(
    ({ spec }) =>
      (uid === undefined ? spec.stream_id === id : spec.camera_uid === uid) &&
      (spec.width_px !== width_px || spec.height_px !== height_px),
  )
}

interface BasisProps {
  readonly others: readonly KeptCalibration[]
  readonly chosen: string
  readonly onChoose: (id: string) => void
}

/** Whether the lens is solved, or that of another mode is tried. */
const Basis = ({ others, chosen, onChoose }: BasisProps) => (
  <Field name="What is done with them" hint="The lens of another mode may fit this one: three pictures tell.">
    {(id, describedBy) => (
      <select
        id={id}
        className="input"
        aria-describedby={describedBy}
        value={chosen}
        onChange={({ target }) => onChoose(target.value)}
      >
        <option value="">The lens is solved of them</option>
        {others.map((other) => (
          <option key={other.id} value={other.id}>
            {other.spec.name}, of {describeMode(other.spec)}, is tried in this mode
          </option>
        ))}
      </select>
    )}
  </Field>
)

/** Chooses them, and has them solved. */
export const FromPictures = ({ stream }: { readonly stream: Stream }) => {
  const [ofAll, setOfAll] = useState(false)
  const { items, problem, cursor, readMore } = useMedia({ kind: 'picture', stream: ofAll ? undefined : stream.id })
  const { chosen, toggle, setChosen } = useChosen()
  const { squares } = useSquares()
  const { state, write } = useWrite()
  const [, go] = useLocation()
  const drop = useFileDrop(uploadFiles)
  const others = useOtherModes(stream) ?? []
  const [basis, setBasis] = useState('')
  const leastPictures = basis === '' ? MIN_PICTURES : MIN_DERIVING_PICTURES
  const ready = items?.filter((item) => item.state === 'ready') ?? []
  const solve = async () => {
    const deriving = basis === '' ? {} : { derive_from: basis }
    const wanted = { media_ids: [...chosen], ...squares, stream_id: stream.id, ...deriving }
    const answer = await write(() => startSolve(wanted))
    if (answer.ok) go(jobAddress(answer.value.job_id))
  }
  return (
    <div className="stack calibration-drop" {...drop}>
      <p>
        Ten pictures are enough, 15 are good: near, sharp, tilted each time another way by 30 degrees, and in all
        corners of the picture. All are of one camera, in one mode. Drop their files here, or choose among the media.
      </p>
      <div className="row">
        <FilesButton name="Pictures of the board" accept="image/jpeg,image/png" hasSeveral onChoose={uploadFiles}>
          Choose files
        </FilesButton>
        <label className="row">
          <input type="checkbox" checked={ofAll} onChange={({ target }) => setOfAll(target.checked)} />
          Also those of other streams, and those that were uploaded
        </label>
      </div>
      <UploadCard />
      {problem && <ProblemNote problem={problem} />}
      {items && ready.length === 0 && (
        <Empty>There is no picture {ofAll ? 'yet' : `of ${stream.spec.alias} yet`}. Drop files here.</Empty>
      )}
      <ul className="calibration-choices" aria-label="Pictures to choose from">
        {ready.map((item) => (
          <Picture
            key={item.name}
            item={item}
            isChosen={chosen.includes(item.name)}
            onToggle={() => toggle(item.name)}
          />
        ))}
      </ul>
      <div className="row">
        {cursor !== null && <Button onClick={readMore}>Show more</Button>}
        {ready.length > 0 && (
          <Button onClick={() => setChosen(ready.map(({ name }) => name))}>Choose all that are shown</Button>
        )}
        {chosen.length > 0 && <Button onClick={() => setChosen([])}>Choose none</Button>}
      </div>
      {others.length > 0 && <Basis others={others} chosen={basis} onChoose={setBasis} />}
      <div className="row">
        <Button
          kind="main"
          disabled={chosen.length < leastPictures || state.state === 'pending'}
          onClick={() => void solve()}
        >
          {basis === '' ? 'Solve' : 'Try it'} with {counted(chosen.length, 'picture')}
        </Button>
        <span className="hint">
          {chosen.length < leastPictures && `At least ${leastPictures} are needed.`}
          {basis === '' &&
            chosen.length >= MIN_PICTURES &&
            chosen.length < GOOD_PICTURES &&
            'These are few: ten say much more.'}
        </span>
      </div>
      {state.state === 'refused' && <WriteNote state={state} />}
    </div>
  )
}
