// The rules of docs/style.md that a program can check. A rule is a line in a table; a failure names the file and what
// to do instead.

import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import type { AnyStateNode } from 'xstate'
import { machines } from '../machines/all.ts'
import { oneLine } from '../machines/schema/one-line.ts'
import { readSource, type SourceFile, sourceFiles } from './support/source-files.ts'
import { wideLinesOfCode } from './support/wide-lines.ts'

/**
 * Who may import what. A trailing `*` stands for the rest of a name. `type:` allows the import of types only. A key
 * that is a file, or the pattern of one, adds to the line of its folder.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  machines: ['machines/*', 'xstate', '@xstate/store', 'type:typebox', 'typebox/schema'],
  'machines/schema/type.ts': ['typebox'],
  'machines/pipeline/nodes/script-syntax.ts': ['node:vm'], // a compiler is a function of text to text
  'machines/interdevice/json-patch.ts': ['rfc6902'], // a function of documents
  'machines/update/version.ts': ['semver/*'], // functions of texts
  'machines/calibration/formats/file-text.ts': ['yaml'], // a function of texts
  native: ['native/*', 'machines/*', 'node:*', 'effect/*', 'msgpackr', 'msgpackr/*', 'pbf', 'ws'],
  'native/models/*': ['type:onnxruntime-node'],
  'native/engine/process/host/*': ['type:onnxruntime-node'],
  'native/dbus/linux.ts': ['@jellybrick/dbus-next'],
  'native/discovery/bonjour.ts': ['bonjour-service'],
  'native/update/bundle/*': ['tar-stream'],
  'native/files/zip.ts': ['yazl'],
  'native/plugins/packages/read.ts': ['yauzl'],
  'native/tls/self-signed.ts': ['selfsigned'],
  actors: ['actors/*', 'machines/*', 'native/*/port.ts', 'effect/*', 'xstate', '@xstate/store'],
  'actors/plugins/*': ['native/plugins/*/port.ts'],
  api: [
    'api/*',
    'machines/*',
    'native/*/port.ts',
    'actors/ask.ts',
    'actors/directory.ts',
    'actors/*/tokens.ts',
    'type:actors/requests/request-keeper.ts',
    'type:actors/events/event-bus.ts',
    'type:actors/stream/stream-runtime.ts',
    'fastify',
    '@fastify/*',
    'ws',
    'type:typebox',
    'node:*',
  ],
  'api/events/event-form.ts': ['msgpackr'],
  'api/plugins/*': ['native/plugins/*/port.ts'],
  'api/system/prometheus.ts': ['prom-client'],
  'api/server/server.ts': ['native/sockets/reading.ts'], // one rule for all sockets, whoever accepts or opens them
  supervisors: ['supervisors/*', 'actors/*', 'machines/*', 'native/*/port.ts', 'effect/*', 'xstate', 'node:*'],
  'supervisors/*/ports.ts': ['native/*'],
  'supervisors/plugins/*': ['native/plugins/*/port.ts'],
  'supervisors/process/service.ts': [
    'native/clock/system.ts',
    'native/log/lines.ts',
    'native/log/repeats.ts',
    'native/logs/own-log.ts',
    'native/notify/environment.ts',
    'native/programs/precedence.ts',
    'native/update/run-notes.ts',
  ],
  'supervisors/http/branch.ts': ['api/areas.ts', 'api/session/*', 'type:api/server/server.ts'],
  'supervisors/extcam/ports-branch.ts': ['api/extcam/root.ts', 'type:api/endpoints/endpoint.ts'],
  'supervisors/http/serve.ts': ['api/server/server.ts'],
  'supervisors/composition/container.ts': ['tsyringe', 'reflect-metadata/*'],
  'api/pages/built-page.ts': ['native/files/project-root.ts'],
  'api/plugins/panel.ts': ['native/files/project-root.ts'],
  docs: ['*'], // tools: nobody imports them
  ui: [
    'ui/*',
    'react',
    'react-dom',
    'react-dom/*',
    '@xstate/*',
    'openapi-fetch',
    'wouter',
    'lucide-react',
    'uplot',
    'three',
    'three/*',
    '@xyflow/react',
    '@dagrejs/dagre',
    'uqr',
    'rfc6902',
    '@xterm/*',
  ],
  'ui/rooms/lighting/*': ['machines/lighting/frame.ts', 'machines/lighting/template-values.ts'], // decision 371
  'ui/build.ts': ['node:*', 'esbuild'],
  'ui/generate-types.ts': ['node:*', 'api/spec/openapi.ts', 'docs/generate-api.ts'],
}

