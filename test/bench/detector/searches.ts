// The programs that have bare libapriltag and this service's own detector look through whole pictures.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TagFamily } from '../../../machines/engine/tag-families.ts'
import type { Photograph } from '../../support/media/photographs.ts'
import { type Lab, ROOT, start } from '../lab/lab.ts'

/** The families of the tags in real pictures. */
export const PHOTOGRAPHED = ['tag36h11', 'tag16h5'] as const
export type Photographed = (typeof PHOTOGRAPHED)[number]

/** As nodes have it that say nothing of it. */
export const DEFAULT_BITS: Readonly<Record<Photographed, number>> = { tag36h11: 1, tag16h5: 0 }

/** What to look for in a picture: where there is no tag, the usual one. */
export const familyIn = ({ families }: Photograph): Photographed =>
  families.includes('tag16h5') ? 'tag16h5' : 'tag36h11'

export interface Sighting {
  readonly id: number
  readonly cx_px: number
  readonly cy_px: number
  readonly hamming: number
  readonly margin: number
}

/** What each detector found. */
export interface Answers {
  readonly width_px: number
  readonly height_px: number
  /** Libapriltag's. */
  readonly library: readonly Sighting[]
  /** Those of them that have a border, as our node with libapriltag gives them. */
  readonly reference: readonly Sighting[]
  /** Those of our detector. */
  readonly own: readonly Sighting[]
}

/** CPU of the thread, us: libapriltag's and our own detector's. */
export type Times = readonly [library: number, own: number]

/** How pictures are looked through. */
export interface Looks {
  readonly files: readonly string[]
  readonly family: TagFamily
  /** That are corrected. */
  readonly bits: number
  readonly rounds: number
  /** That pictures are made to have; none: they stay as they are. */
  readonly size?: { readonly width_px: number; readonly height_px: number }
}

const ADDON = join(ROOT, 'native', 'addon')
let made: Promise<unknown> | undefined

/** The path of a program, compiled when it is missing or old. */
export const searchProgram = async (
  name: 'scan' | 'cells' | 'corners' | 'stages' | 'tracked' | 'two-threads' | 'search-memory',
): Promise<string> => {
  made ??= promisify(execFile)('make', ['-s', '-C', ADDON, 'scan'])
  await made
  return join(ADDON, 'build', name)
}

/**
 * What both found in each file, and for each round what they took for each file; a round before those is not counted.
 */
export const looked = async (
  lab: Lab,
  { files, family, bits, rounds, size }: Looks,
): Promise<{ readonly answers: readonly Answers[]; readonly rounds: readonly (readonly Times[])[] }> => {
  const words = [rounds, family, bits, size?.width_px ?? 0, size?.height_px ?? 0].map(String)
  const program = start(lab, await searchProgram('scan'), [...words, ...files])
  const answers = JSON.parse(await program.line()) as Answers[]
  const times: Times[][] = []
  while (times.length < rounds) times.push(JSON.parse(await program.line()) as Times[])
  await program.ended
  return { answers, rounds: times }
}
