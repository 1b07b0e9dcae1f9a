// The controls below something that is played: they know nothing of how that is done.
import { ChevronFirst, ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { Button } from '../../parts/parts.tsx'

/** Something that is played, as its controls see it. */
export interface Playback {
  readonly atMs: number
  readonly durationMs: number
  readonly isPlaying: boolean
  /** How many times faster than it was taken. */
  readonly speed: number
  readonly play: () => void
  readonly pause: () => void
  /** Goes to a time, and stays there. */
  readonly seek: (atMs: number) => void
  /** Goes a picture on, or back. */
  readonly step: (by: 1 | -1) => void
  readonly setSpeed: (speed: number) => void
}

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8]

/** `1:02.40` */
export const clockOf = (ms: number): string => {
  const hundredths = Math.floor(ms / 10)
  const seconds = Math.floor(hundredths / 100)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}.${two(hundredths % 100)}`
}

/** The milliseconds of `62.4` or `1:02.4`; undefined: it is no time. */
export const msOf = (text: string): number | undefined => {
  const [, minutes = '0', seconds = ''] = /^(?:(\d+):)?(\d+(?:[.,]\d*)?)$/.exec(text.trim()) ?? []
  return seconds === '' ? undefined : Math.round((Number(minutes) * 60 + Number(seconds.replace(',', '.'))) * 1000)
}

const Jump = ({ seek, durationMs }: Playback) => {
  const id = useId()
  const [text, setText] = useState('')
  const ms = msOf(text)
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault()
        if (ms === undefined) return
        seek(Math.min(ms, durationMs))
        setText('')
      }}
    >
      <label htmlFor={id}>Go to</label>
      <input
        id={id}
        className="media-time"
        inputMode="decimal"
        placeholder="0:12.4"
        value={text}
        aria-invalid={text !== '' && ms === undefined}
        onChange={({ target }) => setText(target.value)}
      />
      <Button type="submit" disabled={ms === undefined}>
        Go
      </Button>
    </form>
  )
}

const KEYS: Readonly<Record<string, (playback: Playback) => void>> = {
  ' ': ({ isPlaying, play, pause }) => (isPlaying ? pause() : play()),
  ',': ({ step }) => step(-1),
  '.': ({ step }) => step(1),
}

/** Where it is, and everything that can be done with it. children: more of the same row. */
export const Transport = ({ playback, children }: { readonly playback: Playback; readonly children?: ReactNode }) => {
  const { atMs, durationMs, isPlaying, speed, play, pause, seek, step, setSpeed } = playback
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    const { tagName = '', type = '' } = event.target as Partial<HTMLInputElement>
    const isTyped = tagName === 'SELECT' || (tagName === 'INPUT' && type !== 'range' && type !== 'checkbox')
    const isPressed = event.key === ' ' && ['BUTTON', 'INPUT'].includes(tagName) // the control does that itself
    const key = KEYS[event.key]
    if (!key || isTyped || isPressed) return
    event.preventDefault()
    key(playback)
  }
  return (
    <fieldset className="media-transport" onKeyDown={onKey} aria-label="Player">
      <input
        type="range"
        aria-label="Time"
        aria-valuetext={clockOf(atMs)}
        title="Keys: comma and full stop go a picture back and on"
        min={0}
        max={Math.max(1, Math.round(durationMs))}
        step={1}
        value={Math.round(Math.min(atMs, durationMs))}
        onChange={({ target }) => seek(Number(target.value))}
      />
      <div className="row">
        <Button icon={<ChevronFirst size={18} aria-hidden />} aria-label="To the beginning" onClick={() => seek(0)} />
        <Button
          icon={<ChevronLeft size={18} aria-hidden />}
          aria-label="One picture back"
          disabled={atMs <= 0}
          onClick={() => step(-1)}
        />
        <Button
          kind="main"
          icon={isPlaying ? <Pause size={18} aria-hidden /> : <Play size={18} aria-hidden />}
          onClick={isPlaying ? pause : play}
        >
          {isPlaying ? 'Pause' : 'Play'}
        </Button>
        <Button icon={<ChevronRight size={18} aria-hidden />} aria-label="One picture on" onClick={() => step(1)} />
        <output className="media-clock">
          {clockOf(atMs)} <span className="unit">of {clockOf(durationMs)}</span>
        </output>
        <label className="row">
          Speed
          <select value={speed} onChange={({ target }) => setSpeed(Number(target.value))}>
            {SPEEDS.map((each) => (
              <option key={each} value={each}>
                {each}×
              </option>
            ))}
          </select>
        </label>
        <Jump {...playback} />
        {children}
      </div>
    </fieldset>
  )
}