/** What must not stand in the code of these folders, and why. Files in `except` are where it belongs. */
const MUST_NOT_SAY: readonly {
  readonly folders: readonly string[]
  readonly pattern: RegExp
  readonly why: string
  readonly except?: readonly string[]
}[] = [
  {
    folders: ['machines'],
    pattern: /\b(await|async)\b/,
    why: 'a machine waits for nothing',
    except: ['machines/pipeline/nodes/script-syntax.ts'], // where scripts hear so too
  },
  {
    folders: ['machines'],
    pattern: /\b(setTimeout|setInterval|setImmediate|queueMicrotask|performance|Date)\b/,
    why: 'time comes in as events, delays or parameters',
  },
  { folders: ['machines'], pattern: /\b(Math\.random|crypto)\b/, why: 'chance comes in as a parameter' },
  { folders: ['machines'], pattern: /\b(process|console|fetch)\s*[.(]/, why: 'a machine touches nothing' },
  {
    folders: ['machines', 'actors', 'supervisors', 'api', 'native'],
    pattern: /\bfrom(Promise|Callback|Observable|EventObservable)\s*[<(]/,
    why: 'effects are run by fromEffect and fromScoped of actors/run.ts',
    except: ['actors/run.ts', 'machines/effects.ts'],
  },
  {
    folders: ['machines', 'actors', 'supervisors', 'api'],
    pattern: /\b(code|status|statusCode|writeHead)\s*(\(|:|=|===)\s*[1-5]\d\d\b|[{,]\s*[1-5]\d\d\s*:/,
    why: 'HTTP status numbers stand in api/problems/faults.ts',
    except: ['api/problems/faults.ts'],
  },
  {
    folders: ['machines', 'actors', 'supervisors', 'api', 'native', 'docs'],
    pattern: /^export\b[^=;{]*(\{[^}]*\}|\*)\s*from\b/m,
    why: 'no barrels: import from where it is',
  },
  {
    folders: ['machines'],
    pattern: /^ {4}\w+: \(.*\) => \{\},$/m,
    why: oneLine`
      an action without a body is a providedAction() of machines/effects.ts: the compiler sees that its actor has one
    `,
  },
  {
    folders: ['machines', 'actors', 'supervisors', 'api', 'native'],
    pattern: /\bbackend\s*[!=]==|'backend' in\b|\bcase '(v4l2|url|file|images|synthetic|peer)'/,
    why: 'kinds of source are told apart by their traits (machines/stream/sources/traits.ts)',
    except: ['machines/stream/sources/traits.ts'],
  },
]

const FOLDERS = ['actors', 'api', 'docs', 'machines', 'native', 'supervisors', 'test', 'ui']
const ROOT = join(import.meta.dirname, '..')
const IS_MADE = /^(node_modules|dist)$/
const NOT_A_NAME = /^(utils|common|helpers|misc|index)\b/
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.tsx?$/

const files = sourceFiles(FOLDERS)
const product = files.filter(({ folder }) => folder !== 'test')

const matches = (pattern: string, name: string): boolean =>
  new RegExp(
    `^${pattern
      .replace(/[.]/g, '\\.')
      .replace(/\*(?=.)/g, '[^/]+')
      .replace(/\*$/, '.+')}$`,
  ).test(name)

const wrongImports = (file: SourceFile): readonly string[] => {
  const allowed = Object.entries(MAY_IMPORT).flatMap(([key, rules]) =>
    key === file.folder || matches(key, file.path) ? rules : [],
  )
  return file.imports
    .filter(({ specifier, path, typeOnly }) => {
      const name = path ?? specifier
      return !allowed.some((rule) =>
        rule.startsWith('type:') ? typeOnly && matches(rule.slice(5), name) : matches(rule, name),
      )
    })
    .map(({ specifier, typeOnly }) => `${file.path} imports ${typeOnly ? 'type ' : ''}${specifier}`)
}

const forbiddenWords = (file: SourceFile): readonly string[] =>
  MUST_NOT_SAY.filter(
    ({ folders, except = [] }) => folders.includes(file.folder) && !except.includes(file.path),
  ).flatMap(({ pattern, why }) => {
    const [found] = pattern.exec(file.code) ?? []
    return found === undefined ? [] : [`${file.path} says \`${found.trim()}\`: ${why}`]
  })

test('each folder imports only what it may', () => {
  assert.deepEqual(product.flatMap(wrongImports), [])
})

test('nothing but the page imports the page, and nothing imports the tests', () => {
  const wrong = product.filter(({ folder, imports }) =>
    imports.some(({ path }) => (folder !== 'ui' && path?.startsWith('ui/')) || path?.startsWith('test/')),
  )

  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
  )
})

test('a port is an interface and its token: it imports what is pure, and types', () => {
  const wrong = product
    .filter(({ path }) => /^native\/.*\/port\.ts$/.test(path))
    .flatMap(({ path, imports }) =>
      imports
        .filter((each) => !each.typeOnly && !each.path?.startsWith('machines/'))
        .map(({ specifier }) => `${path} imports ${specifier}`),
    )

  assert.deepEqual(wrong, [])
})

/**
 * Rooms of which two processes have each their own: control and pixels never mix. Folder: what its files must not
 * import.
 */
const KEPT_APART: Readonly<Record<string, readonly string[]>> = {
  'native/engine/service/': ['native/engine/process/', 'native/engine/fake/'],
  'native/engine/process/': ['native/engine/service/', 'native/engine/fake/'],
  'native/engine/protocol/': ['native/engine/service/', 'native/engine/process/', 'native/engine/fake/'],
  'native/engine/fake/': ['native/engine/service/', 'native/engine/process/'],
}

const importsAcross = ({ path, imports }: SourceFile): readonly string[] => {
  const [, apart = []] = Object.entries(KEPT_APART).find(([folder]) => path.startsWith(folder)) ?? []
  return imports
    .filter((each) => apart.some((folder) => each.path?.startsWith(folder)))
    .map((each) => `${path} imports ${each.path}`)
}

test('the service and an engine share the protocol between them, and nothing else of each other', () => {
  assert.deepEqual(product.flatMap(importsAcross), [])
})

test('no file says what its folder must not say', () => {
  assert.deepEqual(product.flatMap(forbiddenWords), [])
})

test('no file is part of a circle of imports', () => {
  assert.deepEqual(circles(files), [])
})

test('effect is imported by submodule', () => {
  const wrong = files.filter(({ imports }) => imports.some(({ specifier }) => specifier === 'effect'))

  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
  )
})

test('of node:http only types are imported', () => {
  const wrong = product.filter(({ imports }) =>
    imports.some(({ specifier, typeOnly }) => specifier === 'node:http' && !typeOnly),
  )

  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
    oneLine`
      importing a value runs all getters of the module, of which one loads the whole of fetch: a tenth of the start, and
      2 MB
    `,
  )
})

test('every file has a name that says what is in it, in kebab case', () => {
  const wrong = files.filter(({ path }) => !KEBAB_CASE.test(basename(path)) || NOT_A_NAME.test(basename(path)))

  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
  )
})

