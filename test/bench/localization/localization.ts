// One pose from all cameras, against the truth: pictures that are drawn and looked at, with faults of mounts, lenses
// and map that nobody is told of.
import { JointSolver } from '../../../machines/localization/joint-solve.ts'
import { solveMapOf } from '../../../machines/localization/solve-map.ts'
import { DEFAULT_CONFIG } from '../../support/localization/worlds.ts'
import type { Measurement } from '../lab/lab.ts'
import { median, quantile, type Row } from '../lab/row.ts'
import { deviationRows, distanceOf, distanceRows, errorOf } from './errors.ts'
import { type Answer, badDelay, type Drive, driven, drivesOf, FAST_M_S, usualDelay, withTrueMotion } from './moving.ts'
import { withOtherFaults } from './other-faults.ts'
import { FIELD } from './robots.ts'
import { bestCameraErrors, jointErrors, luckiestCameraErrors, problemOf, type Stand, standsOf } from './standing.ts'

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8]
const ROBOTS = 25 // for each seed, ten places each
const SECONDS = 2
const OTHER_SEEDS = [21, 22, 23, 24, 25, 26, 27, 28]
const OTHER_SECONDS = 0.5
const OTHER_ROBOTS = 24 // of each of these

const newSolver = () => new JointSolver({ map: solveMapOf(FIELD), config: DEFAULT_CONFIG })

export const localization: Measurement = async (lab) => {
  const stands = await standsOf(lab, SEEDS, ROBOTS)
  const drives = await drivesOf(lab, SEEDS, SECONDS)
  const flawless = await drivesOf(lab, OTHER_SEEDS, OTHER_SECONDS, true)
  return [...rowsOf(stands, drives), ...manyRobots(flawless)]
}

/** From what was seen. */
export const rowsOf = (stands: readonly Stand[], drives: readonly Drive[]): readonly Row[] => {
  const still = standingRows(stands)
  const free = jointErrors(newSolver(), stands, { cameras: 4, heading: false })
  const stillP50 =
    100 *
    quantile(
      free.flat().map(({ distance }) => distance),
      0.5,
    )

  const usual = drives.map((drive) => ({ drive, ...driven(drive, usualDelay) }))
  const fast = usual.map(({ answers }) => answers.filter(({ speed }) => speed > FAST_M_S))
  const errors = fast.map((answers) => answers.flatMap(errorIn))
  const rounds = fast.flat().length
  const distances = errors.map((some) => some.map(({ distance }) => distance))
  const solver = newSolver()
  const exact = usual.map(({ drive }, n) =>
    (fast[n] ?? []).flatMap((answer) => {
      const { solved } = solver.solve(withTrueMotion(drive.seen, answer))
      const isSure = solved && solved.stdXyM <= DEFAULT_CONFIG.gate.max_std_m
      return isSure ? [distanceOf(solved.pose, answer.truth)] : []
    }),
  )
  const above = 100 * quantile(distances.flat(), 0.5) - stillP50
  return [
    ...still,
    ...distanceRows('4 cameras that run free, above 2.5 m/s, nothing from the robot', distances, rounds),
    {
      what: '  the same, p50 above that of robots that hardly move',
      unit: 'cm',
      measured: above,
      low: above,
      high: above,
      from: `${rounds} rounds`,
      figure: { atMost: 1.5 },
    },
    ...distanceRows('  the same rounds, the motion between exposures known', exact, rounds),
    ...deviationRows('  moving, 4 cameras', errors, false),
    ...badRows(drives.map((drive) => driven(drive, badDelay, 0.5))),
    cpuRow(stands),
  ]
}

/** Fast robots with faults of their own, many of each drive. */
export const manyRobots = (flawless: readonly Drive[]): readonly Row[] => {
  let rounds = 0
  const errors = flawless.map((one) =>
    Array.from({ length: OTHER_ROBOTS }, (_, n) => {
      const { drive, map } = withOtherFaults(one, 1000 * one.seed + n)
      const fast = driven(drive, usualDelay, 1, map).answers.filter(({ speed }) => speed > FAST_M_S)
      rounds += fast.length
      return fast.flatMap(errorIn)
    }).flat(),
  )
  const what = `${OTHER_ROBOTS * flawless.length} robots with faults of their own, above 2.5 m/s`
  const distances = errors.map((some) => some.map(({ distance }) => distance))
  return [...distanceRows(what, distances, rounds), ...deviationRows(what, errors, true)]
}

const errorIn = ({ solved: { solved, isSure }, truth }: Answer) => (solved && isSure ? [errorOf(solved, truth)] : [])

