// Nodes of plugins in a real engine, in Python and in JavaScript: what good ones give, and what becomes of bad ones.
// The other outputs of the pipeline go on, whatever a program does.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Effect from 'effect/Effect'
import type { Result } from '../../../../../machines/engine/result.ts'
import { rowDocuments } from '../../../../../machines/engine/row-documents.ts'
import type { GraphDocument, Plan } from '../../../../../machines/pipeline/graph.ts'
import { planGraph } from '../../../../../machines/pipeline/plan.ts'
import { resultThat, warningThat } from '../../../../support/engine/awaited.ts'
import { smallCamera, startEngine } from '../../../../support/engine/engine-task.ts'
import { bringNodes, lookedAt, nodePlugin } from '../../../../support/plugins/node-plugin.ts'

const planOf = (graph: GraphDocument): Plan => {
  const planned = planGraph(graph)
  assert.ok(planned.ok, JSON.stringify(planned))
  return planned.plan
}

const tagsOf = (result: Result) => rowDocuments(result, 'tags', 'detections') ?? []
const valuesOf = (result: Result) => rowDocuments(result, 'looked_values', 'values')?.[0]?.values

// As long as it likes: on a busy machine a good program is late as well.
const PATIENT = { timeout_ms: 1000 }

const SEEN = `
from vedette_plugin_node import node

def look(inputs, params):
    picture = inputs["image"]
    return {"values": {
        "size": [picture.width, picture.height, inputs.width_px, inputs.height_px],
        "sum": sum(picture.data[::97]), "seq": inputs.seq, "format": picture.format, "gain": params["gain"],
    }}

node.run(look)
`

const GAIN = { gain: { type: 'number', minimum: 0, maximum: 10, default: 1, description: 'How much.' } } as const

test('a node in Python sees the picture, and gives values', async (t) => {
  const plugin = nodePlugin(t, { source: SEEN, params: GAIN })
  bringNodes(t, plugin)
  const camera = await startEngine(t)
  await camera.open({ ...smallCamera, pipeline: lookedAt(plugin, PATIENT) })

  const result = await resultThat(camera, (each) => valuesOf(each) !== undefined)

  const { size, sum, format, gain } = valuesOf(result) ?? {}
  assert.deepEqual([size, format, gain], [[640, 400, 640, 400], 'gray', 1])
  assert.ok(Number(sum) > 0)
  assert.ok(tagsOf(result).length > 0)
})

const INTRUDING = `
import json, mmap, os, socket, struct

wire = socket.socket(fileno=3)
wire.setblocking(True)

def take():
    kind, size, number = struct.unpack("<IIQ", wire.recv(16, socket.MSG_WAITALL))
    return kind, number, wire.recv(size, socket.MSG_WAITALL) if size else b""

def say(kind, number, body=b""):
    wire.sendall(struct.pack("<IIQ", kind, len(body), number) + body)

order = json.loads(take()[2])
memory = mmap.mmap(4, order["memory_bytes"])
pictures = mmap.mmap(5, order["pictures_bytes"], prot=mmap.PROT_READ)
shows_itself = 1
refused = []
for name, enter in {
    "map": lambda: mmap.mmap(5, order["pictures_bytes"]),
    "open": lambda: mmap.mmap(os.open("/proc/self/fd/5", os.O_RDWR), order["pictures_bytes"]),
    "write": lambda: os.write(5, b"x"),
    "shorten": lambda: os.ftruncate(5, 0),
}.items():
    try:
        enter()
    except (OSError, PermissionError):
        refused.append(name)
say(16, shows_itself, b"{}")
at = order["outputs"][0]["at"]
while True:
    kind, number, _ = take()
    if kind != 1:
        continue
    width, height = struct.unpack_from("<II", memory, 64)
    place, is_there = struct.unpack_from("<QI", memory, 168)
    pixels = pictures[place : place + width * height] if is_there else b""
    text = json.dumps({"refused": refused, "there": is_there, "differs": len(set(pixels)) > 16}).encode()
    memory[at : at + len(text)] = text
    struct.pack_into("<Q", memory, order["answer_at"], number)
    struct.pack_into("<IIIIII", memory, order["answer_at"] + 64, 0, 0, 0, 0, 0, len(text))
    say(17, number)
`

