// What one survey proposes: which tags hang elsewhere and how cameras sit, and what of it is accepted.
import { useCallback, useState } from 'react'
import { Link } from 'wouter'
import { keyOfTag } from '../../drawing/field-tags.ts'
import { Button, Card, Pill, ProblemNote, WriteNote } from '../../parts/parts.tsx'
import { useMap } from '../../state/maps.ts'
import { useOwnStreams } from '../../state/streams.ts'
import { acceptSurvey, type Survey, undoSurvey } from '../../state/surveys.ts'
import { useWrite } from '../../state/write.ts'
import { counted, figureOf } from '../../words.ts'
import { type Correctable, CorrectionList } from './correction-list.tsx'
import { momentOf } from './correction-words.ts'
import { CamerasDrawn, TagsDrawn } from './corrections-drawn.tsx'

type Proposal = Survey['spec']['proposal']

/** What it takes. */
export interface ProposalCardProps {
  readonly survey: Survey
  readonly mayWrite: boolean
}

const MIN_LENS_PERCENT = 0.3
const BAD_MISFIT = 1.5

const lensWords = (share: number): string | undefined => {
  const percent = Math.abs(share) * 100
  if (percent < MIN_LENS_PERCENT) return undefined
  const comparison = `${figureOf(percent, 1)} % ${share > 0 ? 'larger' : 'smaller'}`
  return `Its focal length is ${comparison} than its calibration says: calibrate it again.`
}

const misfitWords = (misfit: number): string => {
  if (misfit < BAD_MISFIT) return 'Afterwards all that was seen fits.'
  const times = figureOf(misfit, 1)
  return `Afterwards what was seen still fits ${times} times worse than it should: cameras may want to be calibrated.`
}

/** All of it. What is wrong is chosen at first. */
export const ProposalCard = ({ survey, mayWrite }: ProposalCardProps) => {
  const { id, spec } = survey
  const { proposal, accepted } = spec
  const { value: map, problem } = useMap(proposal.map.id)
  const streams = useOwnStreams() ?? []
  const nameOf = (streamId: string) => streams.find((stream) => stream.id === streamId)?.spec.alias ?? streamId
  const tags = proposal.tags.map((tag): Correctable => ({ key: keyOfTag(tag), name: `Tag ${tag.id}`, found: tag }))
  const cameras = proposal.cameras.map(
    (camera): Correctable => ({
      key: camera.stream_id,
      name: nameOf(camera.stream_id),
      found: camera,
      note: lensWords(camera.lens_share),
    }),
  )
  const [chosenTags, setChosenTags] = useState(() => wrongKeys(tags))
  const [chosenCameras, setChosenCameras] = useState(() => wrongKeys(cameras))
  const [hasErrors, setHasErrors] = useState(false)
  const heeds = useCallback((ref: Readonly<Record<string, string>>) => ref.survey_id === id, [id])
  const { state, write } = useWrite({ heeds })
  const accept = () =>
    write(() =>
      acceptSurvey(id, {
        tags: proposal.tags
          .filter((tag) => chosenTags.includes(keyOfTag(tag)))
          .map(({ family, id }) => ({ family, id })),
        cameras: [...chosenCameras],
        errors: hasErrors,
      }),
    )
  return (
    <Card title={`Survey of ${momentOf(survey)}`} side={accepted && <Pill tone="good">accepted</Pill>}>
      {problem && <ProblemNote problem={problem} />}
      {map && <TagsDrawn map={map} tags={proposal.tags} />}
      <div className="card-body stack">
        <p className="hint">
          Made of {counted(proposal.rounds, 'place')}, by the map {map?.name ?? proposal.map.id}.{' '}
          {misfitWords(proposal.misfit)}
        </p>
        <CorrectionList
          legend="Tags"
          wrong="hangs wrong"
          items={tags}
          chosen={chosenTags}
          onChoose={setChosenTags}
          mayWrite={mayWrite}
        />
        {proposal.cameras.length > 0 && <CamerasDrawn cameras={proposal.cameras} streams={streams} nameOf={nameOf} />}
        <CorrectionList
          legend="Cameras"
          wrong="sits wrong"
          items={cameras}
          chosen={chosenCameras}
          onChoose={setChosenCameras}
          mayWrite={mayWrite}
        />
        {mayWrite && (
          <label className="row field-survey-errors">
            <input type="checkbox" checked={hasErrors} onChange={({ target }) => setHasErrors(target.checked)} />
            <span className="grow">
              Also take how far map and cameras may still be off
              <span className="hint field-map-size">{errorWords(proposal)} Sensible where all is accepted.</span>
            </span>
          </label>
        )}
        {accepted && <Accepted accepted={accepted} nameOf={nameOf} />}
        {mayWrite && (
          <div className="row">
            <Button kind="main" disabled={state.state === 'pending'} onClick={() => void accept()}>
              Accept what is chosen
            </Button>
            {accepted && (
              <Button disabled={state.state === 'pending'} onClick={() => void write(() => undoSurvey(id))}>
                Undo what was accepted
              </Button>
            )}
          </div>
        )}
        <WriteNote state={state} />
      </div>
    </Card>
  )
}

const wrongKeys = (items: readonly Correctable[]): readonly string[] =>
  items.filter(({ found }) => found.is_wrong).map(({ key }) => key)

const errorWords = ({ errors: { map_m, map_deg, mount_m, mount_deg } }: Proposal): string =>
  `A tag ${figureOf(map_m * 100, 1)} cm and ${figureOf(map_deg, 1)}°, a camera ${figureOf(
    mount_m * 100,
    1,
  )} cm and ${figureOf(mount_deg, 1)}°.`

interface AcceptedProps {
  readonly accepted: NonNullable<Survey['spec']['accepted']>
  readonly nameOf: (streamId: string) => string
}

/** What is in force of it. */
const Accepted = ({ accepted: { map_id, tag_count, cameras, has_errors }, nameOf }: AcceptedProps) => (
  <p>
    In force:{' '}
    {map_id !== null && (
      <>
        {counted(tag_count, 'tag')} in the map{' '}
        <Link href={`/field/maps?map=${encodeURIComponent(map_id)}`}>{map_id}</Link>
        {cameras.length > 0 || has_errors ? ', ' : '.'}
      </>
    )}
    {cameras.length > 0 && `the pose of ${cameras.map(nameOf).join(', ')}${has_errors ? ', ' : '.'}`}
    {has_errors && 'how far all may still be off.'}
  </p>
)
