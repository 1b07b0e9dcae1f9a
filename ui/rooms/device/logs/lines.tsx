// Lines of a log, the newest at the bottom.
import { memo, useLayoutEffect, useRef } from 'react'
import { browserTimeOf } from '../../../api/device-clock.ts'
import { Pill } from '../../../parts/parts.tsx'
import type { LogLevel, LogLine } from '../../../state/logs.ts'
import type { Tone } from '../../../words.ts'

const WORDS: Readonly<Record<LogLevel, readonly [tone: Tone, word: string]>> = {
  error: ['bad', 'error'],
  warn: ['busy', 'warning'],
  info: ['quiet', 'info'],
  debug: ['quiet', 'detail'],
}

const AT_THE_END_PX = 24

/** Since the start of the device, `+83.120 s`. */
const sinceStart = ({ boot, monotonic_us }: LogLine): string =>
  monotonic_us === null ? '' : `start ${boot ?? '?'} +${(monotonic_us / 1e6).toFixed(3)} s`

const timeOfDay = (ms: number): string => {
  const at = new Date(browserTimeOf(ms))
  return `${at.toLocaleTimeString(undefined, { hour12: false })}.${String(at.getMilliseconds()).padStart(3, '0')}`
}

const Line = memo(({ line, isMarked }: { readonly line: LogLine; readonly isMarked: boolean }) => {
  const [tone, word] = WORDS[line.level]
  return (
    <li data-level={line.level} className={isMarked ? 'is-marked' : undefined}>
      <span className="device-logs-time" title={new Date(browserTimeOf(line.at_ms)).toLocaleString()}>
        <time>{timeOfDay(line.at_ms)}</time>
        <small>{sinceStart(line)}</small>
      </span>
      <Pill tone={tone}>{word}</Pill>
      <span className="device-logs-said">
        {line.part !== null && <strong>{line.part}</strong>} {line.message}
        {line.facts && typeof line.facts.code === 'string' && <code>{line.facts.code}</code>}
      </span>
    </li>
  )
})

interface LinesProps {
  readonly lines: readonly LogLine[]
  /** Whether the newest line is kept in sight. */
  readonly isFollowing: boolean
  /** Somebody has scrolled away from the end. */
  readonly onLeaveEnd: () => void
  /** Lines from this time on are those that are looked for. */
  readonly aroundMs: number | undefined
}

export const Lines = ({ lines, isFollowing, onLeaveEnd, aroundMs }: LinesProps) => {
  const ref = useRef<HTMLElement>(null)
  const marked = aroundMs === undefined ? undefined : lines.find(({ at_ms }) => at_ms >= aroundMs)?.cursor
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that there are other lines
  useLayoutEffect(() => {
    const box = ref.current
    if (!box) return
    if (isFollowing) box.scrollTop = box.scrollHeight
    else if (marked !== undefined) box.querySelector('.is-marked')?.scrollIntoView({ block: 'center' })
  }, [lines, isFollowing, marked])
  return (
    <section
      ref={ref}
      className="device-logs-lines"
      aria-label="Lines"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled has to be reached by keys
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        if (isFollowing && scrollHeight - scrollTop - clientHeight > AT_THE_END_PX) onLeaveEnd()
      }}
    >
      <ol>
        {lines.map((line) => (
          <Line key={line.cursor} line={line} isMarked={line.cursor === marked} />
        ))}
      </ol>
    </section>
  )
}
