// Parts found by counting: whatever way they are cut, and whatever a lying source says.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PartCounter } from '../../../native/tunnels/part-counter.ts'

const BOUNDARY = 'edge'
const FIRST = `--${BOUNDARY}\r\n`
const NEXT = `\r\n--${BOUNDARY}\r\n`
const LAST = `\r\n--${BOUNDARY}--\r\n`

const part = (content: Uint8Array, end = NEXT, own = ''): Buffer =>
  Buffer.concat([
    Buffer.from(`Content-Type: image/jpeg\r\nContent-Length: ${content.length}\r\n${own}\r\n`),
    content,
    Buffer.from(end),
  ])

/** What a counter makes of chunks. parts: whole ones. begun: of the one that is not, as far as it was passed on. */
const countedIn = (chunks: readonly Buffer[]) => {
  const parts: Buffer[] = []
  let begun: Buffer[] | undefined
  const counter = new PartCounter(BOUNDARY, {
    begin: () => {
      assert.equal(begun, undefined, 'one part at a time')
      begun = []
    },
    pass: (bytes) => (begun as Buffer[]).push(bytes),
    end: () => {
      parts.push(Buffer.concat(begun as Buffer[]))
      begun = undefined
    },
  })
  let flaw: string | undefined
  for (const chunk of chunks) {
    flaw = counter.take(chunk)
    if (flaw !== undefined) break
  }
  return { parts, begun: begun && Buffer.concat(begun), flaw, isWithin: counter.isWithin, isOver: counter.isOver }
}

