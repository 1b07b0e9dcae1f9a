// The lamps of a Linux device: found in /sys and /dev, held by a process of their own (native/addon/lamps), which puts
// them off when this one ends, however it ends.
import { join } from 'node:path'
import type { Fault } from '../../machines/errors/fault.ts'
import { projectPath } from '../files/project-root.ts'
import type { ProgramsPort } from '../programs/port.ts'
import type { SystemFiles } from '../system-files/port.ts'
import { lookForOutputs, type PlacedOutput } from './find.ts'
import { type HeldPart, holdLamps } from './lamp-process.ts'
import { bytesOf, outputWords, wrongSetup } from './orders.ts'
import type { Lights, OutputSetup } from './port.ts'

/** Where the process that holds lamps is; built with the vision addon. */
export const LAMPS_PROGRAM = projectPath('native/addon/build/vedette-lamps')

/** In the folder of the data: what is held now, for who puts it off when that process was killed. */
export const LAMPS_NOTE = 'lamps-held'

/** Where lamps are looked for, and what is started. */
export interface LinuxLightsParts {
  readonly files: SystemFiles
  readonly programs: ProgramsPort
  /** The folder with the data of this service. */
  readonly dataDir: string
  /** The folder below which the system's paths lie; that of `files`. */
  readonly root?: string
  readonly program?: string
}

export const linuxLights = ({
  files,
  programs,
  dataDir,
  root = '/',
  program = LAMPS_PROGRAM,
}: LinuxLightsParts): Lights => {
  const look = () => lookForOutputs({ files, programs, program, root })
  return {
    find: async () => {
      const { outputs, looked_for } = await look()
      return { outputs: outputs.map(({ words: _, ...found }) => found), looked_for }
    },
    open: async (setups, news) => {
      const { outputs } = await look()
      const { words, parts, missing } = placed(setups, outputs)
      if (parts.length === 0) return nothingThere(missing)
      const note = join(dataDir, LAMPS_NOTE)
      const held = await holdLamps({ program, words: ['--note', note, ...words], parts }, news)
      if ('play' in held) for (const [id, why] of missing) news.output?.(id, why)
      return held
    },
  }
}

/** What of the setups there is, in order, and of the others why not. */
interface Placed {
  readonly words: readonly string[]
  readonly parts: readonly HeldPart[]
  readonly missing: ReadonlyMap<string, string>
}

const placed = (setups: readonly OutputSetup[], outputs: readonly PlacedOutput[]): Placed => {
  const found = new Map(outputs.map((each) => [each.id, each]))
  const words: string[] = []
  const parts: HeldPart[] = []
  const missing = new Map<string, string>()
  let from = 0
  for (const setup of setups) {
    const output = found.get(setup.id)
    const wrong = output ? wrongSetup(setup, output) : 'it is not there; plug it in and save the setup again'
    if (wrong !== null) missing.set(setup.id, wrong)
    else if (output) {
      words.push(...outputWords(setup, output))
      parts.push({ id: setup.id, from, to: from + bytesOf(setup) })
    }
    from += bytesOf(setup)
  }
  return { words, parts, missing }
}

const nothingThere = (missing: Placed['missing']): Fault => ({
  code: 'device.failed',
  detail:
    missing.size === 0
      ? 'no output is set up'
      : `none of the outputs can be had: ${[...missing].map(([id, why]) => `${id}: ${why}`).join('; ')}`,
})
