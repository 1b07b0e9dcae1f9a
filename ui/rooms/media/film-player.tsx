// Plays a recording of JPEGs: each picture is drawn as it comes, and what stands over it is that of this very picture.
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import type { Problem } from '../../api/client.ts'
import { ProblemNote } from '../../parts/parts.tsx'
import { contentUrl, type MediaItem } from '../../state/media.ts'
import { type FilmPicture, filmPictures, NotPlayed, pictureBefore, pictureFrom } from './film.ts'
import { Transport } from './transport.tsx'

const DEFAULT_BETWEEN_MS = 33
const CLOCK_MS = 0.5 // two pictures are never nearer

interface FilmPlayerProps {
  readonly item: MediaItem
  /** Where it begins. */
  readonly startMs: number
  /** Told where it stands, whenever it does. */
  readonly onStand: (atMs: number) => void
  /** What stands over the picture of a time. */
  readonly over: (atMs: number) => ReactNode
  /** More controls, for the picture of a time. */
  readonly more: (atMs: number) => ReactNode
}

/** A player of a recording. */
export const FilmPlayer = ({ item, startMs, onStand, over, more }: FilmPlayerProps) => {
  const { name, duration_ms, frames } = item
  const url = contentUrl(name)
  const durationMs = duration_ms ?? 0
  const betweenMs = frames && frames > 1 ? durationMs / frames : DEFAULT_BETWEEN_MS
  const steps = useRef({ left: 0, isStepping: false })
  const canvas = useRef<HTMLCanvasElement>(null)
  const broken = useRef<AbortController>(undefined)
  const [atMs, setAtMs] = useState(startMs)
  const [isPlaying, setPlaying] = useState(false)
  const [speed, setSpeed] = useState(1)
  const [problem, setProblem] = useState<Problem>()

  const show = useCallback(async ({ atMs, jpeg }: FilmPicture, signal: AbortSignal) => {
    const bitmap = await createImageBitmap(jpeg)
    const target = canvas.current
    if (target && !signal.aborted) {
      target.width = bitmap.width
      target.height = bitmap.height
      target.getContext('2d')?.drawImage(bitmap, 0, 0)
      setAtMs(atMs)
    }
    bitmap.close()
  }, [])

  /** One thing at a time: what was going on is broken off. */
  const go = useCallback(async (what: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    broken.current?.abort()
    const mine = new AbortController()
    broken.current = mine
    setProblem(undefined)
    try {
      await what(mine.signal)
    } catch (error) {
      if (mine.signal.aborted) return
      if (!(error instanceof NotPlayed)) throw error
      setProblem(error.problem)
    } finally {
      if (!mine.signal.aborted) setPlaying(false)
    }
  }, [])

  const playFrom = (fromMs: number, speed: number) => {
    setPlaying(true)
    void go(async (signal) => {
      for await (const picture of filmPictures(url, { fromMs, speed, signal })) await show(picture, signal)
    })
  }
  const stand = useCallback(
    (find: (signal: AbortSignal) => Promise<FilmPicture | undefined>) => {
      setPlaying(false)
      void go(async (signal) => {
        const picture = await find(signal)
        if (!picture || signal.aborted) return
        await show(picture, signal)
        onStand(picture.atMs)
      })
    },
    [go, show, onStand],
  )
  /** However fast they are pressed, each one counts. */
  const step = (by: 1 | -1) => {
    const pressed = steps.current
    pressed.left += by
    if (pressed.isStepping) return
    pressed.isStepping = true
    setPlaying(false)
    const goOn = async (signal: AbortSignal) => {
      let at = atMs
      while (pressed.left !== 0) {
        const isOn = pressed.left > 0
        pressed.left -= isOn ? 1 : -1
        const picture = await (isOn
          ? pictureFrom(url, at + CLOCK_MS, signal)
          : pictureBefore(url, at, betweenMs, signal))
        if (signal.aborted) return
        if (picture) await show(picture, signal)
        at = picture?.atMs ?? at
      }
      onStand(at)
    }
    void go(goOn).finally(() => {
      steps.current = { left: 0, isStepping: false }
    })
  }
  const seek = useCallback(
    (ms: number) => {
      setAtMs(ms)
      stand(async (signal) => (await pictureFrom(url, ms, signal)) ?? pictureBefore(url, ms, betweenMs, signal))
    },
    [stand, url, betweenMs],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: it begins once, and each item has a player of its own
  useEffect(() => {
    seek(startMs)
    return () => broken.current?.abort()
  }, [])

  const playback = {
    atMs,
    durationMs,
    isPlaying,
    speed,
    play: () => playFrom(atMs >= durationMs - 2 * betweenMs ? 0 : atMs, speed),
    pause: () => {
      broken.current?.abort()
      setPlaying(false)
      onStand(atMs)
    },
    seek,
    step,
    setSpeed: (to: number) => {
      setSpeed(to)
      if (isPlaying) playFrom(atMs, to)
    },
  }
  return (
    <>
      {problem && <ProblemNote problem={problem} />}
      <div className="media-stage">
        <canvas ref={canvas} role="img" aria-label={name} data-at-ms={atMs} />
        {over(atMs)}
      </div>
      <Transport playback={playback}>{more(atMs)}</Transport>
    </>
  )
}
