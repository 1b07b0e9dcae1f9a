// How far a robot's heading is off what the tags show.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HeadingHistory } from '../../../machines/localization/heading-history.ts'
import { HeadingOffset, type HeadingRules } from '../../../machines/localization/heading-offset.ts'

const MS = 1_000
const DEG = Math.PI / 180
const RULES: HeadingRules = { use: true, std_deg: 0.5, learn_offset: true }

/** Says of a robot that turns by 90 degrees a second from 170 degrees on, wrapped, each 20 ms. */
const turning = (offset: { add(sample: { atUs: number; yaw: number; rate: number }): void }, toMs: number) => {
  for (let ms = 0; ms <= toMs; ms += 20) offset.add({ atUs: ms * MS, yaw: wrapped((170 + 0.09 * ms) * DEG), rate: 0 })
}

const wrapped = (angle: number): number => Math.atan2(Math.sin(angle), Math.cos(angle))

const isAt = (found: number | undefined, expectedDeg: number, byDeg = 1e-6) =>
  assert.ok(
    found !== undefined && Math.abs(wrapped(found - expectedDeg * DEG)) < byDeg * DEG,
    `${found === undefined ? 'nothing' : found / DEG}, not ${expectedDeg}`,
  )

/** Looks at 30 a second for that long, at tags that are `offDeg` off what the robot says. */
const looks = (offset: HeadingOffset, offDeg: number, fromMs: number, toMs: number, stdDeg = 0.2) => {
  for (let ms = fromMs; ms <= toMs; ms += 33) {
    const said = offset.saidAt(ms * MS)
    assert.ok(said, `nothing is said at ${ms}`)
    offset.seen(wrapped(said.yaw + offDeg * DEG), stdDeg * DEG, ms * MS)
  }
}

const learnt = (offDeg: number, rules = RULES): HeadingOffset => {
  const offset = new HeadingOffset(rules)
  turning(offset, 5_000)
  looks(offset, offDeg, 0, 1_500)
  return offset
}

test('a heading between two samples is on the line between them, the shorter way round', () => {
  const history = new HeadingHistory()
  turning(history, 500)

  isAt(history.at(107 * MS)?.yaw, 170 + 0.09 * 107)
  isAt(history.at(560 * MS)?.yaw, 170 + 0.09 * 560)
  assert.equal(history.at(601 * MS), undefined)
  assert.equal(history.at(-101 * MS), undefined)
})

test('what is carried on from a sample is in doubt by all that is turned', () => {
  const history = new HeadingHistory()
  history.add({ atUs: 0, yaw: 1, rate: 2 })

  assert.deepEqual(history.at(50 * MS), { yaw: 1.1, std: 2 * 0.055 })
})

test('the offset is learnt from looks that are sure, and the heading used from then on', () => {
  const offset = new HeadingOffset(RULES)
  turning(offset, 5_000)
  assert.equal(offset.priorAt(0), undefined)

  looks(offset, 37, 0, 1_000, 0.31)
  assert.equal(offset.knownAt(1_000 * MS), undefined)
  looks(offset, 37, 1_000, 2_000, 0.3)

  isAt(offset.knownAt(2_000 * MS)?.offset, 37, 0.01)
  const prior = offset.priorAt(2_000 * MS)
  isAt(prior?.yaw, 170 + 180 + 37, 0.01)
  assert.ok(prior && prior.std >= 0.5 * DEG && prior.std < 0.8 * DEG)
})

test('one look is not enough, whatever it claims, unless it is very sure', () => {
  const offset = new HeadingOffset(RULES)
  turning(offset, 100)

  offset.seen(1, 0.3 * DEG, 50 * MS)
  assert.equal(offset.knownAt(50 * MS), undefined)
})

test('a single wrong look changes nothing, and four that agree are a gyro that was set', () => {
  const offset = learnt(2)

  looks(offset, 30, 1_600, 1_600)
  isAt(offset.knownAt(1_600 * MS)?.offset, 2, 0.01)
  looks(offset, -50, 1_640, 1_710)
  isAt(offset.knownAt(1_710 * MS)?.offset, 2, 0.01)
  looks(offset, -50, 1_740, 2_100)

  isAt(offset.knownAt(2_100 * MS)?.offset, -50, 0.01)
})

test('a heading that jumps while the robot says it has another offset from then on', () => {
  const offset = learnt(2)

  offset.add({ atUs: 5_020 * MS, yaw: 0, rate: 0 })

  assert.equal(offset.knownAt(5_020 * MS), undefined)
  assert.equal(offset.priorAt(5_020 * MS), undefined)
})

test('a gyro that drifts is followed, and an offset that was not looked at for minutes is not used', () => {
  const offset = new HeadingOffset(RULES)
  for (let ms = 0; ms <= 120_000; ms += 20) {
    offset.add({ atUs: ms * MS, yaw: 0, rate: 0 })
    if (ms % 100 === 0) offset.seen((ms / 120_000) * DEG, 0.2 * DEG, ms * MS)
  }

  isAt(offset.knownAt(120_000 * MS)?.offset, 1, 0.15)
  assert.ok(offset.knownAt(180_000 * MS))
  assert.equal(offset.knownAt(400_000 * MS), undefined)
})

test('a heading that is more than a degree off for two seconds is told, and no longer when it is not said', () => {
  const offset = learnt(2.1)
  assert.equal(offset.warningAt(1_500 * MS), undefined)
  looks(offset, 2.1, 1_500, 2_500)

  const warning = offset.warningAt(2_500 * MS)
  assert.match(warning ?? '', /^the robot's heading is 2\.1 degrees off what the tags show; it is corrected here/)
  assert.equal(offset.warningAt(5_200 * MS), undefined)
  assert.equal(learnt(0.9).warningAt(4_000 * MS), undefined)
})

test('an offset that is not to be learnt is zero, and told all the same', () => {
  const offset = learnt(3, { ...RULES, learn_offset: false })
  looks(offset, 3, 1_500, 2_600)

  isAt(offset.priorAt(1_000 * MS)?.yaw, 170 + 90)
  assert.match(offset.warningAt(2_600 * MS) ?? '', /3\.0 degrees off .* used as the robot says it/)
})

test('a heading that is not to be used is no prior', () => {
  assert.equal(learnt(0, { ...RULES, use: false }).priorAt(1_000 * MS), undefined)
})
