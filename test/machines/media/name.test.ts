// The names of items: each has one of its own, found in little time however many there are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newMediaName } from '../../../machines/media/name.ts'

/** asked: how many names were looked up. */
const named = (taken: ReadonlySet<string>) => {
  let asked = 0
  const names = newMediaName({ requested: 'shot', defaultName: 'front', type: 'image/jpeg' })
  let each = names.next()
  for (; !each.done; asked += 1) each = names.next(taken.has(each.value))
  return { name: each.value, asked }
}

const shots = (count: number) => Array.from({ length: count }, (_, n) => (n === 0 ? 'shot.jpg' : `shot-${n + 1}.jpg`))

test('items of one name are numbered one after the other', () => {
  const taken = new Set<string>()
  for (let n = 0; n < 100; n++) taken.add(named(taken).name)

  assert.deepEqual([...taken], shots(100))
})

test('the name of the twenty-thousandth is found with a few questions', () => {
  const { name, asked } = named(new Set(shots(19_999)))

  assert.equal(name, 'shot-20000.jpg')
  assert.ok(asked < 40, `${asked} questions`)
})

test('whatever was deleted in between, the name is one that is free', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(40)), (gaps) => {
      const taken = new Set(shots(40).filter((_, n) => !gaps.includes(n)))

      assert.ok(!taken.has(named(taken).name))
    }),
  )
})
