// The rows of logs, on a made-up device and on logs that a test writes.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import WebSocket from 'ws'
import { type LogLine, logLineExample } from '../../../machines/logs/line.ts'
import { LOG_DOCUMENT, logCollection } from '../../../machines/logs/settings.ts'
import { documentOf } from '../../../machines/settings/store.ts'
import { FakeClock } from '../../../native/clock/fake.ts'
import { fakeLogs } from '../../../native/logs/fake.ts'
import { OwnLogFiles } from '../../../native/logs/own-log.ts'
import { LOGS, type LogListener, OWN_LOG } from '../../../native/logs/port.ts'
import { value } from '../../../supervisors/composition/container.ts'
import { fakeApi, listeningApi } from '../../support/api/api.ts'
import { assertNoSecret, SAID_SECRETS, SECRET_FACTS } from '../../support/logs/secrets.ts'
import { dataFolder } from '../../support/processes/documents.ts'
import { arrival, until } from '../../support/until.ts'

interface Page {
  readonly lines: readonly LogLine[]
  readonly older_cursor: string | null
  readonly newer_cursor: string | null
  readonly complete: boolean
  readonly gone: string | null
  readonly absent: string | null
}

type Message = { readonly kind: string; readonly lines?: readonly LogLine[]; readonly count?: number }

/** An API on a real log of its own in a folder. */
const withLog = async (t: TestContext, more: { readonly maxFileBytes?: number; readonly maxFiles?: number } = {}) => {
  t.after(() => own.close()) // before its folder goes, which it would make again
  const own = new OwnLogFiles({ folder: join(dataFolder(t), 'log'), clock: new FakeClock(), ...more }, 'info')
  const api = await listeningApi(t, {}, { ports: [value(OWN_LOG, own)] })
  const page = async (query = '') => (await (await fetch(`${api.url}/v1/device/logs${query}`)).json()) as Page
  return { ...api, own, page, log: own.log(() => {}) }
}

