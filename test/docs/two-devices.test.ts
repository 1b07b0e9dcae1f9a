// The page about two devices, as a reader would go through it: the services that it starts, then its commands one after
// the other.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { type Flags, site } from '../support/processes/daemon.ts'
import { folderOf } from '../support/processes/folder.ts'
import { freePort } from '../support/processes/free-port.ts'

const PAGE = readFileSync(new URL('../../docs/how-to/two-devices.md', import.meta.url), 'utf8')
const LIMIT_MS = 240_000 // of a machine with much else to do
const missing = ['curl', 'jq'].filter((program) => spawnSync(program, ['--version']).error)

const blocksOf = (language: string): readonly string[] =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, text]) => String(text))

/** The flags of each service that the page starts, at ports and in a folder of the test. */
const started = (): Promise<readonly Flags[]> =>
  Promise.all(
    blocksOf('console')
      .flatMap((block) => block.trim().split('\n'))
      .map(async (line) => {
        const said = [...line.matchAll(/--([a-z0-9-]+) (\S+)/g)].map(([, name, value]) => [name, value] as const)
        const { 'data-dir': _, tls, ...flags } = Object.fromEntries(said) as Record<string, string>
        const here = tls === undefined ? {} : { tls: `127.0.0.1:${await freePort()}` }
        return { demo: null, ...flags, http: '127.0.0.1:0', ...here }
      }),
  )

test('two devices are started, paired and watched as the page says', {
  skip: missing.length > 0 ? `${missing.join(' and ')} is not installed` : false,
}, async (t) => {
  const flags = await started()
  const [front, back] = await Promise.all(flags.map((each) => site(t).start(each)))
  assert.ok(front && back)
  const cwd = folderOf(t)
  const env = { ...process.env, FRONT: front.url, BACK: back.url, BACK_TLS: `https://${flags[1]?.tls}` }

  const { stdout } = await promisify(execFile)('sh', ['-e', '-c', blocksOf('sh').join('\n')], {
    cwd,
    env,
    timeout: LIMIT_MS,
  })

  assert.match(stdout, /^back: open, for (11\d|120)(\.\d+)? s$/m)
  const [here, there] = [...stdout.matchAll(/^(\d{3} \d{3}) is shown beside /gm)].map(([, code]) => code)
  assert.ok(here)
  assert.equal(here, there)
  assert.match(stdout, /^front: confirmed$\n^back: (confirmed|storing|done)$/m)
  assert.equal([...stdout.matchAll(/"by":"certificate"/g)].length, 2)
  assert.match(stdout, /^\{"id":"back:demo","state":"live","compute":"proxy","authority":"source"\}$/m)
  assert.deepEqual([...readFileSync(join(cwd, 'back.jpg')).subarray(0, 2)], [0xff, 0xd8])
  assert.match(stdout, /^\{"accepted":true,"pipeline_revision":2\}$/m)
  assert.match(stdout, /^decimate was 1 and is 2$/m)
  assert.match(stdout, /^\{"accepted":true,"new_revision":3\}$/m)
  assert.match(stdout, /it has to trust this device first/)
})