const cutAt = (bytes: Buffer, places: readonly number[]): readonly Buffer[] => {
  const edges = [0, ...places.map((each) => each % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return edges.slice(1).map((edge, n) => bytes.subarray(edges[n], edge))
}

/** Bytes that look like boundaries and heads as often as not. */
const contents = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc
    .array(fc.constantFrom(FIRST, NEXT, LAST, '\r\n\r\n', '\r\n', 'Content-Length: 7\r\n', '\xff\xd8'), {
      maxLength: 9,
    })
    .map((words) => new Uint8Array(Buffer.from(words.join(''), 'latin1'))),
)

test('parts come out as they went in, however they are cut, and whatever they hold', () => {
  fc.assert(
    fc.property(fc.array(contents, { maxLength: 6 }), fc.array(fc.nat(3000), { maxLength: 40 }), (held, cuts) => {
      const parts = held.map((content) => part(content))

      const counted = countedIn(cutAt(Buffer.concat([Buffer.from(FIRST), ...parts]), cuts))

      assert.equal(counted.flaw, undefined)
      assert.deepEqual(counted.parts, parts)
      assert.equal(counted.isWithin, false)
    }),
    { numRuns: 500 },
  )
})

test('parts that come byte by byte, and cut once at any byte, are the same', () => {
  const parts = [part(Buffer.from(`\xff\xd8${NEXT}\xff\xd9`, 'latin1')), part(Buffer.alloc(0), LAST.slice(0, -2))]
  const all = Buffer.concat([Buffer.from(FIRST), ...parts])

  const single = countedIn([...all].map((byte) => Buffer.from([byte])))
  const once = Array.from({ length: all.length + 1 }, (_, at) => countedIn([all.subarray(0, at), all.subarray(at)]))

  for (const counted of [single, ...once]) {
    assert.deepEqual(counted.parts, parts)
    assert.equal(counted.isOver, true)
  }
})

test('what has come of a part is passed on at once, uncopied', () => {
  const content = Buffer.alloc(1000, 7)
  const all = Buffer.concat([Buffer.from(FIRST), part(content)])
  const chunk = all.subarray(0, 500)
  const passed: Buffer[] = []
  const counter = new PartCounter(BOUNDARY, { begin() {}, pass: (bytes) => passed.push(bytes), end() {} })

  counter.take(chunk)

  assert.deepEqual(Buffer.concat(passed), chunk.subarray(FIRST.length))
  assert.equal(passed[0]?.buffer, chunk.buffer)
  assert.equal(counter.isWithin, true)
})

test('nothing of a part is passed on whose head makes no sense, and why is said', () => {
  const heads = {
    'no header': 'nonsense\r\n\r\n',
    'how long': 'Content-Type: image/jpeg\r\n\r\n',
    'two lengths': 'Content-Length: 5\r\ncontent-length: 6\r\n\r\n',
    'at most': `Content-Length: ${8 * 1024 * 1024 + 1}\r\n\r\n`,
    'how long.*': 'Content-Length: -1\r\n\r\n',
    '.*how long': `Content-Length: ${'9'.repeat(400)}\r\n\r\n`,
    'at most.*': 'Content-Length: 999999999999999\r\n\r\n',
    'no end within 8192': `X: ${'x'.repeat(9000)}`,
  }

  for (const [why, head] of Object.entries(heads)) {
    const whole = countedIn([Buffer.from(FIRST + head)])
    const single = countedIn([...Buffer.from(FIRST + head)].map((byte) => Buffer.from([byte])))
    for (const { flaw, parts, begun } of [whole, single]) {
      assert.match(String(flaw), new RegExp(why))
      assert.deepEqual({ parts, begun }, { parts: [], begun: undefined })
    }
  }
})

test('a part that is longer or shorter than it says is noticed where it should end', () => {
  const said = part(Buffer.alloc(50))
  const shorter = Buffer.concat([said.subarray(0, -NEXT.length - 1), Buffer.from(NEXT)])
  const longer = Buffer.concat([said.subarray(0, -NEXT.length), Buffer.from(`x${NEXT}`)])
  const odd = Buffer.concat([said.subarray(0, -2), Buffer.from('\r-')])

  for (const wrong of [shorter, longer, odd]) {
    const { flaw, parts } = countedIn([Buffer.from(FIRST), said, Buffer.concat([wrong, part(Buffer.alloc(60))])])

    assert.match(String(flaw), /not as long as its head says/)
    assert.deepEqual(parts, [said])
  }
})

test('an answer that begins with something else than its boundary is none', () => {
  assert.match(String(countedIn([Buffer.from('--other\r\n')]).flaw), /boundary/)
  assert.match(String(countedIn([Buffer.from('\r\n')]).flaw), /boundary/)
})

test('what is behind the last part means nothing', () => {
  const last = part(Buffer.from('x'), LAST.slice(0, -2))

  const counted = countedIn([Buffer.concat([Buffer.from(FIRST), last, Buffer.from('epilogue')]), Buffer.from('more')])

  assert.deepEqual(counted.parts, [last])
  assert.deepEqual(
    { flaw: counted.flaw, isOver: counted.isOver, isWithin: counted.isWithin },
    { flaw: undefined, isOver: true, isWithin: false },
  )
})

/** Lines of a head beside those that count: some mean nothing, some make no sense, some count as well. */
const otherLines = fc.array(
  fc.constantFrom(
    ...[
      'X-Sequence: 7',
      'X-Empty:',
      'x-any: \xff\t~',
      'Content-Language: en',
      'content-length: 3',
      'Content-Length: 4',
    ],
    ...[
      'Content-Length: x',
      'Content-Type: text/html',
      'content-type: image/jpeg',
      'no colon',
      ': no name',
      'bad name: 1',
    ],
    ...['X-Control: \x01', 'X-Return: \r'],
  ),
  { maxLength: 4 },
)

test('what a head says does not depend on the order of its lines', () => {
  fc.assert(
    fc.property(otherLines, (lines) => {
      const [type, length] = ['Content-Type: image/jpeg', 'Content-Length: 3']
      const counted = (head: readonly string[]) =>
        countedIn([Buffer.from(`${FIRST}${head.join('\r\n')}\r\n\r\nabc${NEXT}`, 'latin1')])

      const [usual, turned] = [counted([type, length, ...lines]), counted([length, type, ...lines])]

      assert.equal(usual.flaw, turned.flaw)
      assert.equal(usual.parts.length, turned.parts.length)
    }),
    { numRuns: 1_000 },
  )
})

test('a boundary that begins again in its midst is none', () => {
  for (let matched = 1; matched < NEXT.length; matched++) {
    if (`${NEXT.slice(0, matched)}${NEXT}`.startsWith(NEXT)) continue // its end is the beginning of the other
    const begun = Buffer.from(`${FIRST}Content-Length: 3\r\n\r\nabc${NEXT.slice(0, matched)}`)

    for (const chunks of [[begun, Buffer.from(NEXT)], [Buffer.concat([begun, Buffer.from(NEXT)])]])
      assert.match(countedIn(chunks).flaw ?? '', /not as long as its head says/, `after ${matched} bytes`)
  }
})

test('of one read a thousand parts are pictures, and more of them are a flood', () => {
  const many = (count: number) =>
    countedIn([Buffer.concat([Buffer.from(FIRST), ...Array.from({ length: count }, () => part(Buffer.alloc(0)))])])

  assert.equal(many(1_000).flaw, undefined)
  const { flaw, parts } = many(1_001)
  assert.match(flaw ?? '', /more parts at once/)
  assert.equal(parts.length, 1_001)
})
