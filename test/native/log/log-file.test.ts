// Our own log in its files.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, type TestContext, test } from 'node:test'
import { FakeClock } from '../../../native/clock/fake.ts'
import { LogFile, type LogFileParts } from '../../../native/log/log-file.ts'
import { type KeptLine, readSegment } from '../../../native/log/segments.ts'
import { assertNoSecret, SAID_SECRETS, SECRET_FACTS } from '../../support/logs/secrets.ts'
import { dataFolder } from '../../support/processes/documents.ts'
import { fillDisk, smallDisk } from '../../support/processes/small-disk.ts'
import { arrival } from '../../support/until.ts'

const WRITER = new URL('../../support/logs/writer.ts', import.meta.url).pathname

const opens = new Set<LogFile>()
afterEach(async () => {
  for (const log of opens) await log.close() // else it makes its folder again when that is gone with the test
  opens.clear()
})

const opened = (folder: string, more: Partial<LogFileParts> = {}): LogFile => {
  const log = new LogFile({ folder, clock: new FakeClock(), bootIdPath: '/nowhere', ...more })
  log.open()
  opens.add(log)
  return log
}

const say = (log: LogFile, message: string, level: 'error' | 'info' = 'info') =>
  log.write({ level, part: 'service', message, facts: {} })

const filesIn = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.log'))

const allLines = async (folder: string): Promise<readonly KeptLine[]> =>
  (await Promise.all(filesIn(folder).map((name) => readSegment(folder, Number.parseInt(name, 10))))).flat()

const messages = async (folder: string) => (await allLines(folder)).map(({ message }) => message)

const bootId = (t: TestContext, id: string): string => {
  const path = join(dataFolder(t), 'boot_id')
  writeFileSync(path, `${id}\n`)
  return path
}

test('what was said before the files were opened stands in them, in its order', async (t) => {
  const folder = join(dataFolder(t), 'log')
  const log = new LogFile({ folder, clock: new FakeClock(), bootIdPath: '/nowhere' })

  say(log, 'one')
  log.open()
  say(log, 'two')
  await log.close()

  assert.deepEqual(await messages(folder), ['one', 'two'])
})

test('a log that was never opened touches nothing', async (t) => {
  const folder = join(dataFolder(t), 'log')
  const log = new LogFile({ folder, clock: new FakeClock() })

  say(log, 'the store is in use by another service')
  await log.close()

  assert.throws(() => readdirSync(folder), /ENOENT/)
})

test('it goes on in another file when one is full, and the oldest go', async (t) => {
  const folder = join(dataFolder(t), 'log')
  const log = opened(folder, { maxFileBytes: 2_000, maxFiles: 3 })

  for (let n = 1; n <= 100; n++) {
    say(log, `line ${n}`)
    await log.flushed()
  }
  await log.close()

  const lines = await allLines(folder)
  assert.equal(filesIn(folder).length, 3)
  for (const name of filesIn(folder)) assert.ok(statSync(join(folder, name)).size <= 2_000, name)
  assert.equal(lines.at(-1)?.message, 'line 100')
  assert.deepEqual(
    lines.map(({ seq }) => seq),
    Array.from(lines, (_, n) => 100 - lines.length + 1 + n),
  )
})

test('the next run goes on in the same file with the next number, and only the owner may read it', async (t) => {
  const folder = join(dataFolder(t), 'log')
  for (const message of ['first run', 'second run']) {
    const log = opened(folder)
    say(log, message)
    await log.close()
  }

  const lines = await allLines(folder)
  assert.equal(filesIn(folder).length, 1)
  assert.deepEqual(
    lines.map(({ seq }) => seq),
    [1, 2],
  )
  assert.equal(statSync(join(folder, filesIn(folder)[0] as string)).mode & 0o077, 0)
})

test('a last line that a power cut has torn is cut off, and what follows can be read', async (t) => {
  const folder = join(dataFolder(t), 'log')
  const first = opened(folder)
  say(first, 'whole')
  say(first, 'torn')
  await first.close()
  const path = join(folder, filesIn(folder)[0] as string)
  truncateSync(path, statSync(path).size - 9)

  const next = opened(folder)
  say(next, 'after it')
  await next.close()

  const lines = await allLines(folder)
  assert.deepEqual(
    lines.map(({ message }) => message),
    ['whole', 'after it'],
  )
  assert.deepEqual(
    lines.map(({ seq }) => seq),
    [1, 2],
  )
})

test('garbage and holes in a file are passed over', async (t) => {
  const folder = join(dataFolder(t), 'log')
  const first = opened(folder)
  say(first, 'before')
  await first.close()
  const path = join(folder, filesIn(folder)[0] as string)
  appendFileSync(path, `${'\0'.repeat(5_000)}\n{"seq":"7"}\n{"seq":8}\nnonsense\n`)
  appendFileSync(path, '\0'.repeat(200_000))

  const next = opened(folder)
  say(next, 'after')
  await next.close()

  assert.deepEqual(await messages(folder), ['before', 'after'])
})

