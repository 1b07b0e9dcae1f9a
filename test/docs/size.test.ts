// How large pages may be. Nothing that people write is wider than 120 columns; generated pages are as wide as what they
// are made of.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { wideLinesOfPage } from '../support/wide-lines.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Two pages, drawing and table included. */
const MAX_ARCHITECTURE_WORDS = 1_500

const GENERATED = ['docs/api.md', 'docs/machines.md']

test('no line of a page is wider than 120 columns', () => {
  const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT }).filter((page) => !GENERATED.includes(page))

  const wide = pages.flatMap((page) =>
    wideLinesOfPage(readFileSync(join(ROOT, page), 'utf8')).map((line) => `${page}: ${line.slice(0, 60)}...`),
  )

  assert.ok(pages.length > 100, 'the pages are found')
  assert.deepEqual(wide, [])
})

test('a wide line is found in a paragraph and in commands, and not in a table', () => {
  const long = 'word '.repeat(30)

  assert.deepEqual(
    wideLinesOfPage(`${long}\n| ${long} |\n\`\`\`sh\n| ${long}\n\`\`\`\n\`\`\`json\n${long}\n\`\`\`\n`),
    [long, `| ${long}`],
  )
})

test('the architecture is two pages', () => {
  const words = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8').split(/\s+/).length

  assert.ok(words <= MAX_ARCHITECTURE_WORDS, `${words} words; what is looked up belongs on a page of its own`)
})