const follow = async (t: TestContext, url: string, query = '') => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/device/logs/follow${query}`)
  t.after(() => socket.terminate())
  const messages: Message[] = []
  socket.on('message', (data) => messages.push(JSON.parse(String(data))))
  await until('the first message', () => messages.length > 0)
  const heard = () => messages.flatMap(({ lines = [] }) => lines.map(({ message }) => message))
  return { socket, messages, heard }
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => `line ${from + n}`)

test('a made-up device has all logs, whose lines move; with a trouble two say in a sentence why not', async (t) => {
  const clock = new FakeClock()
  const { app, fake } = await fakeApi(t)
  const lacking = await fakeApi(t, {}, { ports: [value(LOGS, fakeLogs(clock, false))] })
  const sources = async (of: typeof app) => (await of.inject('/v1/device/logs/sources')).json().sources

  assert.deepEqual(await sources(app), [
    { source: 'own', absent: null },
    { source: 'journal', absent: null },
    { source: 'kernel', absent: null },
  ])
  assert.match((await sources(lacking.app))[1].absent, /keeps no journal/)
  const absent = (await lacking.app.inject('/v1/device/logs?source=journal')).json() as Page
  assert.deepEqual(absent.lines, [])
  assert.match(absent.absent ?? '', /^this system keeps no journal: /)
  for (const source of ['own', 'journal', 'kernel']) {
    const before = (await app.inject(`/v1/device/logs?source=${source}&limit=5`)).json() as Page
    fake.clock.advanceMs(10_000)
    const cursor = encodeURIComponent(before.newer_cursor as string)
    const after = (await app.inject(`/v1/device/logs?source=${source}&cursor=${cursor}`)).json() as Page
    assert.deepEqual([before.lines.length, after.lines.length], [5, 5], source)
  }
})

test('how much is logged is changed while it runs, by revision, and kept', async (t) => {
  const { url, log, page, fake } = await withLog(t)
  const change = (body: object, headers = {}) =>
    fetch(`${url}/v1/device/logs/sources`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })

  log('debug', 'not yet', { code: 'nt4.silent' })
  const changed = await change({ parts: { nt4: 'debug' } }, { 'if-match': '"0"' })
  log('debug', 'now', { code: 'nt4.silent' })
  log('debug', 'not this', { code: 'peer.self' })
  const stale = await change({ level: 'error' }, { 'if-match': '"0"' })
  const wrong = await change({ parts: { nt4: 'loud' } })
  const back = await change({ parts: { nt4: null } })
  log('debug', 'no more', { code: 'nt4.silent' })

  const { revision, parts, level, level_at_start } = (await changed.json()) as Record<string, unknown>
  assert.deepEqual([revision, parts, level, level_at_start], [1, { nt4: 'debug' }, null, 'info'])
  assert.deepEqual([stale.status, wrong.status, back.status], [409, 400, 200])
  assert.deepEqual(
    (await page()).lines.map(({ message }) => message),
    ['now'],
  )
  assert.deepEqual(documentOf(fake.directory.settings, logCollection, LOG_DOCUMENT)?.value, { parts: {} })
})

test('a page is found again by its cursors, and a cursor whose lines are gone says so', async (t) => {
  const { log, page } = await withLog(t, { maxFileBytes: 1_000, maxFiles: 3 })
  log('info', 'line 0')
  const early = await page()
  for (let n = 1; n <= 60; n++) {
    log('info', `line ${n}`)
    if (n % 3 === 0) await page('?limit=1')
  }

  const newest = await page('?limit=4')
  const older = await page(`?limit=4&cursor=${newest.older_cursor}`)
  const gone = await page(`?cursor=${early.newer_cursor}`)
  const wrong = await page('?cursor=journal%3A1')

  assert.deepEqual(
    newest.lines.map(({ message }) => message),
    numbers(57, 60),
  )
  assert.deepEqual(
    older.lines.map(({ message }) => message),
    numbers(53, 56),
  )
  assert.equal(gone.gone, 'older lines are gone')
  assert.equal(newest.gone, null)
  assert.equal((wrong as unknown as { code: string }).code, 'cursor.unknown')
})

test('what is downloaded is the whole log, as text or as JSON, without one secret', async (t) => {
  const { url, log } = await withLog(t)
  for (const { line } of SAID_SECRETS) log('warn', line, { said: line })
  log('warn', 'all at once', SECRET_FACTS)
  for (let n = 1; n <= 2_500; n++) log('info', `line ${n}`)

  const fetched = async (query: string) => {
    const answer = await fetch(`${url}/v1/device/logs/download${query}`)
    assert.match(
      answer.headers.get('content-disposition') ?? '',
      /^attachment; filename="vedette-own\.(log|jsonl)\.gz"$/,
    )
    return gunzipSync(Buffer.from(await answer.arrayBuffer())).toString('utf8')
  }
  const json = await fetched('?form=json')
  const text = await fetched('')
  const warnings = await fetched('?form=json&level=warn')

  const lines = json
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as LogLine)
  assert.equal(lines.length, SAID_SECRETS.length + 1 + 2_500)
  assert.equal(warnings.trim().split('\n').length, SAID_SECRETS.length + 1)
  assert.match(text, /^1 \+\d+\.\d{6} 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z info {2}service: line 2500$/m)
  for (const [what, each] of Object.entries({ json, text })) assertNoSecret(each, what)
})

test('a reader of a download that is slow, or has gone, keeps nothing', async (t) => {
  const { port, own, log, url } = await withLog(t)
  for (let n = 1; n <= 12_000; n++) {
    log(
      'info',
      `${n} ${Array.from({ length: 30 }, (_, k) => ((n * 7919 + k * 104_729) % 99_991).toString(36)).join('')}`,
    )
    if (n % 1_000 === 0) await own.look()
  }
  let reads = 0
  let newest = ''
  const { walk } = own
  const counted: typeof walk = (order, told) => {
    reads += 1
    newest = order.place.cursor ?? newest
    return walk(order, told)
  }
  Object.assign(own, { walk: counted })
  const statusOfOneMore = async () => {
    const answer = await fetch(`${url}/v1/device/logs/download`)
    await answer.body?.cancel()
    return answer.status
  }

  const sockets = Array.from({ length: 4 }, () => {
    const socket = connect(port, '127.0.0.1').pause()
    socket.write('GET /v1/device/logs/download HTTP/1.1\r\nHost: localhost\r\n\r\n')
    return socket
  })
  t.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  await until('all of them to be read for', () => reads >= 8)
  const whileThereAreFour = await statusOfOneMore()
  for (const socket of sockets) socket.destroy()
  await until('places', statusOfOneMore, (status) => status === 200)

  assert.equal(whileThereAreFour, 429)
  // who reads nothing is read for only as far as there is room between
  assert.ok(Number(newest.split(':')[1]) < 12_000, newest)
})

test('a follower gets what was there and then each line once; filters and sources are its own', async (t) => {
  const { url, log } = await withLog(t)
  for (const line of numbers(1, 30)) log('info', line)

  const all = await follow(t, url, '?backlog=10')
  const warnings = await follow(t, url, '?level=warn')
  for (const line of numbers(31, 40)) log('info', line)
  log('warn', 'a warning')
  await until('the warning', () => all.heard().includes('a warning') && warnings.heard().includes('a warning'))

  assert.deepEqual(all.messages[0], { kind: 'begin', source: 'own', absent: null })
  assert.deepEqual(all.heard(), [...numbers(21, 40), 'a warning'])
  assert.deepEqual(warnings.heard(), ['a warning'])
})

test('what comes while a follower is told what was there comes once', async (t) => {
  const { url, log } = await withLog(t)
  for (const line of numbers(1, 5)) log('info', line)
  let n = 5
  const writing = setInterval(() => log('info', `line ${++n}`), 1)
  t.after(() => clearInterval(writing))

  for (let round = 0; round < 5; round++) {
    const { heard, socket } = await follow(t, url, '?backlog=1000')
    const atFirst = n
    await until('lines that have come since', () => heard().length > atFirst)
    const told = heard()
    assert.deepEqual(told, numbers(1, told.length))
    socket.terminate()
  }
})

test('one that reads nothing loses lines and is told how many; the others get all', async (t) => {
  const { url, port, own, log } = await withLog(t)
  const quick = await follow(t, url)
  const slow = connect(port, '127.0.0.1')
  t.after(() => slow.destroy())
  slow.write(
    'GET /v1/device/logs/follow HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  )
  const received: Buffer[] = []
  await arrival('its first bytes', once(slow, 'data'))
  slow.pause()
  slow.on('data', (bytes) => received.push(bytes))
  slow.pause()

  let said = 0
  const sayMany = async (count: number) => {
    for (let n = 0; n < count; n++) log('info', `line ${++said} ${'x'.repeat(2_000)}`)
    await until('the quick one', () => quick.heard().length === said)
  }
  for (let round = 0; round < 12; round++) await sayMany(1_000)
  slow.resume()
  const text = () => Buffer.concat(received).toString('latin1')
  await until('what was lost', async () => {
    await sayMany(1)
    return /\{"kind":"lost","count":\d+\}/.test(text())
  })
  await own.look()

  const lost = Number(/\{"kind":"lost","count":(\d+)\}/.exec(text())?.[1])
  const last = said
  await until('the newest line', () => text().includes(`line ${last} `))
  const got = new Set([...text().matchAll(/"line (\d+) /g)].map(([, n]) => Number(n)))
  assert.ok(lost > 1_000, `${lost} lost`)
  assert.equal(got.size + lost, said)
})

test('a source that is not there is followed with the reason, and ends without harm', async (t) => {
  const { url } = await listeningApi(t, {}, { ports: [value(LOGS, fakeLogs(new FakeClock(), false))] })

  const { messages, socket } = await follow(t, url, '?source=journal')
  await until('its end', () => socket.readyState === WebSocket.CLOSED)

  assert.deepEqual(
    messages.map(({ kind }) => kind),
    ['begin', 'ended'],
  )
  assert.match((messages[0] as unknown as { absent: string }).absent, /no journal/)
})

test('who follows a source that ends is told why and let go, and the next one follows it again', async (t) => {
  const logs = fakeLogs(new FakeClock())
  const listeners: LogListener[] = []
  const follower = (listener: LogListener) => {
    listeners.push(listener)
    return () => {}
  }
  const journal = { ...logs.journal, follow: follower }
  const { url } = await listeningApi(t, {}, { ports: [value(LOGS, { ...logs, journal })] })
  const first = await follow(t, url, '?source=journal')
  const other = await follow(t, url, '?source=journal&level=error')

  listeners[0]?.ended('there is no memory')
  await until('both ends', () => [first, other].every(({ socket }) => socket.readyState === WebSocket.CLOSED))
  const next = await follow(t, url, '?source=journal')
  listeners[1]?.ended('there is none again')
  await until('its end', () => next.socket.readyState === WebSocket.CLOSED)

  assert.deepEqual(first.messages, [
    { kind: 'begin', source: 'journal', absent: null },
    { kind: 'ended', detail: 'there is no memory' },
  ])
  assert.equal(other.messages.at(-1)?.kind, 'ended')
  assert.deepEqual(next.messages.at(-1), { kind: 'ended', detail: 'there is none again' })
})

test('a source is followed once for all, and no more when nobody is there', async (t) => {
  const clock = new FakeClock()
  const logs = fakeLogs(clock)
  let following = 0
  let most = 0
  const journal = {
    ...logs.journal,
    follow: () => {
      following += 1
      most = Math.max(most, following)
      return () => {
        following -= 1
      }
    },
  }
  const { url } = await listeningApi(t, {}, { ports: [value(LOGS, { ...logs, journal })] })

  const all = [
    await follow(t, url, '?source=journal'),
    await follow(t, url, '?source=journal'),
    await follow(t, url, '?source=journal&level=warn'),
  ]
  for (const { socket } of all) socket.terminate()
  await until('nobody', () => following === 0)

  assert.equal(most, 1)
})

test('who comes to a source that has ended for others follows it anew', async (t) => {
  const logs = fakeLogs(new FakeClock())
  const listeners: LogListener[] = []
  const journal = {
    ...logs.journal,
    follow: (listener: LogListener) => {
      listeners.push(listener)
      return () => {}
    },
  }
  const { url } = await listeningApi(t, {}, { ports: [value(LOGS, { ...logs, journal })] })
  const before = await follow(t, url, '?source=journal')
  listeners[0]?.ended('the journal was begun anew')
  await until('its end', () => before.messages.some(({ kind }) => kind === 'ended'))

  const after = await follow(t, url, '?source=journal')
  listeners.at(-1)?.line({ ...logLineExample, message: 'it goes on' })
  await until('a line', () => after.heard().length > 0)

  assert.deepEqual([before.heard(), after.heard(), listeners.length], [[], ['it goes on'], 2])
})