test('a process that is killed in the middle of writing has lost nothing that it knew to be written', async (t) => {
  const folder = join(dataFolder(t), 'log')
  let known = 0
  for (let run = 0; run < 3; run++) {
    const writer = spawn(process.execPath, [WRITER, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
    t.after(() => writer.kill('SIGKILL'))
    let printed = ''
    writer.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      if (printed.split('\n').length > 12 + run) writer.kill('SIGKILL')
    })
    await arrival('the end of the writer', once(writer, 'close'))
    known = Number(printed.trim().split('\n').at(-1))

    const lines = await allLines(folder)
    const ofRun = lines.slice(lines.findLastIndex(({ facts }) => facts?.n === 1))
    assert.ok((ofRun.at(-1)?.facts?.n as number) >= known, `knew ${known}, holds ${ofRun.at(-1)?.message}`)
    const seqs = lines.map(({ seq }) => seq)
    assert.deepEqual(
      seqs,
      [...new Set(seqs)].sort((a, b) => a - b),
    )
  }
  const log = opened(folder)
  say(log, 'and the next one goes on')
  await log.close()
  assert.equal((await messages(folder)).at(-1), 'and the next one goes on')
})

test('a full disk stops nobody; once there is room again it is said how many lines are missing', async (t) => {
  const disk = smallDisk(t)
  if (disk === undefined) return t.skip('needs the right to mount a small file system')
  const folder = join(disk, 'log')
  const log = opened(folder)
  say(log, 'before')
  await log.flushed()
  fillDisk(join(disk, 'ballast'))

  for (let n = 0; n < 200; n++) {
    say(log, `lost ${n} ${'x'.repeat(300)}`)
    await log.flushed()
  }
  const failure = log.failure
  rmSync(join(disk, 'ballast'))
  say(log, 'after')
  await log.close()

  const found = await messages(folder)
  const missing = Number(/^(\d+) lines? before this could not be written: ENOSPC/.exec(found.at(-2) ?? '')?.[1])
  assert.match(failure ?? '', /ENOSPC/)
  assert.equal(log.failure, null)
  assert.equal(found[0], 'before')
  assert.equal(found.at(-1), 'after')
  assert.equal(found.filter((message) => message.startsWith('lost')).length + missing, 200)
  for (const line of readFileSync(join(folder, filesIn(folder)[0] as string), 'utf8')
    .trim()
    .split('\n'))
    assert.doesNotThrow(() => JSON.parse(line))
})

test('what waits to be written is bounded; what there was no room for is counted', async (t) => {
  const folder = join(dataFolder(t), 'log')
  const log = opened(folder, { maxFiles: 100 })

  for (let n = 1; n <= 50_000; n++) say(log, `line ${n}`)
  await log.flushed()
  say(log, 'after')
  await log.close()

  const found = await messages(folder)
  const missing = Number(/^(\d+) lines before this .*: there were too many at once$/.exec(found.at(-2) ?? '')?.[1])
  assert.ok(found.length > 5_000)
  assert.equal(found.at(-1), 'after')
  assert.equal(found.length - 2 + missing, 50_000)
})

test('starts of the device are counted, also where the file that counts them is lost', async (t) => {
  const folder = join(dataFolder(t), 'log')
  const run = async (id: string) => {
    const log = opened(folder, { bootIdPath: bootId(t, id) })
    say(log, id)
    await log.close()
    return log.boot
  }

  assert.equal(await run('6fd47b9d-85fb-477f-a7ad-b06e0e428f9d'), 1)
  assert.equal(await run('6fd47b9d-85fb-477f-a7ad-b06e0e428f9d'), 1) // the service alone was started again
  assert.equal(await run('00000000-85fb-477f-a7ad-b06e0e428f9d'), 2)
  rmSync(join(folder, 'boots.json'))
  assert.equal(await run('11111111-85fb-477f-a7ad-b06e0e428f9d'), 3)
  writeFileSync(join(folder, 'boots.json'), '[{"boot":')
  assert.equal(await run('22222222-85fb-477f-a7ad-b06e0e428f9d'), 4)
  assert.deepEqual(
    (await allLines(folder)).map(({ boot }) => boot),
    [1, 1, 2, 3, 4],
  )
})

test('no kind of secret comes into the files, whether said or as a fact', async (t) => {
  const folder = join(dataFolder(t), 'log')
  const log = opened(folder)

  for (const { line } of SAID_SECRETS)
    log.write({ level: 'warn', part: 'service', message: line, facts: { said: line } })
  log.write({ level: 'warn', part: 'service', message: 'all at once', facts: SECRET_FACTS })
  await log.close()

  const text = filesIn(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('')
  assert.equal((await allLines(folder)).length, SAID_SECRETS.length + 1)
  assertNoSecret(text, 'the file')
})

test('a message without end, and facts that JSON does not know, are cut and written', async (t) => {
  const folder = join(dataFolder(t), 'log')
  const log = opened(folder)

  say(log, 'long '.repeat(100_000))
  log.write({ level: 'info', part: 'service', message: 'odd', facts: { big: 12n, many: 'ab '.repeat(10_000) } })
  await log.close()

  const [long, odd] = await allLines(folder)
  assert.equal(long?.message.length, 8_192)
  assert.equal(String(odd?.facts?.cut).length, 8_192)
})

test('when the clock is set, lines of this start of the device are shown as if it had been right', async (t) => {
  const clock = new FakeClock()
  const folder = join(dataFolder(t), 'log')
  const log = opened(folder, { clock })
  const startMs = clock.nowMs()

  say(log, 'with a wrong clock')
  clock.advanceMs(5_000)
  clock.setBy(3_600_000)
  await log.close()

  const [line] = await allLines(folder)
  assert.equal(line?.at_ms, startMs)
  assert.equal(log.atMsOf(line as KeptLine), startMs + 3_600_000)
  assert.equal(log.atMsOf({ ...(line as KeptLine), boot: 99 }), startMs)
})
