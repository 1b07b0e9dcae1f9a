// Plays a video that the browser can play by itself, with the same controls as a recording.
import { type ReactNode, useRef, useState } from 'react'
import { contentUrl, type MediaItem } from '../../state/media.ts'
import { Transport } from './transport.tsx'

const DEFAULT_FPS = 30

interface VideoPlayerProps {
  readonly item: MediaItem
  readonly startMs: number
  readonly onStand: (atMs: number) => void
  /** The browser does not play it. */
  readonly onRefused: () => void
  readonly over: (atMs: number) => ReactNode
  readonly more: (atMs: number) => ReactNode
}

/** A player of a video. */
export const VideoPlayer = ({ item, startMs, onStand, onRefused, over, more }: VideoPlayerProps) => {
  const { name, duration_ms, frames } = item
  const video = useRef<HTMLVideoElement>(null)
  const [atMs, setAtMs] = useState(startMs)
  const [durationMs, setDurationMs] = useState(duration_ms ?? 0)
  const [isPlaying, setPlaying] = useState(false)
  const [speed, setSpeed] = useState(1)
  const betweenMs = frames && frames > 1 && durationMs > 0 ? durationMs / frames : 1000 / DEFAULT_FPS

  const seek = (ms: number) => {
    video.current?.pause()
    if (video.current) video.current.currentTime = Math.max(0, ms) / 1000
  }
  const playback = {
    atMs,
    durationMs,
    isPlaying,
    speed,
    play: () => void video.current?.play(),
    pause: () => video.current?.pause(),
    seek,
    step: (by: 1 | -1) => seek(atMs + by * betweenMs),
    setSpeed: (to: number) => {
      setSpeed(to)
      if (video.current) video.current.playbackRate = to
    },
  }
  return (
    <>
      <div className="media-stage">
        <video
          ref={video}
          src={contentUrl(name)}
          aria-label={name}
          muted
          playsInline
          preload="auto"
          onError={onRefused}
          onLoadedMetadata={({ currentTarget }) => {
            if (Number.isFinite(currentTarget.duration)) setDurationMs(currentTarget.duration * 1000)
            currentTarget.currentTime = startMs / 1000
          }}
          onPlay={() => setPlaying(true)}
          onPause={() => {
            setPlaying(false)
            onStand(atMs)
          }}
          onTimeUpdate={({ currentTarget }) => setAtMs(currentTarget.currentTime * 1000)}
          onSeeked={({ currentTarget }) => onStand(currentTarget.currentTime * 1000)}
        />
        {over(atMs)}
      </div>
      <Transport playback={playback}>{more(atMs)}</Transport>
    </>
  )
}
