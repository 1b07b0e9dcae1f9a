// A calibration is put in force on a stream.
import { useCallback, useState } from 'react'
import { Button, Dialog } from '../../parts/parts.tsx'
import { applyCalibration, type KeptCalibration } from '../../state/calibrations.ts'
import { useOwnStreams } from '../../state/streams.ts'
import { useWrite } from '../../state/write.ts'
import { InForceNote, StreamSelect, streamFor, useExpected, useLensWords } from './stream-to-have-it.tsx'
import { VerdictPill } from './verdict.tsx'
import { describeMode, MEANINGS } from './words.ts'

interface DialogProps {
  readonly kept: KeptCalibration
  readonly onClose: () => void
}

/** The dialog. */
export const ApplyDialog = ({ kept: { id, spec, status }, onClose }: DialogProps) => {
  const all = useOwnStreams() ?? []
  const [choice, choose] = useState<string>()
  const chosen = all.find((stream) => stream.id === choice) ?? streamFor(all, spec)
  const streamId = chosen?.id ?? ''
  const heeds = useCallback(
    (ref: Readonly<Record<string, string>>) => ref.stream_id === streamId && ref.peer_id === undefined,
    [streamId],
  )
  const { state, write, clear } = useWrite({ heeds })
  const { expected, accept } = useExpected(chosen)
  const theirs = useLensWords(chosen)
  const put = async (options: { readonly force?: boolean } = {}, expected_revision = expected) => {
    const answer = await write(() => applyCalibration(streamId, id, { expected_revision, ...options }))
    if (answer.ok) accept()
  }
  const isThere = status.in_force_on.includes(streamId)
  return (
    <Dialog title={`Put ${spec.name} in force`} onClose={onClose}>
      <p>
        <VerdictPill verdict={spec.verdict} /> {MEANINGS[spec.verdict]} It is of {describeMode(spec)}.
      </p>
      {chosen ? (
        <StreamSelect
          all={all}
          chosen={chosen}
          onChoose={(to) => {
            choose(to)
            clear()
          }}
        />
      ) : (
        <p>There is no stream yet.</p>
      )}
      <InForceNote
        state={state}
        theirs={theirs}
        mine={spec.name}
        onTakeTheirs={() => {
          accept()
          clear()
        }}
        onSetMine={() => void put({}, chosen?.revision)}
        onForce={() => void put({ force: true })}
      />
      <div className="row">
        <Button kind="main" disabled={!chosen || isThere || state.state === 'pending'} onClick={() => void put()}>
          {isThere ? 'It is in force there' : 'Put it in force'}
        </Button>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  )
}
