// Nothing of the robot's waits for a disk: which synchronous calls of the file system, of SQLite and of zlib there are
// in the service, and why each may be there.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneLine } from '../machines/schema/one-line.ts'
import { type SourceFile, sourceFiles } from './support/source-files.ts'

const sources = sourceFiles(['actors', 'api', 'machines', 'native', 'supervisors'])

/**
 * Synchronous and harmless: of Effect, of a clock, the name of SQLite's class (below), and of an open file that is
 * asked about itself.
 */
const NO_WAIT = ['runSync', 'ClockSync', 'DatabaseSync', 'fstatSync', 'fchmodSync']

const AT_START = 'before anything runs'
const STORE_THREAD = 'in the thread that has the store'
const ENGINE = 'in an engine, which is a process of its own'
const NO_DISK = 'the kernel answers, no disk is behind it'
const FAKE = 'of a fake, for laptops and tests'
const TOOL = 'of a program that is no part of the service'
const LOOKS = 'once for each program that is started: whether there is such a file'
const NAMES_ONLY = 'once for each engine that is started: names in the folder for temporary files, which nobody syncs'

/** By file: why it may wait. What is said of a folder is so for all in it. */
const MAY_WAIT: Readonly<Record<string, string>> = {
  'native/calibration/main.ts': TOOL,
  'native/compare/': TOOL,
  'native/console/linux.ts': NO_DISK,
  'native/console/typed.ts': 'a terminal that is full refuses, and nothing waits',
  'native/documents/sqlite-': STORE_THREAD,
  'native/engine/process/': ENGINE,
  'native/engine/fake/': FAKE,
  'native/engine/service/child.ts': NO_DISK,
  'native/engine/service/left-engines.ts': NO_DISK,
  'native/engine/threads.ts': NO_DISK,
  'native/engine/service/socket-pair.ts': NAMES_ONLY,
  'native/engine/service/viewer-records.ts': NAMES_ONLY,
  'native/models/check.ts': TOOL,
  'native/models/open-model.ts': ENGINE,
  'native/models/folder.ts': ENGINE,
  'native/models/runtime.ts': AT_START,
  'native/media/fake.ts': FAKE,
  'native/plugins/packages/child.ts': TOOL,
  'native/plugins/packages/fake.ts': FAKE,
  'native/plugins/pack/': TOOL,
  'native/plugins/process/linux.ts': LOOKS,
  'native/programs/plugin-runtime.ts': LOOKS,
  'native/codecs/linux.ts': AT_START,
  'native/hostname/linux.ts': NO_DISK,
  'native/log/log-file.ts': `${AT_START}, and when the service ends with a fault`,
  'native/log/segments.ts': AT_START,
  'native/logs/kernel-buffer.ts': NO_DISK,
  'native/system/held-file.ts': NO_DISK,
  'native/launcher/': TOOL,
  'native/package/': TOOL,
  'native/update/bundle/key-main.ts': TOOL,
  'native/update/bundle/main.ts': TOOL,
  'native/update/bundle/pack.ts': TOOL,
  'native/update/bundle/release-folder.ts': TOOL,
  'native/update/bundle/system-release.ts': TOOL,
  'native/update/bundle/sign.ts': TOOL,
  'native/update/run-notes.ts': 'when the service ends with a fault',
  'native/identity/certificate.ts': 'makes a key, and waits for the processor alone',
  'native/identity/file.ts': `${AT_START}; again every 15 s only while the device has no identity`,
  'native/peer-secrets/file.ts': `${AT_START}; again only where the file could not be read`,
  'native/session/file.ts': AT_START,
  'native/tls/files.ts': 'when HTTPS is started, and every 15 s while it cannot be',
  'native/files/atomic.ts': `of those that are named here; who writes later calls writeFileWholeSoon`,
  'native/files/project-root.ts': AT_START,
  'native/programs/precedence.ts': AT_START,
  'native/programs/control-group.ts': 'of the kernel alone, when a program of a plugin starts or has ended',
  'native/files/rights.ts': 'of the files of tokens and identities, see there',
  'native/files/set-aside.ts': 'of a file that is broken, when its part is started',
  'supervisors/process/service.ts': AT_START,
}

const reasonFor = (path: string): string | undefined =>
  Object.entries(MAY_WAIT).find(([start]) => path.startsWith(start))?.[1]

/** Also those that are handed on, or have another name here. */
const callsIn = ({ code }: SourceFile): readonly string[] =>
  [...code.matchAll(/\b(\w+Sync|Atomics\.wait|require)\b/g)]
    .map(([, name = '']) => name)
    .filter((name) => !NO_WAIT.includes(name))

test('each synchronous call that could wait for a disk is in a place that may', () => {
  const calling = sources.filter((source) => callsIn(source).length > 0)

  for (const source of calling)
    assert.ok(
      reasonFor(source.path),
      oneLine`
        ${source.path} calls ${callsIn(source)}: the robot's link waits for it. Use node:fs/promises, or say here why it
        may
      `,
    )
  assert.ok(calling.length > 10, 'the calls are found')
})

test('every place that may wait is still there', () => {
  for (const start of Object.keys(MAY_WAIT))
    assert.ok(
      sources.some((source) => source.path.startsWith(start)),
      `${start} is gone: take it off the list`,
    )
})

test('the process that talks to the robot has no SQLite', () => {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const reached = new Set<string>()
  const reach = (path: string): void => {
    if (reached.has(path)) return
    reached.add(path)
    for (const each of byPath.get(path)?.imports ?? []) if (!each.typeOnly && each.path) reach(each.path)
  }
  reach('supervisors/main.ts')
  for (const source of sources)
    if (/import\('/.test(source.text) && reached.has(source.path))
      for (const [, specifier = ''] of source.text.matchAll(/import\('(\.[^']+)'\)/g))
        reach(new URL(specifier, `file:///${source.path}`).pathname.slice(1))

  const users = sources.filter(({ imports }) =>
    imports.some(({ specifier, typeOnly }) => specifier === 'node:sqlite' && !typeOnly),
  )
  assert.ok(users.length > 0 && reached.size > 100, `${reached.size} files of the service are found`)
  assert.deepEqual(
    users.map(({ path }) => path).filter((path) => reached.has(path)),
    [],
  )
})
