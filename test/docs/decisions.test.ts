// docs/decisions/README.md lists the pages as they are.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const FOLDER = join(import.meta.dirname, '../../docs/decisions')

/** What a decision page says of itself in the quotation under its title. */
interface Page {
  /** The one line that says what was decided. */
  readonly summary: string
  /** The pages that supersede this one, in whole or in part; empty when it stands as it is. */
  readonly supersededBy: readonly string[]
  /** Whether only a part of this page is superseded. */
  readonly isInPart: boolean
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

const linksIn = (text: string): string[] => [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target ?? '')

const pages = (): ReadonlyMap<string, Page> =>
  new Map(
    readdirSync(FOLDER)
      .filter((name) => name !== 'README.md')
      .map((name) => {
        const [, quotation = ''] = readFileSync(join(FOLDER, name), 'utf8').split('\n\n')
        const paragraphs = quotation.split('\n>\n').map((paragraph) => oneLine(paragraph.replaceAll(/^> ?/gm, '')))
        const mark = paragraphs.find((paragraph) => paragraph.startsWith('Superseded ')) ?? ''
        const page = {
          summary: quotation.startsWith('> ') ? (paragraphs[0] ?? '') : '',
          supersededBy: linksIn(mark),
          isInPart: mark.startsWith('Superseded in part '),
        }
        return [name, page]
      }),
  )

/** The entries of the index: the file that each links first, and its text without that link. */
const entries = (): { readonly file: string; readonly number: string; readonly text: string }[] =>
  readFileSync(join(FOLDER, 'README.md'), 'utf8')
    .split(/^(?=- |## )/m)
    .filter((part) => part.startsWith('- '))
    .map((part) => {
      const [, number = '', file = '', text = ''] = /^- \[(\d+)\]\(([^)]+)\) (.*)$/.exec(oneLine(part)) ?? []
      return { file, number, text }
    })

/** The line of the index for a page, without its number. */
const entryOf = ({ summary, supersededBy, isInPart }: Page): string => {
  if (supersededBy.length === 0) return summary
  const links = supersededBy.map((file) => `[${Number(file.slice(0, 4))}](${file})`)
  return `${summary} _Superseded ${isInPart ? 'in part ' : ''}by ${links.join(', ')}._`
}

test('the index of decisions lists each page once, under its number', () => {
  const listed = entries()

  assert.deepEqual(listed.map(({ file }) => file).sort(), [...pages().keys()].sort())
  for (const { file, number } of listed) assert.equal(Number(number), Number(file.slice(0, 4)), file)
})

test('each decision opens with one plain line, and the index says the same, with what supersedes it', () => {
  const known = pages()

  for (const { file, text } of entries()) {
    const page = known.get(file)
    assert.ok(page?.summary, `${file} must say in a quotation under its title what was decided`)
    assert.equal(text, entryOf(page), `docs/decisions/README.md, ${file}`)
  }
})

test('a decision is superseded by a page that links to it', () => {
  const known = pages()

  for (const [name, { supersededBy }] of known) {
    for (const later of supersededBy) {
      assert.ok(known.has(later), `${name} is superseded by ${later}, which is not there`)
      assert.ok(linksIn(readFileSync(join(FOLDER, later), 'utf8')).includes(name), `${later} must link to ${name}`)
    }
  }
})
