// Matrices in the text of a tuning file: read, and changed with every other byte as it was.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Ccm, ccmAt, flawOfCcm, isRising, MAX_ENTRY, roundedCcm, withCcm } from '../../../machines/ipa/ccm.ts'
import { addMatrix, isTuningFlaw, readTuning, replaceMatrices, restOf } from '../../../machines/ipa/tuning-text.ts'
import { FIRST_VERSION, MONO, TUNING, WITH_COMMA } from '../../support/colour/tuning-files.ts'
import { shortOrLong } from '../../support/long.ts'

const CCM = [1.5, -0.4, -0.1, -0.3, 1.4, -0.1, 0, -0.5, 1.5]

const read = (text: string) => {
  const found = readTuning(text)
  assert.ok(!isTuningFlaw(found), JSON.stringify(found))
  return found
}

const changed = (text: string, matrix: Ccm): string => {
  const found = addMatrix(text, matrix)
  assert.ok(typeof found === 'string', JSON.stringify(found))
  return found
}

test('matrices, curve and black level are read, also where JSON.parse refuses the text', () => {
  assert.throws(() => JSON.parse(WITH_COMMA))
  for (const text of [TUNING, WITH_COMMA]) {
    const { matrices, gammaCurve, blackLevel, isAdaptive, target } = read(text)
    assert.deepEqual(
      matrices.map(({ ct }) => ct),
      [2850, 5600],
    )
    assert.deepEqual([gammaCurve?.length, blackLevel, isAdaptive, target], [10, 4096, false, 'bcm2835'])
  }
  assert.equal(read(FIRST_VERSION).matrices[0]?.ct, 3000)
})

test('a matrix is added in the manner of those that are there, and nothing else is touched', () => {
  const text = changed(WITH_COMMA, { ct: 4000, ccm: CCM })

  const lines = new Set(WITH_COMMA.split('\n'))
  const added = text.split('\n').filter((line) => !lines.has(line))
  assert.deepEqual(added, [
    '                        "ct": 4000,',
    '                            1.5, -0.4, -0.1,',
    '                            -0.3, 1.4, -0.1,',
    '                            0, -0.5, 1.5',
  ])
  assert.equal(restOf(text), restOf(WITH_COMMA))
  assert.deepEqual(
    read(text).matrices.map(({ ct }) => ct),
    [2850, 4000, 5600],
  )
  assert.match(changed(FIRST_VERSION, { ct: 4000, ccm: CCM }), /0, -1, 2\]\}, \{ "ct": 4000, "ccm": \[ 1\.5, /)
})

test('one of the same light is replaced; carriage returns and bytes that are no UTF-8 stay', () => {
  const odd = TUNING.replaceAll('\n', '\r\n').replace('"bcm2835"', '"bcm\xff\xfe2835"')

  const text = changed(odd, { ct: 2950, ccm: CCM })

  assert.deepEqual(
    read(text).matrices.map(({ ct }) => ct),
    [2950, 5600],
  )
  assert.equal(restOf(text), restOf(odd))
  assert.ok(!/[^\r]\n/.test(text))
})

test('what cannot be changed is refused in words', () => {
  const flaw = (text: string): string => {
    const found = addMatrix(text, { ct: 4000, ccm: CCM })
    assert.ok(typeof found !== 'string')
    return found.flaw
  }

  assert.match(flaw(MONO), /no rpi\.ccm: a sensor without colours/)
  assert.match(flaw(TUNING.replace('"ct": 2850', '"ct": 5600')), /do not rise/)
  assert.match(flaw(TUNING.replace('"version": 2.0', '"version": 3')), /of version 3/)
  assert.match(flaw(TUNING.replace('1.95,', '')), /not 9 numbers/)
  assert.match(flaw(`${TUNING}}`), /cannot be read: line \d+, column \d+: expected nothing more/)
  assert.match(flaw('['.repeat(100_000)), /at most 64 levels/)
  assert.match(flaw(''), /expected a value/)
  assert.deepEqual(replaceMatrices(TUNING, []), { flaw: 'the ct of the new matrices do not rise' })
})

const FREE = fc.double({ min: -1.9, max: 1.9, noNaN: true })
/** Rows of 1, of five digits. */
const ccms = fc
  .array(FREE, { minLength: 6, maxLength: 6 })
  .map((free) =>
    roundedCcm(
      [0, 2, 4].flatMap((at) => [free[at] ?? 0, free[at + 1] ?? 0, 1 - (free[at] ?? 0) - (free[at + 1] ?? 0)]),
    ),
  )
