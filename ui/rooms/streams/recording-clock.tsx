// How long a stream has been recorded. The device tells it now and then, and in between it goes on by itself.
import { useEffect, useState } from 'react'
import type { Stream } from '../../state/streams.ts'
import { useFigures } from '../../state/streams.ts'

const pad = (value: number): string => String(value).padStart(2, '0')

/** `2:05`, `1:02:05`. */
export const clockOf = (ms: number): string => {
  const seconds = Math.floor(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`
}

const WORDS: Readonly<Record<string, string>> = {
  recording: 'recording',
  continuing: 'going on in another file',
  waiting: 'waiting for pictures',
  'breaking-off': 'ending',
  stopping: 'ending',
}

/** The state of the recording in a word, and its clock. */
export const RecordingClock = ({ stream: { id, status } }: { readonly stream: Stream }) => {
  const figures = useFigures(id)
  const toldMs = figures?.recording?.duration_ms ?? status.recording?.duration_ms ?? 0
  const [told, setTold] = useState({ ms: toldMs, at: Date.now() })
  const [, setTick] = useState(0)
  useEffect(() => setTold({ ms: toldMs, at: Date.now() }), [toldMs])
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), 500)
    return () => clearInterval(timer)
  }, [])
  const state = status.recording?.state ?? 'recording'
  const isGoing = ['recording', 'starting'].includes(state)
  return (
    <span className="streams-recording" title={state}>
      {WORDS[state] ?? state} {clockOf(isGoing ? told.ms + Date.now() - told.at : told.ms)}
    </span>
  )
}
