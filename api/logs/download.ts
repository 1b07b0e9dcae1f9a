// A log that is carried away: it is read page by page as its reader takes it, and packed on the way, so that little of
// it is in memory at any time. It ends with the log, when its reader has gone, and when it takes nothing for too long.
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { LogReader } from '../../actors/logs/tokens.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import type { LogLine, LogSourceId } from '../../machines/logs/line.ts'
import { type LogFilter, type LogPlace, OLDER_LINES_ARE_GONE } from '../../machines/logs/query.ts'

/** At the device. */
export const MAX_DOWNLOADS = 4
const PAGE_LINES = 1_000
const STALL_LIMIT_MS = 60_000

/** What is carried away, and how long it waits for its reader. done: called once, when nothing is read any more. */
export interface Download {
  readonly reader: LogReader
  readonly source: LogSourceId
  readonly filter: LogFilter
  readonly form: 'text' | 'json'
  readonly done: () => void
  readonly stallLimitMs?: number
}

/** Packed bytes. Fails before the first of them when the log cannot be read. */
export const download = async (wanted: Download): Promise<Readable | Fault> => {
  const { reader, source, filter, form, done, stallLimitMs = STALL_LIMIT_MS } = wanted
  const stop = new AbortController()
  const pageAt = (place: LogPlace) => reader.page({ source, filter, place, limit: PAGE_LINES }, stop.signal)
  const first = await pageAt({ way: 'newer' }).catch(aborted)
  if (isFault(first)) {
    done()
    return first
  }
  const write = form === 'json' ? jsonText : plainText

  async function* texts(): AsyncGenerator<string> {
    let page = first
    while (!isFault(page)) {
      const gone = page.isGone ? `${OLDER_LINES_ARE_GONE}\n` : ''
      const text = `${form === 'text' ? gone : ''}${page.lines.map(write).join('')}`
      if (text !== '') yield* inTime(text, stallLimitMs, () => packed.destroy())
      if (page.isEnd || !page.newer) return
      page = await pageAt(page.newer)
    }
  }

  const lines = Readable.from(texts(), { objectMode: false, highWaterMark: 1 })
  const packed = lines.pipe(createGzip({ level: 4 }))
  lines.once('error', () => packed.destroy()) // it is cut off, so that nobody takes it for the whole
  packed.once('close', () => {
    stop.abort()
    lines.destroy()
    done()
  })
  return packed
}

/** A reader that has gone while the first page was looked for. */
const aborted = (): Fault => ({ code: 'device.failed', detail: 'the log cannot be read now' })

async function* inTime(text: string, limitMs: number, stalled: () => void): AsyncGenerator<string> {
  const timer = setTimeout(stalled, limitMs)
  try {
    yield text
  } finally {
    clearTimeout(timer)
  }
}

const jsonText = (line: LogLine): string => `${JSON.stringify(line)}\n`

/** `7 +83.120455 2026-01-01 01:01:40.000Z warn  nt4: the robot does not answer code=nt4.unreachable` */
const plainText = ({ boot, monotonic_us, at_ms, level, part, pid, message, facts }: LogLine): string => {
  const since = monotonic_us === null ? '?' : (monotonic_us / 1e6).toFixed(6)
  const at = new Date(at_ms).toISOString().replace('T', ' ')
  const who = part === null ? '' : `${part}${pid === null ? '' : `[${pid}]`}: `
  const shown = Object.entries(facts ?? {}).map(
    ([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const head = `${boot ?? '?'} +${since} ${at} ${level.padEnd(5)} ${who}`
  return `${head}${message.replaceAll('\n', '\n    ')}${shown.join('')}\n`
}