const cts = fc.double({ min: 1000, max: 20_000, noNaN: true })
const lists = fc
  .uniqueArray(fc.integer({ min: 1000, max: 20_000 }), { minLength: 1, maxLength: 12 })
  .chain((all) => fc.tuple(...all.sort((one, other) => one - other).map((ct) => ccms.map((ccm) => ({ ct, ccm })))))

/** Blanks, and commas too many, as chance has them. */
const dressed = (value: unknown, chance: () => number): string => {
  const blank = () => ['', ' ', '\n  ', '\r\n', '\t'][chance() % 5] as string
  const listed = (all: readonly string[]) =>
    all.map((each) => blank() + each + blank()).join(',') + (all.length > 0 && chance() % 3 === 0 ? ',' : '') + blank()
  if (Array.isArray(value)) return `[${listed(value.map((each) => dressed(each, chance)))}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entry = ([key, each]: [string, unknown]) =>
    `${JSON.stringify(key)}${blank()}:${blank()}${dressed(each, chance)}`
  return `{${listed(Object.entries(value).map(entry))}}`
}

const texts = fc
  .tuple(
    lists,
    fc.dictionary(
      fc.string().filter((key) => key !== 'ccms' && key !== '__proto__'),
      fc.jsonValue(),
    ),
    fc.array(fc.jsonValue({ maxDepth: 2 })),
    fc.array(fc.nat(60), { minLength: 20, maxLength: 40 }),
  )
  .map(([matrices, more, others, seed]) => {
    const entry = { 'rpi.ccm': { ...more, ccms: matrices } }
    const list = [{ 'rpi.awb': others }, entry, { 'rpi.other': more }]
    let asked = 0
    const chance = () => seed[asked++ % seed.length] as number
    return dressed({ version: 2, target: 'pisp', algorithms: list }, chance)
  })

test('whatever tuning file: with a matrix more it is read again, rises, and all else is the same', () => {
  fc.assert(
    fc.property(texts, ccms, cts, (text, ccm, ct) => {
      const before = read(text).matrices
      const after = changed(text, { ct, ccm })

      const { matrices } = read(after)
      assert.deepEqual(matrices, withCcm(before, { ct, ccm }))
      assert.ok(isRising(matrices))
      assert.equal(restOf(after), restOf(text))
      for (const each of matrices) assert.equal(flawOfCcm(each.ccm), undefined)
    }),
    { seed: 3801, numRuns: shortOrLong(300, 5_000) },
  )
})

test('any text that is no tuning file is refused without a throw, and so is any that is spoilt', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(TUNING.length - 1), fc.nat(40), (garbage, at, length) => {
      readTuning(garbage)
      const spoilt = TUNING.slice(0, at) + garbage + TUNING.slice(at + length)
      const found = addMatrix(spoilt, { ct: 4000, ccm: CCM })
      if (typeof found === 'string') assert.equal(restOf(found), restOf(spoilt))
    }),
    { seed: 3802, numRuns: shortOrLong(500, 5_000) },
  )
})

test('a matrix that libcamera would clamp, or that tints greys, is refused', () => {
  assert.equal(flawOfCcm(CCM), undefined)
  assert.match(flawOfCcm([9, -8, 0, ...CCM.slice(3)]) ?? '', /^9 lies beyond/)
  assert.match(flawOfCcm([MAX_ENTRY, -6.9999, 0, ...CCM.slice(3)]) ?? 'none', /^none$/)
  assert.match(flawOfCcm([1.1, 0, 0, ...CCM.slice(3)]) ?? '', /^row 1 sums to 1\.1000/)
  assert.match(flawOfCcm([Number.NaN, 1, 0, ...CCM.slice(3)]) ?? '', /^NaN lies beyond/)
  assert.match(flawOfCcm([1]) ?? '', /9 numbers/)
})

test('between two temperatures a matrix is in proportion, beyond them the nearest', () => {
  const all = [
    { ct: 2000, ccm: [1, 0, 0, 0, 1, 0, 0, 0, 1] },
    { ct: 4000, ccm: [3, -2, 0, 0, 1, 0, 0, 0, 1] },
  ]

  assert.deepEqual(ccmAt(all, 1000), all[0]?.ccm)
  assert.deepEqual(ccmAt(all, 3000), [2, -1, 0, 0, 1, 0, 0, 0, 1])
  assert.deepEqual(ccmAt(all, 9000), all[1]?.ccm)
  assert.equal(ccmAt([], 9000), undefined)
})
