// The file of persistent topics: what is read of one that somebody, or a power cut, has damaged.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Fault } from '../../../../machines/errors/fault.ts'
import { WIRE } from '../../../../native/nt4/codec.ts'
import { PersistentFile, readPersistent } from '../../../../native/nt4/server/persistence.ts'
import { Topics } from '../../../../native/nt4/server/topics.ts'
import { message } from '../../../support/nt4/nt4.ts'
import { until } from '../../../support/until.ts'

const fileIn = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-nt4-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'persistent.json')
}

const read = async (file: string) => {
  const faults: Fault[] = []
  const topics = await readPersistent(file, (fault) => faults.push(fault))
  return { topics, faults }
}

const entry = (name: unknown, type: unknown, value: unknown, properties: unknown = { persistent: true }) => ({
  name,
  type,
  value,
  properties,
})

const good = [
  entry('/double', 'double', 'NaN'),
  entry('/ints', 'int[]', [1, '2305843009213693952']),
  entry('/raw', 'raw', 'AAEC'),
  entry('/__proto__', 'string', '__proto__'),
]
const bad: readonly (readonly [what: string, entry: unknown])[] = [
  ['no object', null],
  ['a name that is no text', entry({}, 'double', 1)],
  ['no name', entry('', 'double', 1)],
  ["a name of the server's own", entry('$clients', 'double', 1)],
  ['a type that is no text', entry('/x', 5, 1)],
  ['properties that are a list', entry('/x', 'double', 1, [])],
  ['properties that do not make it persistent', entry('/x', 'double', 1, {})],
  ['no value', { name: '/x', type: 'double', properties: { persistent: true } }],
  ['an object for a number', entry('/x', 'double', { a: 1 })],
  ['a word for a number', entry('/x', 'double', 'seven')],
  ['a word for an integer', entry('/x', 'int', 'seven')],
  ['a fraction for an integer', entry('/x', 'int', 1.5)],
  ['an integer of 65 bits', entry('/x', 'int', '36893488147419103232')],
  ['a number for a text', entry('/x', 'string', 5)],
  ['a number for bytes', entry('/x', 'raw', 5)],
  ['a mixed list', entry('/x', 'double[]', [1, 'two'])],
  ['a text for a list', entry('/x', 'boolean[]', 'true')],
]
for (const [what, broken] of bad) {
  test(`an entry with ${what} is left out alone, told of, and kept in a copy`, async (t) => {
    const file = fileIn(t)
    const text = JSON.stringify([...good.slice(0, 2), broken, ...good.slice(2)])
    writeFileSync(file, text)

    const { topics, faults } = await read(file)

    assert.deepEqual(
      topics.map(({ name }) => name),
      good.map(({ name }) => name),
    )
    assert.deepEqual(
      faults.map(({ code }) => code),
      ['nt4.persistent_broken'],
    )
    assert.equal(readFileSync(`${file}.broken`, 'utf8'), text)
    assert.deepEqual((await read(file)).faults, [])
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), good)
  })
}

test('the values of a sound file come as they were published', async (t) => {
  const file = fileIn(t)
  writeFileSync(file, JSON.stringify(good))

  const { topics, faults } = await read(file)

  assert.deepEqual(
    topics.map(({ value }) => (value instanceof Uint8Array ? [...value] : value)),
    [Number.NaN, [1, 2n ** 61n], [0, 1, 2], '__proto__'],
  )
  assert.deepEqual(faults, [])
})

test('a second broken file does not replace the first set aside, and at most nine are kept', async (t) => {
  const file = fileIn(t)

  for (let n = 1; n <= 12; n += 1) {
    writeFileSync(file, `{ ${n}`)
    assert.equal((await read(file)).faults.length, 1)
  }

  assert.equal(readFileSync(`${file}.broken`, 'utf8'), '{ 1')
  assert.equal(readFileSync(`${file}.broken-2`, 'utf8'), '{ 2')
  assert.equal(readdirSync(join(file, '..')).length, 9)
})

test('a folder or a pipe under its name is set aside and not waited for', async (t) => {
  const file = fileIn(t)
  mkdirSync(file)
  const folder = await read(file)
  execFileSync('mkfifo', [file])
  const pipe = await read(file)

  assert.deepEqual(
    [...folder.faults, ...pipe.faults].map(({ code }) => code),
    ['nt4.persistent_broken', 'nt4.persistent_broken'],
  )
  assert.deepEqual(readdirSync(join(file, '..')), ['persistent.json.broken', 'persistent.json.broken-2'])
})

/** A file in a folder that is not there, so that nothing can be written, and one topic. Time passes in steps. */
const unwritable = (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const file = join(dirname(fileIn(t)), 'missing', 'persistent.json')
  const topics = new Topics()
  const topic = topics.create('/x', 'double', { persistent: true })
  topic.kept = { timestampUs: 5, bytes: message(topic.id, 5, WIRE.double, 4), from: null }
  const faults: Fault[] = []
  const persistent = new PersistentFile(
    file,
    () => topics.all(),
    (fault) => faults.push(fault),
  )
  const passUntil = (what: string, look: () => unknown) =>
    until(what, () => {
      t.mock.timers.tick(1_000)
      return look()
    })
  return { file, persistent, faults, passUntil }
}

test('what could not be written is told once, and written when it can be, without another change', async (t) => {
  const { file, persistent, faults, passUntil } = unwritable(t)
  persistent.changed()
  let passed = 0
  await passUntil('a minute after the fault', () => faults.length > 0 && ++passed > 60)

  mkdirSync(dirname(file))
  await passUntil('the file', () => existsSync(file))

  assert.deepEqual(
    faults.map(({ code }) => code),
    ['nt4.persistent_unsaved'],
  )
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), [entry('/x', 'double', 4)])
  rmSync(dirname(file), { recursive: true })
  persistent.changed()
  await passUntil('that it cannot be written again', () => faults.length === 2)
})

test('what could not be written is written at the end, if it can be by then', async (t) => {
  const { file, persistent, faults, passUntil } = unwritable(t)
  persistent.changed()
  await passUntil('the fault', () => faults.length)

  mkdirSync(dirname(file))
  await persistent.close()

  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), [entry('/x', 'double', 4)])
})
