// What to do with a calibration that was solved just now: it is kept, and put in force on the stream.
import { useState } from 'react'
import { useLocation } from 'wouter'
import { Button, Card, Field } from '../../parts/parts.tsx'
import { type FoundCalibration, saveCalibration } from '../../state/calibrations.ts'
import { useOwnStreams } from '../../state/streams.ts'
import { useWrite } from '../../state/write.ts'
import { InForceNote, StreamSelect, streamFor, useExpected, useLensWords } from './stream-to-have-it.tsx'
import { addressOf } from './words.ts'

const MAX_NAME_LENGTH = 80

interface CardProps {
  readonly jobId: string
  readonly calibration: FoundCalibration
}

/** The card. */
export const SaveCard = ({ jobId, calibration }: CardProps) => {
  const all = useOwnStreams() ?? []
  const [choice, choose] = useState<string>()
  const [name, setName] = useState(calibration.name)
  const [, go] = useLocation()
  const chosen = all.find(({ id }) => id === choice) ?? streamFor(all, calibration)
  const { state, write, clear } = useWrite()
  const { expected, accept } = useExpected(chosen)
  const theirs = useLensWords(chosen)
  const isPoor = calibration.verdict === 'poor'
  const save = async (apply: boolean, options: { readonly force?: boolean } = {}, expected_revision = expected) => {
    const wanted = { name: name.trim() || calibration.name, apply, expected_revision, ...options }
    const answer = await write(() => saveCalibration(chosen?.id ?? '', jobId, wanted))
    if (answer.ok) go(addressOf(answer.value.calibration_id))
  }
  const isDisabled = !chosen || state.state === 'pending'
  return (
    <Card title="Keep it">
      <div className="card-body stack">
        <div className="calibration-keep">
          <Field name="Name">
            {(id) => (
              <input
                id={id}
                className="input"
                value={name}
                maxLength={MAX_NAME_LENGTH}
                onChange={({ target }) => setName(target.value)}
              />
            )}
          </Field>
          {chosen && (
            <StreamSelect
              all={all}
              chosen={chosen}
              onChoose={(to) => {
                choose(to)
                clear()
              }}
            />
          )}
        </div>
        {isPoor && <p>It is poor: poses would be off with it. Better take other pictures, as is said above.</p>}
        <div className="row">
          <Button {...(!isPoor && { kind: 'main' as const })} disabled={isDisabled} onClick={() => void save(true)}>
            Save and put in force
          </Button>
          <Button disabled={isDisabled} onClick={() => void save(false)}>
            Only save
          </Button>
        </div>
        <InForceNote
          state={state}
          theirs={theirs}
          mine={name}
          onTakeTheirs={() => {
            accept()
            clear()
          }}
          onSetMine={() => void save(true, {}, chosen?.revision)}
          onForce={() => void save(true, { force: true })}
        />
      </div>
    </Card>
  )
}
