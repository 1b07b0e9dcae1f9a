// A file that a page names is there. Decisions are left out: they say what was, and are never rewritten.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')

/** A path from the root in backticks: a folder of ours, no blank, no placeholder. */
const PATH = /`((?:actors|api|docs|machines|native|supervisors|test|ui)\/[^\s`<>]*)`/g

test('the files that pages name are there', () => {
  const pages = globSync(['README.md', 'CONTRIBUTING.md', 'docs/*.md', 'docs/how-to/*.md'], { cwd: ROOT })

  const named = pages.flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(PATH)].map(([, path]) => ({ page, path: path as string })),
  )
  const missing = named.filter(({ path }) => globSync(path, { cwd: ROOT }).length === 0)

  assert.ok(named.length > 50, 'the paths are found')
  assert.deepEqual(
    missing.map(({ page, path }) => `${page}: ${path}`),
    [],
  )
})
