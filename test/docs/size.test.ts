// How large pages may be. Nothing that people write is wider than 120 columns; generated pages are as wide as what they
// are made of.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')

const MAX_COLUMNS = 120

/** Two pages, drawing and table included. */
const MAX_ARCHITECTURE_WORDS = 1_500

const GENERATED = ['docs/api.md', 'docs/machines.md']

/** The lines of a page that are too wide. A row of a table, an address and a text within JSON cannot be broken. */
const wideLines = (text: string): string[] => {
  let fence: string | undefined
  return text.split('\n').filter((line) => {
    const [, language] = /^\s*```(\w*)/.exec(line) ?? []
    if (language !== undefined) fence = fence === undefined ? language : undefined
    if ([...line].length <= MAX_COLUMNS || fence === 'json') return false
    return fence !== undefined || !(line.trimStart().startsWith('|') || /https?:\/\/\S{80}/.test(line))
  })
}

test('no line of a page is wider than 120 columns', () => {
  const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT }).filter((page) => !GENERATED.includes(page))

  const wide = pages.flatMap((page) =>
    wideLines(readFileSync(join(ROOT, page), 'utf8')).map((line) => `${page}: ${line.slice(0, 60)}...`),
  )

  assert.ok(pages.length > 100, 'the pages are found')
  assert.deepEqual(wide, [])
})

test('a wide line is found in a paragraph and in commands, and not in a table', () => {
  const long = 'word '.repeat(30)

  assert.deepEqual(wideLines(`${long}\n| ${long} |\n\`\`\`sh\n| ${long}\n\`\`\`\n\`\`\`json\n${long}\n\`\`\`\n`), [
    long,
    `| ${long}`,
  ])
})

test('the architecture is two pages', () => {
  const words = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8').split(/\s+/).length

  assert.ok(words <= MAX_ARCHITECTURE_WORDS, `${words} words; what is looked up belongs on a page of its own`)
})
