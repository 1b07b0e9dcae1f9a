// The stream that is to have a calibration, what it has now, and what became of the change.
import { useRef } from 'react'
import { Button, Field, ProblemNote, WriteNote } from '../../parts/parts.tsx'
import { calibrations, type FoundCalibration } from '../../state/calibrations.ts'
import { useKnownOf } from '../../state/live.ts'
import type { Stream } from '../../state/streams.ts'
import type { WriteState } from '../../state/write.ts'
import { figureOf } from '../../words.ts'

const cameraOf = ({ spec: { source } }: Stream): string | undefined =>
  source.backend === 'v4l2' ? source.camera_uid : undefined

/** The one that it was made for, else one of the same unit, of the same size, any. */
export const streamFor = (
  all: readonly Stream[],
  { stream_id, camera_uid, width_px, height_px }: FoundCalibration,
): Stream | undefined =>
  all.find(({ id }) => id === stream_id) ??
  all.find((stream) => camera_uid !== null && cameraOf(stream) === camera_uid) ??
  all.find(({ status }) => status.width_px === width_px && status.height_px === height_px) ??
  all[0]

interface SelectProps {
  readonly all: readonly Stream[]
  readonly chosen: Stream
  readonly onChoose: (id: string) => void
}

/** Which one, and what it has now. */
export const StreamSelect = ({ all, chosen, onChoose }: SelectProps) => {
  const lens = useLensWords(chosen)
  return (
    <Field name="Stream" hint={`It has now: ${lens}.`}>
      {(id, describedBy) => (
        <select
          id={id}
          className="input"
          aria-describedby={describedBy}
          value={chosen.id}
          onChange={({ target }) => onChoose(target.value)}
        >
          {all.map((stream) => (
            <option key={stream.id} value={stream.id}>
              {stream.spec.alias}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

const lensOf = ({ spec }: Stream): string => JSON.stringify(spec.intrinsics ?? null)

/** The calibration that a stream has, by its name where it is kept. */
export const useLensWords = (stream: Stream | undefined): string => {
  const lens = stream && lensOf(stream)
  const kept = useKnownOf(calibrations, ({ value }) =>
    value?.find(({ spec }) => JSON.stringify(spec.intrinsics) === lens),
  )
  const intrinsics = stream?.spec.intrinsics
  if (!intrinsics) return 'no calibration'
  const { width_px, height_px, fx_px } = intrinsics
  return kept ? kept.spec.name : `one of ${width_px}×${height_px} with fx ${figureOf(fx_px, 1)} px, which is not kept`
}

/**
 * The revision that a change of its lens expects: where somebody else has changed the lens since this is open, the one
 * before.
 */
export const useExpected = (stream: Stream | undefined) => {
  const seen = useRef<{ readonly id: string; readonly lens: string; readonly revision: number }>(undefined)
  if (stream && seen.current?.id !== stream.id)
    seen.current = { id: stream.id, lens: lensOf(stream), revision: stream.revision }
  const isSame = stream && seen.current?.lens === lensOf(stream)
  return {
    expected: (isSame ? stream.revision : seen.current?.revision) ?? 0,
    /** Takes what it has now for known. */
    accept: () => {
      seen.current = undefined
    },
  }
}

interface NoteProps {
  readonly state: WriteState
  readonly theirs: string
  readonly mine: string
  readonly onTakeTheirs: () => void
  readonly onSetMine: () => void
  /** Though it is poor, or of another unit. */
  readonly onForce: () => void
}

/** What became of it; where it is refused unless somebody insists, the button for that. */
export const InForceNote = ({ state, onForce, ...conflict }: NoteProps) => {
  if (state.state !== 'refused' || state.problem.code !== 'calibration.needs_force')
    return <WriteNote state={state} {...conflict} />
  return (
    <div className="stack">
      <ProblemNote problem={state.problem} />
      <div>
        <Button kind="danger" onClick={onForce}>
          Put it in force all the same
        </Button>
      </div>
    </div>
  )
}
