// Writes the folder of a release: the same bytes, names and dates for the same content, whoever makes it and where.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { MANIFEST_NAME, manifestFlaw } from '../../../machines/update/bundle-rules.ts'
import type { ReleaseFile, ReleaseManifest } from '../../../machines/update/release.ts'

/** A file of a release. */
export interface Content {
  /** In the release, parts separated by /. */
  readonly path: string
  /** Where it lies now, or what it holds. */
  readonly from: { readonly file: string } | { readonly text: string }
  readonly executable?: boolean
  /** The program that takes from a binary what only debuggers read. */
  readonly strip?: string
}

/** What a release says of itself besides its files. */
export type Said = Omit<ReleaseManifest, 'files' | 'format' | 'product'>

/** No release before this one could be updated at all; a version with a known hole is kept out by raising it. */
export const MINIMUM_VERSION = '0.1.0'

const FILE_MODE = 0o644
const PROGRAM_MODE = 0o755
/** Writes the folder and returns what its manifest says. Throws a sentence when a device would refuse it. */
export const writeRelease = (folder: string, content: readonly Content[], said: Said): ReleaseManifest => {
  const sorted = [...content].sort((a, b) => (a.path < b.path ? -1 : 1))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: PROGRAM_MODE })
  const files = sorted.map((each) => writeContent(folder, each))
  const manifest: ReleaseManifest = {
    format: 'vedette-release-1',
    product: 'vedette',
    version: said.version,
    hardware: said.hardware,
    base: said.base,
    minimum_version: said.minimum_version,
    built_at_ms: said.built_at_ms,
    files,
  }
  const flaw = manifestFlaw(manifest)
  if (flaw) throw new Error(`a device would refuse this release: ${flaw}`)
  writeContent(folder, { path: MANIFEST_NAME, from: { text: `${JSON.stringify(manifest, null, 1)}\n` } })
  settle(folder, [MANIFEST_NAME, ...sorted.map(({ path }) => path)], said.built_at_ms)
  return manifest
}

const writeContent = (folder: string, { path, from, executable = false, strip }: Content): ReleaseFile => {
  const place = join(folder, path)
  mkdirSync(dirname(place), { recursive: true })
  if ('text' in from) writeFileSync(place, from.text)
  else copyFileSync(from.file, place)
  chmodSync(place, executable ? PROGRAM_MODE : FILE_MODE)
  if (strip) execFileSync(strip, ['--strip-unneeded', place])
  const bytes = readFileSync(place)
  return { path, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex'), executable }
}

/** Modes and dates say nothing of who made it, and when. */
const settle = (folder: string, paths: readonly string[], atMs: number): void => {
  const at = new Date(atMs)
  const folders = new Set<string>()
  for (const path of paths)
    for (let above = dirname(path); ; above = dirname(above)) {
      folders.add(above)
      if (above === '.') break
    }
  for (const path of paths) utimesSync(join(folder, path), at, at)
  for (const path of [...folders].sort().reverse()) {
    chmodSync(join(folder, path), PROGRAM_MODE)
    utimesSync(join(folder, path), at, at)
  }
}

/** How much lies in a release, in bytes. */
export const sizeOf = (folder: string, { files }: ReleaseManifest): number =>
  files.reduce((sum, { bytes }) => sum + bytes, statSync(join(folder, MANIFEST_NAME)).size)