test('a program that says so looks at pictures where they lie, and can change none of them', async (t) => {
  const plugin = nodePlugin(t, { source: INTRUDING })
  bringNodes(t, plugin)
  const camera = await startEngine(t)
  await camera.open({ ...smallCamera, pipeline: lookedAt(plugin, PATIENT) })

  const values = valuesOf(await resultThat(camera, (each) => valuesOf(each)?.there === 1))

  assert.deepEqual([values?.refused, values?.differs], [['map', 'open', 'write', 'shorten'], true])
})

test('a node in JavaScript does the same, and is told other parameters while it runs', async (t) => {
  const source = `
    import { node } from 'vedette-plugin/node'
    node.run(({ image, seq }, { gain }) => ({
      values: {
        size: [image.width, image.height],
        sum: image.data.reduce((sum, each) => sum + each, 0),
        seq, gain, pid: process.pid,
      },
    }))`
  const plugin = nodePlugin(t, { runtime: 'node', source, params: GAIN })
  bringNodes(t, plugin)
  const camera = await startEngine(t)
  const pipeline = lookedAt(plugin, { ...PATIENT, gain: 1 })
  await camera.open({ ...smallCamera, pipeline })
  const first = valuesOf(await resultThat(camera, (each) => valuesOf(each) !== undefined))

  camera.engine.setParams([{ id: 'look', params: { ...PATIENT, gain: 2.5 } }])
  const second = valuesOf(await resultThat(camera, (each) => valuesOf(each)?.gain === 2.5))

  assert.deepEqual(first?.size, [640, 400])
  assert.ok(Number(first?.sum) > 0)
  assert.equal(second?.pid, first?.pid)
})

test('a node is given rows, and gives rows whose places are taken to the picture of the camera', async (t) => {
  const source = `
from vedette_plugin_node import node

def look(inputs, params):
    ids = [tag["id"] for tag in inputs["tags"]]
    here = [{"cx_px": 10, "cy_px": 20, "radius_px": 5}]
    return {"near": here, "far": node.in_source(here), "values": {"ids": ids, "format": inputs["image"].format}}

node.run(look)
`
  const plugin = nodePlugin(t, {
    source,
    inputs: [
      { name: 'image', kind: 'image', format: 'any' },
      { name: 'tags', kind: 'detections' },
    ],
    outputs: [
      { name: 'near', kind: 'circles' },
      { name: 'far', kind: 'circles' },
      { name: 'values', kind: 'values' },
    ],
  })
  bringNodes(t, plugin)
  const { nodes, edges, outputs } = lookedAt(plugin, PATIENT)
  const part = { id: 'part', type: 'crop', params: { x_px: 100, y_px: 50, width_px: 320, height_px: 200 } }
  const camera = await startEngine(t)
  await camera.open({
    ...smallCamera,
    pipeline: {
      nodes: [...nodes, part],
      edges: [
        ...edges.filter(({ to }) => to !== 'look.image' && to !== 'look.tags'),
        { from: 'source.image', to: 'part.image' },
        { from: 'part.image', to: 'look.image' },
        { from: 'found.detections', to: 'look.tags' },
      ],
      outputs,
    },
  })

  const result = await resultThat(camera, (each) => valuesOf(each) !== undefined)

  const circles = (port: string) => rowDocuments(result, port, 'circles')
  assert.deepEqual(circles('looked_near'), [{ center: { x_px: 110, y_px: 70 }, radius_px: 5 }])
  assert.deepEqual(circles('looked_far'), [{ center: { x_px: 10, y_px: 20 }, radius_px: 5 }])
  assert.deepEqual(
    valuesOf(result)?.ids,
    tagsOf(result).map(({ id }) => id),
  )
  assert.equal(valuesOf(result)?.format, 'gray')
})

const MASK = { name: 'mask', kind: 'image', format: 'mask' } as const

/** With outlines of the mask that the node gives. */
const withShapes = ({ nodes, edges, outputs }: GraphDocument): GraphDocument => ({
  nodes: [...nodes, { id: 'shapes', type: 'contours' }],
  edges: [...edges, { from: 'look.mask', to: 'shapes.mask' }],
  outputs: [...outputs, { port: 'shapes', from: 'shapes.contours' }],
})

