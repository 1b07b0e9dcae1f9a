// The file of persistent topics: what is read of one that somebody, or a power cut, has damaged.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Fault } from '../../../../machines/errors/fault.ts'
import { readPersistent } from '../../../../native/nt4/server/persistence.ts'

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
