// Links between the pages of this repository lead somewhere: to a file that is there, and to a heading that it has.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')

const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT }).sort()

/** The text without code, in which brackets are no links. */
const prose = (text: string): string => text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '')

const linksIn = (text: string): string[] =>
  [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target as string)

/** The names by which headings of a page can be linked to, as GitHub and GitLab make them. */
const anchorsOf = (path: string): string[] => {
  const seen = new Map<string, number>()
  return [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title]) => {
    const anchor = (title as string)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-')
    const times = seen.get(anchor) ?? 0
    seen.set(anchor, times + 1)
    return times === 0 ? anchor : `${anchor}-${times}`
  })
}

test('each link between pages leads to a file and a heading that are there', () => {
  const dead = pages.flatMap((page) =>
    linksIn(readFileSync(join(ROOT, page), 'utf8'))
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [file = '', anchor] = link.split('#')
        const target = file === '' ? join(ROOT, page) : join(ROOT, dirname(page), file)
        if (!existsSync(target) || relative(ROOT, target).startsWith('..')) return true
        return anchor !== undefined && !anchorsOf(target).includes(anchor)
      })
      .map((link) => `${page}: ${link}`),
  )

  assert.ok(pages.length > 100, 'the pages are found')
  assert.deepEqual(dead, [])
})
