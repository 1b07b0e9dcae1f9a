// Those who watch a peer's pictures through another device.
//
//   tunnel-viewers.ts URL COUNT SECONDS
//
// Prints `ready` when each has had pictures for a second, and after SECONDS one line of JSON: { parts, min_parts,
// foreign, late_us }: whole pictures since then, those of the viewer that got the fewest, those whose bytes are not
// what their hash says, and of each the time from X-Sent-Us until the last byte was here.
import { createHash } from 'node:crypto'
import { get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

const [url = '', words = '1', seconds = '8'] = process.argv.slice(2)
const count = Number(words)

const seen = { parts: new Array<number>(count).fill(0), foreign: 0, us: [] as number[] }

const END_OF_HEAD = '\r\n\r\n'

/** Reads the parts of an answer by their lengths, and calls back at the end of each. */
const readParts = (ended: (head: string, content: readonly Buffer[]) => void): ((chunk: Buffer) => void) => {
  let head = ''
  let left = 0
  let content: Buffer[] = []
  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      if (left === 0) {
        const before = head.length
        head += chunk.toString('latin1', at, at + 1_000)
        const end = head.indexOf(END_OF_HEAD)
        if (end < 0) return
        at += end + END_OF_HEAD.length - before
        head = head.slice(0, end + 2)
        left = Number(/Content-Length: (\d+)/.exec(head)?.[1])
        content = []
      }
      const taken = Math.min(left, chunk.length - at)
      content.push(chunk.subarray(at, at + taken))
      left -= taken
      at += taken
      if (left > 0) continue
      ended(head, content)
      head = ''
    }
  }
}

const number = (head: string, name: string): number => Number(new RegExp(`${name}: (\\d+)`).exec(head)?.[1])

const watch = (viewer: number): Promise<void> =>
  new Promise((resolve) => {
    get(url, { agent: false }, (response) => {
      const read = readParts((head, content) => {
        seen.us.push(Number(process.hrtime.bigint() / 1000n) - number(head, 'X-Sent-Us'))
        seen.parts[viewer] = (seen.parts[viewer] ?? 0) + 1
        const hash = createHash('sha256')
        for (const each of content) hash.update(each)
        if (hash.digest('hex') !== /X-Hash: ([0-9a-f]{64})/.exec(head)?.[1]) seen.foreign += 1
        resolve()
      })
      response.on('data', read).on('close', () => process.exit(1)) // nobody is to hang up
    })
  })

await Promise.all(Array.from({ length: count }, (_, viewer) => watch(viewer)))
await delay(1_000)
seen.parts.fill(0)
seen.us = []
console.log('ready')
await delay(Number(seconds) * 1_000)
const { parts, foreign, us } = seen
const found = {
  parts: parts.reduce((all, each) => all + each, 0),
  min_parts: Math.min(...parts),
  foreign,
  late_us: us,
}
process.stdout.write(`${JSON.stringify(found)}\n`, () => process.exit())
