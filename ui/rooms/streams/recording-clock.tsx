// How long the present file of a recording is. The device tells it now and then, and in between it goes on by itself.
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
  const state = status.recording?.state ?? 'recording'
  const isGoing = ['recording', 'starting'].includes(state)
  /** at: when it was told, or when it went on after that; null: it pauses. */
  const [told, setTold] = useState({ ms: toldMs, at: isGoing ? Date.now() : null })
  const [, setTick] = useState(0)
  useEffect(() => setTold({ ms: toldMs, at: isGoing ? Date.now() : null }), [toldMs, isGoing])
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), 500)
    return () => clearInterval(timer)
  }, [])
  const sinceMs = isGoing && told.at !== null ? Date.now() - told.at : 0
  return (
    <span className="streams-recording" title={state}>
      {WORDS[state] ?? state} {clockOf(told.ms + sinceMs)}
    </span>
  )
}
