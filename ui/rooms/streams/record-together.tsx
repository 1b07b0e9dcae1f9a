// Recording several streams at once.
import { Circle, Square } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { api, ask, type Documents, type Problem } from '../../api/client.ts'
import { Button, ProblemNote } from '../../parts/parts.tsx'
import type { Stream } from '../../state/streams.ts'
import { counted } from '../../words.ts'
import { mediaAddress } from './describe.ts'

interface Outcome {
  readonly words: string
  readonly items: readonly string[]
  readonly problems: readonly { readonly alias: string; readonly problem: Problem }[]
}

const start = (id: string) =>
  ask<Documents['MediaItem']>(api.POST('/v1/streams/{id}/recording/start', { params: { path: { id } }, body: {} }))

const stop = (id: string) => ask(api.POST('/v1/streams/{id}/recording/stop', { params: { path: { id } }, body: {} }))

/** What can be done with the streams that are chosen, and what came of it. */
export const RecordTogether = ({ chosen }: { readonly chosen: readonly Stream[] }) => {
  const [outcome, setOutcome] = useState<Outcome>()
  const [isBusy, setBusy] = useState(false)
  const going = chosen.filter(({ status }) => status.recording)
  const idle = chosen.filter(({ status }) => !status.recording)

  const order = async (of: readonly Stream[], act: typeof start | typeof stop, done: string) => {
    setBusy(true)
    const answers = await Promise.all(of.map(async (stream) => ({ stream, answer: await act(stream.id) })))
    setBusy(false)
    setOutcome({
      words: `${done} ${counted(answers.filter(({ answer }) => answer.ok).length, 'stream')}`,
      items: answers.flatMap(({ answer }) => (answer.ok && answer.value ? [answer.value.name] : [])),
      problems: answers.flatMap(({ stream, answer }) =>
        answer.ok ? [] : [{ alias: stream.spec.alias, problem: answer.problem }],
      ),
    })
  }
  return (
    <div className="row">
      {outcome && (
        <div role="status" className="hint">
          {outcome.words}
          {outcome.items[0] && (
            <>
              , <Link href={mediaAddress(outcome.items[0])}>see the media</Link>
            </>
          )}
          {outcome.problems.map(({ alias, problem }) => (
            <ProblemNote key={alias} title={`${alias}:`} problem={problem} />
          ))}
        </div>
      )}
      {chosen.length === 0 && !outcome && <span className="hint">Choose streams to record them together</span>}
      {idle.length > 0 && (
        <Button
          icon={<Circle size={14} aria-hidden className="streams-dot" />}
          disabled={isBusy}
          onClick={() => void order(idle, start, 'recording')}
        >
          Record {counted(idle.length, 'stream')}
        </Button>
      )}
      {going.length > 0 && (
        <Button
          icon={<Square size={14} aria-hidden />}
          disabled={isBusy}
          onClick={() => void order(going, stop, 'stopped')}
        >
          Stop {counted(going.length, 'recording')}
        </Button>
      )}
    </div>
  )
}