test('a node gives pictures, which other nodes read', async (t) => {
  const source = `
from vedette_plugin_node import node

def look(inputs, params):
    width, height = inputs["image"].width // 2, inputs["image"].height // 2
    mask = bytearray(width * height)
    for y in range(40, 60):
        mask[y * width + 100 : y * width + 130] = b"\\x01" * 30
    return {"mask": (bytes(mask), width, height)}

node.run(look)
`
  const plugin = nodePlugin(t, { source, outputs: [MASK] })
  bringNodes(t, plugin)
  const camera = await startEngine(t)
  await camera.open({ ...smallCamera, pipeline: withShapes(lookedAt(plugin, PATIENT)) })

  const result = await resultThat(camera, (each) => (rowDocuments(each, 'shapes', 'contours') ?? []).length > 0)

  const [shape, ...others] = rowDocuments(result, 'shapes', 'contours') ?? []
  assert.deepEqual(others, [])
  // half as large as the picture of the camera
  assert.deepEqual(shape?.center, { x_px: 230, y_px: 100 })
})

/** Speaks with the engine without the help of what plugins import, as they may do. */
const BY_HAND = `
import json, mmap, os, socket, struct, sys, time
s = socket.socket(fileno=3)
HEAD = struct.Struct("<IIQ")

def take():
    kind, size, number = HEAD.unpack(s.recv(16, socket.MSG_WAITALL))
    return kind, number, s.recv(size, socket.MSG_WAITALL) if size else b""

def say(kind, number=0, body=b""):
    s.sendall(HEAD.pack(kind, len(body), number) + body)

order = json.loads(take()[2])
m = mmap.mmap(4, order["memory_bytes"])
port = order["outputs"][0]

def give(data=b"", width=0, height=0, stride=0, rows=0, size=None):
    m[port["at"]:port["at"] + len(data)] = data
    head = (width, height, stride, 0, rows, len(data) if size is None else size)
    struct.pack_into("<IIIIII", m, order["answer_at"] + 64, *head)

def requests():
    say(16, 0, b"{}")
    while True:
        kind, number, body = take()
        if kind == 1:
            yield number

`
const NEVER_ENDS = 'while True: time.sleep(60)'

/** What a program does, what is said of it, and what its output is where that is not values. */
const BAD: readonly (readonly [does: string, source: string, says: RegExp, kind?: 'circles' | 'mask'])[] = [
  ['never answers', `next(requests())\n${NEVER_ENDS}`, /step\.too_slow: step look: it has not answered in \d+ ms/],
  ['gives no JSON', 'for n in requests(): give(b"{broken"); say(17, n)', /its values are no JSON/],
  ['gives no number', 'for n in requests(): give(b\'{"a": NaN}\'); say(17, n)', /its value a is neither a number/],
  [
    'gives a number too large',
    'for n in requests(): give(b\'{"a": 1e999}\'); say(17, n)',
    /no number that can be told/,
  ],
  ['gives deep lists', 'for n in requests(): give(b\'{"a": [[1]]}\'); say(17, n)', /its value a is neither/],
  [
    'gives too much',
    'for n in requests(): give(size=1 << 31); say(17, n)',
    /2147483648 bytes of values; 16384 at most/,
  ],
  ['gives no text', 'for n in requests(): give(b\'{"a": "\\xff"}\'); say(17, n)', /its values are no JSON/],
  [
    'gives no places',
    'for n in requests(): give(struct.pack("<3d", float("nan"), 1, 1), rows=1); say(17, n)',
    /place is no number/,
    'circles',
  ],
  [
    'gives a negative radius',
    'for n in requests(): give(struct.pack("<3d", 1, 1, -1), rows=1); say(17, n)',
    /radius is out of its range/,
    'circles',
  ],
  [
    'gives four billion rows',
    'for n in requests(): give(rows=0xffffffff); say(17, n)',
    /gives 4294967295 rows; 300 at most/,
    'circles',
  ],
  [
    'gives a picture too large',
    'for n in requests(): give(width=641, height=1, stride=641); say(17, n)',
    /picture of 641x1 pixels/,
    'mask',
  ],
  ['gives no picture', 'for n in requests(): say(17, n)', /picture of 0x0 pixels/, 'mask'],
  [
    'gives rows that lie elsewhere',
    'for n in requests(): give(width=640, height=400, stride=0xffffffff); say(17, n)',
    /rows do not lie in its memory/,
    'mask',
  ],
  [
    'gives rows over one another',
    'for n in requests(): give(width=640, height=400, stride=1); say(17, n)',
    /rows do not lie in its memory/,
    'mask',
  ],
  [
    'answers what nobody asked',
    'for n in requests(): say(17, n + 1)',
    /step\.ended: step look: .*answers what it was not asked/,
  ],
  [
    'sends what is no message',
    'for n in requests(): s.sendall(b"\\xff" * 64)',
    /step\.ended: step look: .*sends what is no message/,
  ],
  ['sends without end', 'next(requests())\nwhile True: s.sendall(b"\\0" * 65536)', /step\.ended: step look: /],
  ['dies', 'next(requests())\nos._exit(3)', /step\.ended: step look: .*exit code 3/],
  ['is killed', 'next(requests())\nos.kill(os.getpid(), 11)', /step\.ended: step look: .*(SIGSEGV|exit code)/],
  ['closes its socket', `next(requests())\ns.shutdown(socket.SHUT_RDWR)\n${NEVER_ENDS}`, /step\.ended: step look: /],
  [
    'leaves a child behind',
    `next(requests())\nif os.fork() == 0:\n    ${NEVER_ENDS}\nos._exit(0)`,
    /step\.ended: step look: /,
  ],
  [
    'fails with control characters',
    'for n in requests(): say(18, n, b"\\x1b[31mred\\n\\xff")',
    /step\.failed: step look: /,
  ],
  [
    'takes the memory away',
    `for n in requests():
    try:
        os.ftruncate(4, 0)
    except OSError as e:
        say(18, n, b"not so: " + str(e).encode())`,
    /not so: .*not permitted/i,
  ],
]

