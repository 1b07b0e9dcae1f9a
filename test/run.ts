// Everything `npm test` checks, in the order in which a mistake is cheapest to hear of: types, lint and format, then all tests.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'

const bin = (name: string): string => `node_modules/.bin/${name}`

const checks: readonly (readonly [title: string, command: string, args: readonly string[]])[] = [
  ['types', bin('tsc'), ['--noEmit', '-p', '.']],
  ['lint and format', bin('biome'), ['ci', '--error-on-warnings', '.']],
  ['capture tests', 'make', ['-s', '-j2', '-C', 'native/addon', 'capture-test']],
  ['tests', process.execPath, ['--test', '--test-concurrency=2', ...globSync('test/**/*.test.ts').sort()]],
]

for (const [title, command, args] of checks) {
  console.log(`== ${title}`)
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' })
  if (status === 0) continue
  console.error(`${title}: failed${error ? ` (${error.message})` : ''}`)
  process.exit(1)
}
