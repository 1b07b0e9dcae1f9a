// What the tests took, file by file, and which of them take too long.
import { globSync } from 'node:fs'
import { relative } from 'node:path'

/** A file of tests. */
export interface FileTime {
  readonly file: string
  /** From its start to its end, with what it waited for. */
  readonly wallS: number
  /** With that of the processes which it started and waited for. */
  readonly cpuS: number
}

/** A test that took its time. */
export interface TestTime {
  readonly file: string
  readonly name: string
  readonly wallS: number
}

const DEAREST = 30

/** What all files compute on the machine that the limits are for. One that takes longer has longer limits. */
const ALL_FILES_S = 800

/** Of a test, from its start to its end, on a machine of its own. */
const MAX_WALL_S = 20

/** Of a file: tests of ten seconds each belong in several files, which run beside one another. */
const MAX_COMPUTED_S = 30

/** Files, or patterns of one, which may take longer, or of which a test may, and why. */
export const LONG_FOR_A_REASON: Readonly<Record<string, string>> = {
  'test/slices/busy-machine.test.ts': 'computes beside others on purpose',
  'test/native/engine/**/slow.test.ts': 'computes beside others on purpose',
  'test/native/setup.test.ts': 'sets checkouts up, again and again',
  'test/native/launcher/launcher.test.ts': 'starts versions of the service that do not do, again and again',
  'test/native/bundle.test.ts': 'bundles the service, again and again',
  'test/native/documents/soundness.test.ts': 'breaks each page of a file, and waits for the disk each time',
  'test/slices/update.test.ts': 'waits for the trials of two versions',
  'test/slices/update-gone-back.test.ts': 'in the long test it waits for the trials of bad versions',
  'test/slices/slow-disk.test.ts': 'waits for a disk that is slow on purpose',
  'test/slices/bad-wire.test.ts': 'in the long test it plays 2,000 stories',
  'test/ui/many-media.test.ts': 'in the long test it goes through ten thousand media',
  'test/slices/floods.test.ts': 'judges each flood of each socket in windows of time',
  'test/slices/peer-faults.test.ts': 'waits until a device that sleeps counts as silent',
  'test/slices/robot-writes.test.ts': 'waits for a camera that a robot has slowed down to a frame a second',
  'test/package/arm64.test.ts': 'compiles the addons, and runs some in an emulator',
  'test/package/whole-release.test.ts': 'compiles the addons',
  'test/system/debian-package.test.ts': 'starts an emulated machine',
  'test/system/image.test.ts': 'starts an emulated machine',
  'test/native/engine/**/deviations.test.ts': 'solves the poses of hundreds of pictures',
}

/**
 * What takes longest, in the order in which it is begun. Files, or patterns of one. Those with a browser, which is many
 * processes, are not begun one after the other.
 */
export const LONGEST: readonly string[] = [
  'test/slices/update.test.ts',
  'test/native/launcher/launcher.test.ts',
  'test/native/setup.test.ts',
  'test/native/bundle.test.ts',
  'test/native/engine/camera/colour.test.ts',
  'test/native/engine/**/aruco.test.ts',
  'test/native/engine/**/slow.test.ts',
  'test/slices/robot-writes.test.ts',
  'test/ui/pipelines.test.ts',
  'test/slices/busy-machine.test.ts',
  'test/native/engine/**/deviations.test.ts',
  'test/ui/overview.test.ts',
  'test/native/engine/**/heading.test.ts',
  'test/slices/peer-faults.test.ts',
  'test/ui/peers.test.ts',
  'test/slices/failing-parts.test.ts',
  'test/api/conformance.test.ts',
  'test/ui/stream.test.ts',
  'test/api/any-request.test.ts',
  'test/slices/bad-wire.test.ts',
  'test/ui/media.test.ts',
  'test/native/engine/service/engines.test.ts',
  'test/native/documents/soundness.test.ts',
  'test/ui/field.test.ts',
  'test/slices/camera-plugged.test.ts',
  'test/client/client.test.ts',
  'test/ui/nt4.test.ts',
  'test/slices/pairing-kills.test.ts',
  'test/slices/lost-store.test.ts',
  'test/ui/rig.test.ts',
  'test/native/engine/**/two-solutions.test.ts',
  'test/api/requests.test.ts',
  'test/ui/settings.test.ts',
  'test/ui/errors.test.ts',
  'test/ui/streams.test.ts',
]

const padded = (seconds: number): string => seconds.toFixed(1).padStart(7)

const computedBy = (files: readonly FileTime[]): number => files.reduce((all, { cpuS }) => all + cpuS, 0)

/** The dearest files, first those that take most of the processors. */
export const tableOfFiles = (files: readonly FileTime[]): string => {
  const all = computedBy(files).toFixed(0)
  const rows = files.toSorted((a, b) => b.cpuS - a.cpuS).slice(0, DEAREST)
  return [
    `${files.length} files took ${all} s of the processors; the dearest (computed, from start to end):`,
    ...rows.map(({ file, wallS, cpuS }) => `${padded(cpuS)} s ${padded(wallS)} s  ${relative('.', file)}`),
  ].join('\n')
}

/**
 * What takes too long and is not known to. share: of the machine that was there for the tests, 0 to 1. failed: files of
 * which a test failed, which is told by itself; how long they waited until they gave up says nothing.
 */
export const tooLong = (
  files: readonly FileTime[],
  tests: readonly TestTime[],
  share: number,
  failed: readonly string[] = [],
): readonly string[] => {
  const slowness = Math.max(1, computedBy(files) / ALL_FILES_S)
  const excused = new Set([...globSync(Object.keys(LONG_FOR_A_REASON)), ...failed.map((file) => relative('.', file))])
  const isExcused = (file: string) => excused.has(relative('.', file))
  const limitS = (slowness * MAX_WALL_S) / share
  return [
    ...files
      .filter(({ file, cpuS }) => cpuS > slowness * MAX_COMPUTED_S && !isExcused(file))
      .map(({ file, cpuS }) => `${relative('.', file)} computes for ${cpuS.toFixed(1)} s`),
    ...tests
      .filter(({ file, wallS }) => wallS > limitS && !isExcused(file))
      .map(({ file, name, wallS }) => `${relative('.', file)} takes ${wallS.toFixed(1)} s for: ${name}`),
  ]
}
