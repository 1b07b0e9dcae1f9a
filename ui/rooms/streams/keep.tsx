// Keeping what a stream shows: a picture, the last seconds, a recording; and what came of it.
import { Camera, Circle, History, Square } from 'lucide-react'
import { useCallback, useState } from 'react'
import { Link } from 'wouter'
import type { Answer, Documents } from '../../api/client.ts'
import { Button, WriteNote } from '../../parts/parts.tsx'
import { type AnyStream, isRemote } from '../../state/streams.ts'
import { useWrite } from '../../state/write.ts'
import { mediaAddress } from './describe.ts'
import { RecordingClock } from './recording-clock.tsx'
import type { StreamTarget } from './target.ts'

type Item = Documents['MediaItem']

interface KeepProps {
  readonly stream: AnyStream
  readonly target: StreamTarget
}

/** The recording of a stream of another device, as far as it was begun here: its list does not tell. */
const useRecording = ({ stream, target }: KeepProps) => {
  const [begunHere, setBegunHere] = useState(false)
  const isGoing = isRemote(stream) ? begunHere : stream.status.recording !== null
  const start = useCallback(async (): Promise<Answer<Item>> => {
    const answer = await target.startRecording()
    if (answer.ok) setBegunHere(true)
    return answer
  }, [target])
  const stop = useCallback(async (): Promise<Answer<unknown>> => {
    const answer = await target.stopRecording()
    if (answer.ok) setBegunHere(false)
    return answer
  }, [target])
  return { isGoing, start, stop }
}

/** The buttons, and below them what was kept. */
export const Keep = ({ stream, target }: KeepProps) => {
  const { state, write } = useWrite({ target: target.device })
  const { isGoing, start, stop } = useRecording({ stream, target })
  const [kept, setKept] = useState<{ readonly words: string; readonly name: string }>()
  const [isOffered, setOffered] = useState(false)
  const isPending = state.state === 'pending'
  const hasRewind = !isRemote(stream) && stream.spec.rewind?.enabled === true

  const note = (words: string, answer: Answer<Item | undefined>) => {
    if (answer.ok && answer.value) setKept({ words, name: answer.value.name })
  }
  const snapshot = async () => note('Kept a picture', await write(target.snapshot))
  const record = async () => note('Recording', await write(start))
  const end = async () => {
    if ((await write(stop)).ok) setKept((now) => now && { ...now, words: 'Recorded' })
  }
  const rewind = async () => note('Kept the last seconds', await write(target.keepRewind))
  return (
    <div className="streams-keep">
      <div className="row">
        <Button icon={<Camera size={16} aria-hidden />} disabled={isPending} onClick={() => void snapshot()}>
          Snapshot
        </Button>
        {!isRemote(stream) && (
          <Button
            icon={<History size={16} aria-hidden />}
            disabled={isPending || isGoing}
            onClick={() => (hasRewind ? void rewind() : setOffered(true))}
          >
            Last 10 s
          </Button>
        )}
        {isGoing ? (
          <Button icon={<Square size={14} aria-hidden />} disabled={isPending} onClick={() => void end()}>
            Stop recording
          </Button>
        ) : (
          <Button
            icon={<Circle size={14} aria-hidden className="streams-dot" />}
            disabled={isPending}
            onClick={() => void record()}
          >
            Record
          </Button>
        )}
        {isGoing && !isRemote(stream) && <RecordingClock stream={stream} />}
      </div>
      {isOffered && !hasRewind && (
        <div className="row">
          <span className="hint">This stream does not keep its last seconds yet.</span>
          <Button disabled={isPending} onClick={() => void write(() => target.change({ rewind: { enabled: true } }))}>
            Keep them from now on
          </Button>
        </div>
      )}
      {kept && (
        <p className="hint" role="status">
          {kept.words}
          {target.device ? (
            ` on ${target.device}: ${kept.name}`
          ) : (
            <>
              : <Link href={mediaAddress(kept.name)}>{kept.name}</Link>
            </>
          )}
        </p>
      )}
      <WriteNote state={state} />
    </div>
  )
}
