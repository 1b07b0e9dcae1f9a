// One catalogue for all codes: what the sources say is in it, and what is in it is said somewhere.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { CATALOGUE, codesFor, type FaultCode, isFaultCode } from '../../../machines/errors/catalogue.ts'
import { sourceFiles } from '../../support/source-files.ts'

const root = join(import.meta.dirname, '../../..')
const native = globSync('native/{addon,libav}/**/*.{cc,h}', { cwd: root })
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n')
const product = sourceFiles(['actors', 'api', 'machines', 'native', 'supervisors'])
  .filter(({ path }) => path !== 'machines/errors/catalogue.ts' && path !== 'api/problems/faults.ts')
  .map(({ text }) => text)
  .join('\n')

/** A fault in C++ is a braced list or an argument of fail(), and begins with its code. */
const raisedBy = (source: string): readonly string[] =>
  [...new Set([...source.matchAll(/(?:\{|\bfail\()\s*"([a-z_]+\.[a-z_]+)"/g)].map(([, code]) => code as string))].sort()

test('the engine raises the codes that the catalogue gives it, and no others', () => {
  assert.deepEqual(raisedBy(native), codesFor('engine'))
})

test('the search finds codes as the addon writes them, and not the names of fields', () => {
  const source = `throw Fault{"a.b", x}; fail("c.d", y); return {"e.f", z}; list_of(object.Get("tags"), "map.tags", 9)`

  assert.deepEqual(raisedBy(source), ['a.b', 'c.d', 'e.f'])
})

test('each other code is said by some source of the service', () => {
  const ours = (Object.keys(CATALOGUE) as FaultCode[]).filter(
    (code) => !(codesFor('engine') as readonly FaultCode[]).includes(code),
  )

  assert.deepEqual(
    ours.filter((code) => !product.includes(`'${code}'`)),
    [],
  )
})

test('codes stand in order, each with a title that begins like a sentence', () => {
  const codes = Object.keys(CATALOGUE)

  assert.deepEqual(codes, codes.toSorted())
  for (const code of codes) assert.match(code, /^[a-z0-9_]+(\.[a-z0-9_]+)?$/)
  for (const [title] of Object.values(CATALOGUE)) assert.match(title, /^[A-Z].*[^.]$/)
})

test('what is no code of the catalogue is known as such', () => {
  assert.ok(isFaultCode('camera.lost'))
  for (const other of ['camera.found', 'constructor', '__proto__', '', 7, undefined]) assert.ok(!isFaultCode(other))
})
