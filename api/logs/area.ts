// The logs of this device: our own, that of the system, and that of its kernel.
import { DIRECTORY, type Directory } from '../../actors/directory.ts'
import { LOG_READER, type LogReader } from '../../actors/logs/tokens.ts'
import { type Fault, isFault } from '../../machines/errors/fault.ts'
import { logChanged } from '../../machines/logs/events.ts'
import { LOG_LEVEL_AT_START } from '../../machines/logs/level.ts'
import { SOURCES } from '../../machines/logs/line.ts'
import { type LogPlace, OLDER_LINES_ARE_GONE, placeText, readPlace } from '../../machines/logs/query.ts'
import { LOG_DOCUMENT, logCollection, logSettingsIn } from '../../machines/logs/settings.ts'
import { oneLine } from '../../machines/schema/one-line.ts'
import { mergeOrder } from '../../machines/settings/commit.ts'
import type { Given } from '../../machines/token.ts'
import { OWN_LOG } from '../../native/logs/port.ts'
import { keepForViewer, onlyListens } from '../connections/connections.ts'
import { sendHead } from '../endpoints/answer.ts'
import { areaOf } from '../endpoints/area.ts'
import { command } from '../endpoints/command.ts'
import { custom } from '../endpoints/custom.ts'
import { area } from '../endpoints/endpoint.ts'
import { feed } from '../endpoints/feed.ts'
import { read } from '../endpoints/read.ts'
import { SUCCESS } from '../problems/faults.ts'
import { sendProblem } from '../problems/problem.ts'
import { download, MAX_DOWNLOADS } from './download.ts'
import { followMessages } from './follow-messages.ts'
import { LogFollowers, MAX_FOLLOWERS } from './followers.ts'
import {
  DEFAULT_PAGE_LIMIT,
  downloadQuery,
  filterIn,
  followQuery,
  LogChange,
  LogFile,
  LogPage,
  LogSources,
  type PageQuery,
  pageExample,
  pageQuery,
  sourcesExample,
} from './wire.ts'

const TRY_AGAIN_LATER = 1013
const GZIP = 'application/gzip'

const needs = { directory: DIRECTORY, reader: LOG_READER, own: OWN_LOG, levelAtStart: LOG_LEVEL_AT_START }
type LogParts = Given<typeof needs>