const standingRows = (stands: readonly Stand[]): readonly Row[] => {
  const solver = newSolver()
  const rounds = stands.flatMap(({ moments }) => moments).length
  const joint = (cameras: number, heading: boolean) => jointErrors(solver, stands, { cameras, heading })
  const distances = (some: ReturnType<typeof joint>) => some.map((each) => each.map(({ distance }) => distance))
  const p50 = (some: readonly (readonly number[])[]) => quantile(some.flat(), 0.5)

  const [four, fourFree, two, twoHeaded] = [joint(4, true), joint(4, false), joint(2, false), joint(2, true)]
  const [bestOfFour, bestOfTwo] = [bestCameraErrors(stands, 4), bestCameraErrors(stands, 2)]
  const luckiest = Math.min(...luckiestCameraErrors(stands, 4).map(p50))
  const ratio = (what: string, measured: number, atMost: number): Row => {
    const from = `${rounds} rounds`
    return { what, unit: '', measured, low: measured, high: measured, from, figure: { atMost } }
  }
  return [
    ...distanceRows('4 cameras, joint, heading', distances(four), rounds, { p50: 2.5, p95: 10, far: 0.3 }),
    ...distanceRows('  camera with most tags, usual rejects', bestOfFour, rounds),
    ratio('  joint p50 over that of the camera with most tags', p50(distances(four)) / p50(bestOfFour), 0.5),
    ratio('  joint p50 over that of the luckiest single camera', p50(distances(four)) / luckiest, 0.5),
    ...distanceRows('4 cameras, joint, no heading', distances(fourFree), rounds),
    ...distanceRows('2 cameras, joint, no heading', distances(two), rounds, { p50: 5 }),
    ...distanceRows('  camera with most tags, usual rejects', bestOfTwo, rounds),
    ratio('  joint p50 over that of the camera with most tags', p50(distances(two)) / p50(bestOfTwo), 1),
    ...distanceRows('2 cameras, joint, heading', distances(twoHeaded), rounds),
    ...deviationRows('4 cameras, heading', four, true),
    ...deviationRows('4 cameras, no heading', fourFree, true),
    ...deviationRows('2 cameras, no heading', two, true),
  ]
}

/** Frames late by up to 80 ms, in no order, and half of the way without the first camera. */
const badRows = (all: readonly { readonly answers: readonly Answer[]; readonly refused: number }[]): readonly Row[] => {
  const times = all.map(({ answers }) => answers.map(({ solved }) => solved.capturedUs))
  const disorder = times.map((some) => some.filter((us, n) => n > 0 && us <= (some[n - 1] as number)).length)
  const used = all.map(({ answers }) => answers.flatMap(({ round }) => round.frames))
  const twice = used.map((frames) => frames.length - new Set(frames).size)
  const numbers = all.map(({ answers }) =>
    answers.flatMap(({ solved: { solved } }) => (solved ? [...Object.values(solved.pose), ...solved.stdDevs] : [])),
  )
  const strange = numbers.map((some) => some.filter((each) => !Number.isFinite(each)).length)
  const from = `${times.flat().length} rounds, ${all.reduce((sum, { refused }) => sum + refused, 0)} frames refused`
  const row = (what: string, counts: readonly number[]): Row => {
    const measured = counts.reduce((sum, each) => sum + each, 0)
    return {
      what,
      unit: '',
      measured,
      low: Math.min(...counts),
      high: Math.max(...counts),
      from,
      figure: { atMost: 0 },
    }
  }
  return [
    row('frames late by up to 80 ms, one camera gone: poses out of order or twice', disorder),
    row('  frames used twice', twice),
    row('  numbers that are none', strange),
  ]
}

/** Of a thread that does nothing else: rounds with four cameras and about eight tags. */
const cpuRow = (stands: readonly Stand[]): Row => {
  const solver = newSolver()
  const usual = stands
    .flatMap(({ moments }) => moments)
    .map((moment) => problemOf(moment, 4))
    .filter((problem) => Math.abs(solver.solve(problem).tags.length - 8) <= 1)
  const runs = Array.from({ length: 9 }, () => {
    const before = process.threadCpuUsage()
    for (const problem of usual) solver.solve(problem)
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / usual.length / 1000
  })
  const spread = { measured: median(runs), low: Math.min(...runs), high: Math.max(...runs) }
  const from = `${usual.length} rounds with 7 to 9 tags, 9 times`
  return { what: 'a solve of 4 cameras and 8 tags: CPU', unit: 'ms', from, ...spread, figure: { atMost: 0.5 } }
}