test('no object is spread that was written down just there', () => {
  const wrong = files.filter(({ code }) => /\.\.\.\{\s*[\w'"[]/.test(code))

  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
    'its properties can stand where it is: a reader asks what is copied',
  )
})

test('no line of code, of a comment or of a script is wider than 120 columns', () => {
  const code = globSync(`{${FOLDERS}}/**/{*.{ts,tsx,js,css,html,cc,h,sh,mk,py},Makefile}`, { cwd: ROOT }).filter(
    (path) => !/\/(build|build\.new|node_modules)\/|schema\.d\.ts$/.test(path),
  )

  const wide = code.flatMap((path) =>
    wideLinesOfCode(readFileSync(join(ROOT, path), 'utf8')).map((line) => `${path}:${line}`),
  )

  assert.ok(code.length > 1_500, 'the files are found')
  assert.deepEqual(wide, [])
})

/** Interfaces and types whose doc speaks of two fields or more, which hovering over a field does not show. */
const packedDocs = ({ path, text }: SourceFile): readonly string[] => {
  const documented =
    /\/\*\*((?:[^*]|\*(?!\/))*)\*\/\s*\n\s*(?:export\s+)?(?:interface|type)\s+(\w+)[^\n{]*\{(.*?)\n\}/gs
  return [...text.matchAll(documented)].flatMap(([, doc = '', name, body = '']) => {
    const fields = new Set([...body.matchAll(/^\s*(?:readonly\s+)?(\w+)\??\s*[:(]/gm)].map(([, field]) => field))
    const told = [...doc.matchAll(/(?:^|[\s.])((?:\w+, )*\w+): /g)].flatMap(([, names = '']) => names.split(', '))
    return told.filter((each) => fields.has(each)).length < 2 ? [] : [`${path}: ${name}`]
  })
}

test('each field has its own doc, and the block above says what they are for', () => {
  assert.deepEqual(files.flatMap(packedDocs), [])
})

test('every file opens with what it owns', () => {
  const wrong = product.filter(({ text }) => !/^(#!.*\n)?\/[/*]/.test(text))

  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
  )
})

test('no test sleeps: it waits for something, by its name', () => {
  const wrong = files.filter(
    ({ path, code, imports }) =>
      path.endsWith('.test.ts') &&
      (/\bsetTimeout\s*\(/.test(code) || imports.some(({ specifier }) => specifier === 'node:timers/promises')),
  )

  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
  )
})

test('the top level holds the folders of the style guide and no others', () => {
  const folders = readdirSync(join(import.meta.dirname, '..'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !IS_MADE.test(entry.name))
    .map(({ name }) => name)

  assert.deepEqual(
    folders.filter((name) => !FOLDERS.includes(name)),
    [],
  )
})

const nodesOf = (node: AnyStateNode): readonly AnyStateNode[] => [
  node,
  ...Object.values<AnyStateNode>(node.states).flatMap(nodesOf),
]

for (const [name, machine] of Object.entries(machines)) {
  test(`the machine ${name} is named like its file, and its effects have ids`, () => {
    const unnamed = nodesOf(machine.root).flatMap(({ invoke }) => invoke.filter(({ id }) => /^\d+\./.test(id)))

    assert.equal(machine.id, name)
    assert.ok(product.some(({ path }) => isMachineFile(path) && basename(path) === `${name}-machine.ts`))
    assert.deepEqual(
      unnamed.map(({ src }) => src),
      [],
    )
  })
}

test('machines stand in files of their own, apart from documents, and all of them in all.ts', () => {
  const wrong = product
    .filter(({ path, code }) => isMachineFile(path) !== code.includes('.createMachine('))
    .map(({ path }) => path)
  const unlisted = product
    .filter(({ path }) => isMachineFile(path) && !Object.hasOwn(machines, basename(path, '-machine.ts')))
    .map(({ path }) => path)

  assert.deepEqual([...wrong, ...unlisted], [])
})

/**
 * The rooms of a layer are its folders, one for each subject. What lies beside them is what all rooms of the layer
 * share, and the lists of them.
 */
const BESIDE_THE_ROOMS: Readonly<Record<string, readonly string[]>> = {
  machines: ['all.ts', 'effects.ts', 'latest.ts', 'listeners.ts', 'token.ts'],
  actors: ['ask.ts', 'directory.ts', 'run.ts', 'timer.ts', 'until-heard.ts'],
  api: ['areas.ts'],
  native: [],
  supervisors: ['main.ts', 'options.ts', 'tree.ts'],
}

test('every file lies in the room of its subject', () => {
  const homeless = product
    .filter(({ path, folder }) => path.split('/').length === 2 && BESIDE_THE_ROOMS[folder])
    .filter(({ path, folder }) => !BESIDE_THE_ROOMS[folder]?.includes(basename(path)))

  assert.deepEqual(
    homeless.map(({ path }) => path),
    [],
  )
})

/** The subjects of the house: the only names that a room may have, in every layer the same. */
const SUBJECTS = oneLine`
  bandwidth bootloader calibration cameras clock codecs console discovery documents engine errors events extcam formats
  guard health hostname http i2c ide identity imu inlets interdevice ipa jobs lighting limits localization log logs
  media media-roots models names network nt4 own-table pages pairing peer-secrets peers pipeline plugins recording
  remote-streams requests restart rig schema session settings spec stream supervision system tls tokens trust tunnels
  update usb viewers websocket
`.split(' ')

/** Rooms that hold the means of their layer and no subject. */
const MEANS: Readonly<Record<string, readonly string[]>> = {
  api: ['connections', 'endpoints', 'json-body', 'problems', 'server'],
  native: [
    'addon',
    'compare',
    'dbus',
    'files',
    'launcher',
    'libav',
    'notify',
    'package',
    'programs',
    'sockets',
    'system-files',
  ],
  supervisors: ['composition', 'process'],
}

test('a room is named by its subject, and a subject alike in each layer', () => {
  const rooms = product.filter(({ path }) => path.split('/').length > 2).map(({ path }) => path.split('/').slice(0, 2))
  const unknown = rooms.filter(
    ([layer = '', room = '']) => BESIDE_THE_ROOMS[layer] && !SUBJECTS.includes(room) && !MEANS[layer]?.includes(room),
  )
  const names = new Set(rooms.map(([, room]) => room))

  assert.deepEqual([...new Set(unknown.map((each) => each.join('/')))], [])
  assert.deepEqual(
    SUBJECTS.filter((subject) => !names.has(subject)),
    [],
    'subjects that have no room any more',
  )
})

test('no room is part of a circle of rooms', () => {
  assert.deepEqual(circles(roomsOf(product)), [])
})

/** One path per circle, each file naming the next. */
const circles = (all: readonly SourceFile[]): readonly string[] => {
  const byPath = new Map(all.map((file) => [file.path, file]))
  const done = new Set<string>()
  const found: string[] = []
  const visit = (path: string, above: readonly string[]): void => {
    if (above.includes(path)) found.push([...above.slice(above.indexOf(path)), path].join(' > '))
    if (above.includes(path) || done.has(path)) return
    for (const { path: next } of byPath.get(path)?.imports ?? []) if (next) visit(next, [...above, path])
    done.add(path)
  }
  for (const { path } of all) visit(path, [])
  return found
}

/** Each room as if it were one file. What lies beside the rooms is a room of its own. */
const roomsOf = (all: readonly SourceFile[]): readonly SourceFile[] => {
  const roomOf = (path: string) => (path.split('/').length > 2 ? path.split('/').slice(0, 2).join('/') : path)
  const rooms = Map.groupBy(all, ({ path }) => roomOf(path))
  return [...rooms].map(([room, members]) => ({
    ...(members[0] as SourceFile),
    path: room,
    imports: members
      .flatMap(({ imports }) => imports)
      .filter(({ path }) => path && roomOf(path) !== room)
      .map((each) => ({ ...each, path: roomOf(each.path as string) })),
  }))
}

const isMachineFile = (path: string): boolean => /^machines\/.*-machine\.ts$/.test(path)

test('the rules find what they look for', () => {
  const read = (path: string, text: string) => readSource(path, text)

  assert.equal(wrongImports(read('machines/a.ts', "import { x } from 'node:fs'\nimport y from './b.ts'")).length, 1)
  assert.equal(
    wrongImports(
      read('machines/a.ts', "import {\n  x,\n} from '../native/a/port.ts'\nimport 'ws'\nconst z = import('fastify')"),
    ).length,
    3,
  )
  assert.deepEqual(wideLinesOfCode(`${'a'.repeat(120)}\n${'b'.repeat(121)}`), [2])
  assert.equal(
    packedDocs(
      read('machines/a.ts', '/** A box. wide, high: metres. */\nexport interface Box {\n  wide: 1\n  high: 2\n}'),
    ).length,
    1,
  )
  assert.equal(wrongImports(read('actors/a.ts', "import { x } from '../native/a/port.ts'")).length, 0)
  assert.equal(wrongImports(read('supervisors/a/ports.ts', "import { x } from '../../native/a/linux.ts'")).length, 0)
  assert.equal(wrongImports(read('supervisors/a/branch.ts', "import { x } from '../../native/a/linux.ts'")).length, 1)
  assert.equal(
    wrongImports(
      read('actors/a.ts', "import type { x } from '../native/a/port.ts'\nimport type { y } from '../native/a/fake.ts'"),
    ).length,
    1,
  )
  assert.equal(wrongImports(read('api/a.ts', "import { run } from '../actors/run.ts'")).length, 1)
  assert.equal(
    wrongImports(
      read('supervisors/a.ts', "import { container } from 'tsyringe'\nimport { f } from '../native/a/linux.ts'"),
    ).length,
    2,
  )
  assert.equal(
    importsAcross(read('native/engine/service/a.ts', "import { b } from '../process/b.ts'\nimport '../protocol/c.ts'"))
      .length,
    1,
  )
  assert.equal(forbiddenWords(read('machines/a.ts', '// Date and await in a comment\nconst a = "await"')).length, 0)
  assert.equal(forbiddenWords(read('machines/a.ts', 'const a = Date.now()\nconst b = async () => {}')).length, 2)
  assert.equal(forbiddenWords(read('api/a.ts', 'reply.code(404)')).length, 1)
  assert.equal(forbiddenWords(read('api/a.ts', 'const schema = { 404: x }')).length, 1)
  assert.equal(forbiddenWords(read('api/a.ts', "export { a } from './b.ts'")).length, 1)
  assert.equal(forbiddenWords(read('actors/a.ts', 'const a = fromPromise(() => x)')).length, 1)
  assert.deepEqual(
    circles([read('api/a.ts', "import './b.ts'"), read('api/b.ts', "import type { A } from './a.ts'")]),
    ['api/a.ts > api/b.ts > api/a.ts'],
  )
  assert.deepEqual(
    circles(
      roomsOf([
        read('api/a/one.ts', "import '../b/two.ts'"),
        read('api/b/two.ts', ''),
        read('api/b/three.ts', "import '../a/four.ts'"),
        read('api/a/four.ts', "import './one.ts'"),
      ]),
    ),
    ['api/a > api/b > api/a'],
  )
})