export const logArea = areaOf(needs, (parts) => {
  const { reader } = parts
  const followers = new LogFollowers(reader)
  let downloads = 0

  const rows = [
    read('GET', '/v1/device/logs/sources', {
      summary: 'Which logs there are',
      about: oneLine`
        A log that is not there says why. The starts of the device are counted by this service, since a robot has no
        clock that goes on without power: within a start lines are ordered by a clock that nobody sets.
      `,
      answer: LogSources,
      example: sourcesExample,
      get: () => sourcesDocument(parts),
    }),

    command('PATCH', '/v1/device/logs/sources', {
      summary: 'Change how much the service writes into its log',
      about: 'In force at once, and kept. A part is that of the lines; one that is null is as all others again.',
      conditional: true,
      publishes: [logChanged],
      to: 'settings',
      body: { schema: LogChange, example: { parts: { nt4: 'debug' } } },
      send: ({ body, expected }) => mergeOrder(logCollection, LOG_DOCUMENT, body as object, expected),
      answer: { schema: LogSources, example: sourcesExample, of: () => sourcesDocument(parts) },
    }),

    read('GET', '/v1/device/logs', {
      summary: 'Lines of a log',
      about: oneLine`
        The newest, or those around a cursor; with \`level\` only those that matter so much or more. Pages stay as
        they are while lines come in. Secrets are taken out of each line, whoever wrote it.
      `,
      query: pageQuery,
      answer: LogPage,
      example: pageExample,
      get: ({ query }) => pageDocument(reader, query),
      faults: ['cursor.unknown', 'device.failed'],
    }),

    custom('GET', '/v1/device/logs/download', {
      because: 'it is written while it is read, so that nobody knows its length, and is saved under a name',
      summary: 'A log as a file',
      about: oneLine`
        Packed with gzip, the oldest line first, as large as the log is: it is sent as it is read. With \`level\` only
        lines that matter so much or more. At most four at a time; a reader that takes nothing for a minute is cut off.
      `,
      query: downloadQuery,
      answer: {
        status: 'ok',
        mediaType: GZIP,
        schema: LogFile,
        headers: { 'Content-Disposition': 'A name for the file.' },
      },
      serve: async ({ query: { form = 'text', source = 'own', ...rest }, request }, reply) => {
        if (downloads >= MAX_DOWNLOADS) return sendProblem(reply, tooMany(`${MAX_DOWNLOADS} logs are being downloaded`))
        const name = `vedette-${source}.${form === 'json' ? 'jsonl' : 'log'}.gz`
        reply.headers({ 'cache-control': 'no-store', 'content-disposition': `attachment; filename="${name}"` })
        if (request.method === 'HEAD') return sendHead(reply, GZIP)
        downloads += 1
        const done = () => {
          downloads -= 1
        }
        const found = await download({ reader, source, form, filter: filterIn(rest), done })
        if (isFault(found)) return sendProblem(reply.removeHeader('content-disposition'), found)
        keepForViewer(reply)
        return reply.code(SUCCESS.ok).type(GZIP).send(found)
      },
      faults: ['device.failed', 'viewer.too_many'],
    }),

    feed('GET', '/v1/device/logs/follow', {
      summary: 'Lines of a log as they come',
      about: oneLine`
        Who is slow misses lines and is told how many; who takes none for 30 s is cut off. ${MAX_FOLLOWERS} may follow,
        and take no place of a viewer.
      `,
      query: followQuery,
      messages: followMessages,
      admit: () => (followers.isFull ? tooMany(`${MAX_FOLLOWERS} follow a log`) : undefined),
      accept: ({ query: { source = 'own', backlog = 0, ...rest }, request }, socket) => {
        const connection = request.socket
        if (connection.closed) return
        if (followers.isFull) {
          socket.close(TRY_AGAIN_LATER, 'there is no room for another one who follows') // others came since
          return
        }
        onlyListens(connection)
        void followers.accept({ socket, connection }, source, filterIn(rest), backlog)
      },
      faults: ['viewer.too_many'],
    }),
  ]
  return { ...area('logs', 'What the device says of itself.', rows), close: () => followers.close() }
})

const tooMany = (what: string): Fault => ({ code: 'viewer.too_many', detail: `${what} already; end one first` })

const sourcesDocument = async ({ directory, reader, own, levelAtStart }: LogParts) => {
  const { revision, value } = settingsOf(directory)
  const boots = own.boots()
  return {
    revision,
    ...value,
    level_at_start: levelAtStart,
    known_parts: own.parts(),
    boot: boots.at(-1)?.boot ?? 1,
    boots,
    sources: await Promise.all(SOURCES.map(async (source) => ({ source, absent: await reader.look(source) }))),
  }
}

const settingsOf = ({ settings }: Directory) => logSettingsIn(settings)

const pageDocument = async (reader: LogReader, query: PageQuery): Promise<object | Fault> => {
  const { source = 'own', cursor, limit = DEFAULT_PAGE_LIMIT, ...rest } = query
  const filter = filterIn(rest)
  const place: LogPlace =
    cursor === undefined ? { way: query.since === undefined ? 'older' : 'newer' } : readPlace(cursor)
  const page = await reader.page({ source, filter, place, limit })
  if (isFault(page)) {
    const absent = page.code === 'device.failed' ? await reader.look(source) : null
    return absent === null ? page : { ...NOTHING, source, absent }
  }
  const isEmpty = page.lines.length === 0 && page.newer === null
  return {
    source,
    lines: page.lines,
    older_cursor: page.older && placeText(page.older),
    newer_cursor: page.newer && placeText(page.newer),
    complete: page.isEnd,
    gone: page.isGone ? OLDER_LINES_ARE_GONE : null,
    absent: isEmpty ? await reader.look(source) : null,
  }
}

const NOTHING = { lines: [], older_cursor: null, newer_cursor: null, complete: true, gone: null }
