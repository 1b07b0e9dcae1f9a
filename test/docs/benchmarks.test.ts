// The table of figures stays a table: what a figure needs beside it is on the page of its subject.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const PAGE = join(import.meta.dirname, '../../docs/benchmarks.md')

const MAX_CELL_CHARACTERS = 240 // two lines

test('no cell of the table of figures is longer than two lines', () => {
  const rows = readFileSync(PAGE, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'))

  const long = rows.flatMap((row) => row.split(' | ')).filter((cell) => cell.length > MAX_CELL_CHARACTERS)

  assert.ok(rows.length > 100, 'the figures are found')
  assert.deepEqual(long, [], 'move the rest to docs/benchmarks/<subject>.md')
})
