// What this device judges update bundles by: keys, time, hardware and system.
import { readFile } from 'node:fs/promises'
import { jsonIn } from '../../machines/schema/json.ts'
import { keyTimeMs } from '../../machines/update/keys.ts'
import { projectPath } from '../files/project-root.ts'
import { readUpdateKeys } from './bundle/key-files.ts'
import type { Judging } from './bundle/verify.ts'

/** The keys that a team trusts, on a device where the package is installed. */
export const TEAM_KEYS = '/etc/vedette/update-keys.json'

/** Where the keys, the system and the time are read. Default: as on an installed device. */
export interface JudgingParts {
  /** The files with the keys that the team trusts; those of the release that runs are trusted as well. */
  readonly keyFiles?: readonly string[]
  /** What the system says of itself. */
  readonly osRelease?: string
  /** The folder of the release that runs. */
  readonly release?: string
  readonly nowMs?: () => number
}

/** Reads it, at each call. Throws CannotBundle when a file of keys makes no sense. */
export const deviceJudging = async ({
  keyFiles = [TEAM_KEYS],
  osRelease = '/etc/os-release',
  release = projectPath('.'),
  nowMs = Date.now,
}: JudgingParts = {}): Promise<Judging> => ({
  keys: await readUpdateKeys([...keyFiles, `${release}/update-keys.json`]),
  timeMs: keyTimeMs(nowMs(), builtAtMs(await textOf(`${release}/release.json`))),
  device: { hardware: `${process.platform}-${process.arch}`, base: baseIn(await textOf(osRelease)) },
})

const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')

const builtAtMs = (text: string): number => {
  const { built_at_ms } = (jsonIn(text) ?? {}) as { readonly built_at_ms?: unknown }
  return typeof built_at_ms === 'number' ? built_at_ms : 0
}

/** `debian-12`; null: the system does not say. */
const baseIn = (text: string): string | null => {
  const [, id] = /^ID="?([^"\n]+)/m.exec(text) ?? []
  const [, version] = /^VERSION_ID="?([^"\n]+)/m.exec(text) ?? []
  return id && version ? `${id}-${version}` : null
}
