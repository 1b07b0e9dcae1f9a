// The program that has both detectors look at a picture.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { APRILTAG_FAMILIES } from '../../machines/engine/tag-families.ts'
import { forEach } from '../../machines/pipeline/default-each.ts'
import { tagDetectors } from '../../machines/pipeline/nodes/tag-detectors.ts'
import { projectPath } from '../files/project-root.ts'
import type { PicturePair } from './pictures.ts'

export type AprilTagFamily = (typeof APRILTAG_FAMILIES)[number]

/** is_alone: the other detector did not find it. */
export interface ComparedTag {
  readonly family: string
  readonly id: number
  readonly is_alone: boolean
}

/** cpu_us: of one thread, for the picture. */
export interface Answer {
  readonly cpu_us: number
  readonly tags: readonly ComparedTag[]
}

/** What both said of a picture, or why it could not be compared. */
export type Comparison =
  | {
      readonly ok: true
      readonly width_px: number
      readonly height_px: number
      readonly reference: Answer
      readonly vedette: Answer
    }
  | { readonly ok: false; readonly detail: string }

/** What is looked for, and in how small a picture. */
export interface Search {
  readonly families: readonly AprilTagFamily[]
  readonly decimate: number
}

const PROGRAM = projectPath('native/addon/build/compare')
const LIMIT_MS = 300_000 // libapriltag takes six seconds for the largest picture, on a slow core a minute

/** Writes the drawing to `to`. Margins and bits are those that a pipeline has which says nothing of them. */
export const runComparison = async ({ from, to }: PicturePair, { families, decimate }: Search): Promise<Comparison> => {
  const { min_margin, max_hamming } = forEach(tagDetectors.apriltag.params.properties, {
    families,
    min_margin: null,
    max_hamming: null,
  }) as Readonly<Record<'min_margin' | 'max_hamming', readonly number[]>>
  const choices = families.map((family, n) => `${family}:${min_margin[n]}:${max_hamming[n]}`)
  try {
    const options = { timeout: LIMIT_MS, killSignal: 'SIGKILL' } as const
    const { stdout } = await promisify(execFile)(PROGRAM, [from, to, String(decimate), ...choices], options)
    return JSON.parse(stdout) as Comparison
  } catch (error) {
    return { ok: false, detail: complaint(error as Ended) }
  }
}

interface Ended extends Error {
  readonly code?: string | number | null
  readonly signal?: NodeJS.Signals | null
  readonly killed?: boolean
  readonly stderr?: string
}

const complaint = ({ code, signal, killed, stderr = '', message }: Ended): string => {
  if (code === 'ENOENT') return 'the program that compares is not built; run: sh native/setup.sh'
  if (killed) return `it was given up after ${LIMIT_MS / 60_000} minutes`
  return stderr.trim().split('\n').at(-1) || (signal ? `a detector ended by ${signal}` : message)
}
