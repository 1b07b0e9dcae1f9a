import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearestName } from '../../../machines/schema/nearest-name.ts'

const NAMES = ['source', 'apriltag', 'tag-pose', 'blur', 'flip', 'min_margin', 'max_margin']

const MEANT: readonly (readonly [string, string | undefined])[] = [
  ['sorce', 'source'], // a letter is missing
  ['sourcce', 'source'], // one is too many
  ['sourxe', 'source'], // one is wrong
  ['suorce', 'source'], // two are swapped
  ['AprilTag', 'apriltag'],
  ['april_tags', 'apriltag'],
  ['blurr', 'blur'],
  ['bulr', 'blur'],
  ['bl', undefined], // in short names one slip is forgiven
  ['spice', undefined],
  ['', undefined],
  ['mi_margin', 'min_margin'],
  ['m_margin', undefined], // it may be either
  ['s'.repeat(100_000), undefined],
]

test('a name that is misspelt is taken for the one that is nearest, if it is near and there is no choice', () => {
  for (const [name, meant] of MEANT) assert.equal(nearestName(name, NAMES), meant, name.slice(0, 50))
  assert.equal(nearestName('source', []), undefined)
})
