// Programs that are to be started when this process can open nothing more: each is refused, and nothing crashes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import { projectPath } from '../../../native/files/project-root.ts'
import { linuxPrograms } from '../../../native/programs/linux.ts'

const from = (path: string): string => JSON.stringify(projectPath(path))

/** Starts one, and resolves to why it cannot be. */
const STARTS: Readonly<Record<string, string>> = {
  'a program that is listened to': `
    import { linuxPrograms } from ${from('native/programs/linux.ts')}
    const listened = linuxPrograms().listen({ program: 'true', args: [] }, () => {})
    const start = async () => (await Effect.runPromise(Effect.flip(listened))).text
  `,
  'what reads an IMU': `
    import { readBytes } from ${from('native/imu/byte-reader.ts')}
    const start = () => new Promise((resolve) => readBytes('/dev/zero', () => {}, resolve))
  `,
  'what holds lamps': `
    import { holdLamps } from ${from('native/lighting/lamp-process.ts')}
    const start = async () => (await holdLamps({ program: 'true', words: [], parts: [] }, {})).detail
  `,
  'what looks for a board': `
    import { linuxGuide } from ${from('native/calibration/guide.ts')}
    const guide = linuxGuide({ program: 'true', limitMs: 60_000 }, { width_mm: 1, height_mm: 1 })
    const looked = Effect.scoped(Effect.flatMap(guide, ({ look }) => look(new Uint8Array(9))))
    const start = async () => (await Effect.runPromise(Effect.flip(looked))).detail
  `,
}

for (const [what, imports] of Object.entries(STARTS))
  test(`${what} is refused without a file to open more`, async () => {
    const program = `
      import { openSync } from 'node:fs'
      import * as Effect from 'effect/Effect'
      ${imports}
      const print = console.log
      print('begin')
      try {
        for (;;) openSync('/')
      } catch {}
      print(await start())
    `
    const words = ['--input-type=module', '--eval', program]
    const script = `ulimit -n 60; exec "$0" "$@"`

    const order = { program: 'sh', args: ['-c', script, process.execPath, ...words] }
    const end = await Effect.runPromise(linuxPrograms().run(order))

    assert.match(end.stdout, /^begin\n.*spawn \w+ EMFILE/)
    assert.deepEqual([end.exitCode, end.stderr], [0, ''])
  })
