// What a device runs: its system, its kernel, what it was started for the last time.
import type { Static } from 'typebox'
import { oneLine } from '../schema/one-line.ts'
import { orNull } from '../schema/or-null.ts'
import Type from '../schema/type.ts'

const strict = { additionalProperties: false } as const
const text = (description: string) => orNull(Type.String({ maxLength: 256 }), `${description} null: it does not say.`)

/** How the device was switched off, as far as the service was there. */
export const DeviceRuns = Type.Object(
  {
    starts: Type.Integer({ minimum: 0, description: 'How often the device was started with this data folder.' }),
    unsafe_shutdowns: Type.Integer({
      minimum: 0,
      description: oneLine`
        How often it went off while the service ran: by a power cut, a crash of the system. Each may cost what was being
        written; on a robot that is switched off by its main breaker there is one each time.
      `,
    }),
    last_was_unsafe: orNull(Type.Boolean(), 'Whether it went off so the last time. null: this is the first start.'),
  },
  { ...strict, title: 'DeviceRuns', description: 'How the device was switched off, counted in the data folder.' },
)
export type DeviceRuns = Static<typeof DeviceRuns>

/** What a device runs. */
export const SystemRelease = Type.Object(
  {
    name: Type.String({ maxLength: 256, description: 'Of the system, as people know it.' }),
    id: text('Of the system, for programs, as `debian`.'),
    version_id: text('Of its version, as `12`.'),
    version_codename: text('Of its version.'),
    variant_id: text('Which edition of it.'),
    build_id: text('Of an image that is not told apart by its version.'),
    image_id: text('What image was written to the disk.'),
    image_version: text('Its version.'),
    kernel: text('Its version.'),
    architecture: Type.String({ maxLength: 32, description: 'Of the processor, as Node names it.' }),
    model: text('What sort of device it is.'),
    boot_id: text('Another one at each start of the device.'),
    up_s: orNull(Type.Number({ minimum: 0 }), 'Since it was started. null: it does not say.'),
    runs: DeviceRuns,
  },
  { ...strict, title: 'SystemRelease', description: 'What the device runs.' },
)
export type SystemRelease = Static<typeof SystemRelease>

/** As the device tells it, without what the service counts. null: it has no release file. */
export type ToldRelease = Omit<SystemRelease, 'runs'>

export const systemReleaseExample: SystemRelease = {
  name: 'Debian GNU/Linux 12 (bookworm)',
  id: 'debian',
  version_id: '12',
  version_codename: 'bookworm',
  variant_id: null,
  build_id: null,
  image_id: null,
  image_version: null,
  kernel: '6.12.34+rpt-rpi-2712',
  architecture: 'arm64',
  model: 'Raspberry Pi 5 Model B Rev 1.0',
  boot_id: '2b6f2f3e-6c0b-4c53-9b0e-6d7d1b9a8c01',
  up_s: 5_401.2,
  runs: { starts: 12, unsafe_shutdowns: 9, last_was_unsafe: true },
}

const MAX_VALUE = 256

/** Reads a release file: KEY=value, quoted as a shell does. Keys that are none are left out. */
export const valuesOfRelease = (text: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const line of text.split('\n').slice(0, 200)) {
    const [, key, value] = /^\s*([A-Z][A-Z0-9_]*)=(.*?)\s*$/.exec(line) ?? []
    if (key === undefined || value === undefined) continue
    const [, double, single] = /^(?:"((?:[^"\\]|\\.)*)"|'([^']*)')$/.exec(value) ?? []
    const plain = double?.replace(/\\(.)/g, '$1') ?? single ?? value
    if (plain !== '' && plain.length <= MAX_VALUE) found.set(key, plain)
  }
  return found
}

/** What was noted in the data folder of how the device was switched off. */
export interface RunRecord {
  /** Of the start of the device during which it was written; null: the device does not tell. */
  readonly boot_id: string | null
  /** Whether the service runs, or went away without saying so. */
  readonly is_running: boolean
  readonly starts: number
  readonly unsafe_shutdowns: number
  readonly last_was_unsafe: boolean | null
}

/**
 * What to note as the service starts. before: what was noted last. The same boot_id: only the service went away, not
 * the device.
 */
export const beginRun = (before: RunRecord | null, boot_id: string | null): RunRecord => {
  if (!before) return { boot_id, is_running: true, starts: 1, unsafe_shutdowns: 0, last_was_unsafe: null }
  if (boot_id === null || boot_id === before.boot_id) return { ...before, is_running: true }
  return {
    boot_id,
    is_running: true,
    starts: before.starts + 1,
    unsafe_shutdowns: before.unsafe_shutdowns + (before.is_running ? 1 : 0),
    last_was_unsafe: before.is_running,
  }
}

/** What to note as the service ends. */
export const endRun = (now: RunRecord): RunRecord => ({ ...now, is_running: false })

const count = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

/** What was noted; null: that is nothing of this sort. */
export const readRunRecord = (value: unknown): RunRecord | null => {
  const { boot_id, is_running, starts, unsafe_shutdowns, last_was_unsafe } = (value ?? {}) as Record<string, unknown>
  if (boot_id !== null && typeof boot_id !== 'string') return null
  if (typeof is_running !== 'boolean' || !count(starts) || !count(unsafe_shutdowns)) return null
  return {
    boot_id,
    is_running,
    starts,
    unsafe_shutdowns,
    last_was_unsafe: typeof last_was_unsafe === 'boolean' ? last_was_unsafe : null,
  }
}
