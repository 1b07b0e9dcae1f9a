// The commands of the pages in docs/how-to, run as a reader would run them, one after the other.
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'

const missing = ['curl', 'jq'].filter((program) => spawnSync(program, ['--version']).error)

/** For the option `skip` of a test: why the commands cannot be run here; false: they can. */
export const noPrograms = missing.length > 0 ? `${missing.join(' and ')} is not installed` : false

/** name: of the page, without `.md`. */
export const howTo = (name: string): string =>
  readFileSync(new URL(`../../../docs/how-to/${name}.md`, import.meta.url), 'utf8')

/** The blocks of commands of a page. */
export const commandsOf = (page: string): readonly string[] =>
  [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, commands = '']) => commands)

/**
 * Runs blocks against a service, in one shell, which ends with the first command that fails. Returns what they print.
 */
export const runCommands = async (blocks: readonly string[], url: string, cwd: string): Promise<string> => {
  const env = { ...process.env, DEVICE: url }
  const { stdout } = await promisify(execFile)('sh', ['-e', '-c', blocks.join('\n')], { cwd, env })
  return stdout
}