test('whatever a program does, the tags of the pipeline go on, and what it did is said', async (t) => {
  const camera = await startEngine(t)
  for (const [does, source, says, kind] of BAD) {
    const outputs = kind && [kind === 'mask' ? MASK : { name: 'rows', kind }]
    const plugin = nodePlugin(t, { source: BY_HAND + source, ...(outputs && { outputs }) })
    const brought = bringNodes(t, plugin)
    const pipeline = lookedAt(plugin, { timeout_ms: 200 })
    const said = warningThat(camera, says)
    await camera.open({ ...smallCamera, pipeline: kind === 'mask' ? withShapes(pipeline) : pipeline })

    assert.match(await said, /step look: /, does)
    const result = await camera.nextResult()

    assert.ok(tagsOf(result).length > 0, does)
    assert.equal(valuesOf(result), undefined, does)
    brought.end()
  }
})

test('a program that writes all over the memory while it is read breaks nothing', async (t) => {
  const source = `${BY_HAND}
if os.fork() == 0:
    while True:
        for at in range(0, 8192, 8):
            m[at:at + 8] = os.urandom(8)
        m[port["at"]:port["at"] + 4096] = os.urandom(4096)
for n in requests():
    give(b'{"a": 1}')
    say(17, n)
`
  const plugin = nodePlugin(t, { source })
  bringNodes(t, plugin)
  const camera = await startEngine(t)
  await camera.open({ ...smallCamera, pipeline: lookedAt(plugin, PATIENT) })

  const seen = []
  while (seen.length < 100) seen.push(tagsOf(await camera.nextResult()).length)

  assert.ok(seen.every((count) => count > 0))
})

test('a program that cannot begin refuses the plan, with what it said last', async (t) => {
  const camera = await startEngine(t)
  await camera.open(smallCamera)
  const refused = async (source: string, runtime: 'python' | 'node' | 'executable' = 'python') => {
    const plugin = nodePlugin(t, { source, runtime })
    const brought = bringNodes(t, plugin)
    const outcome = await Effect.runPromise(
      Effect.match(camera.engine.setPlan(planOf(lookedAt(plugin))), {
        onSuccess: () => 'it ran',
        onFailure: ({ code, detail }) => `${code}: ${detail}`,
      }),
    )
    brought.end()
    return outcome
  }

  assert.match(
    await refused('import nothing_of_that_name'),
    /^engine\.bad_task: .*step look cannot be begun: .*nothing_of_that_name/,
  )
  assert.match(await refused('raise SystemExit(0)'), /it ended by itself \(exit code 0\)/)
  assert.match(
    await refused('import sys\nprint("vedette-confine: nobody", file=sys.stderr)\nraise SystemExit(3)'),
    /it ended by itself \(exit code 3\); it said: vedette-confine: nobody/,
  )
  assert.match(await refused(`${BY_HAND}say(18, 0, b"no model here")\ntime.sleep(60)`), /cannot begin: no model here/)
  assert.match(await refused('no program', 'executable'), /step look cannot be begun/)
  assert.ok(tagsOf(await camera.nextResult()).length > 0)
})
