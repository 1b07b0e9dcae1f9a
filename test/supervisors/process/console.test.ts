// What a person at a terminal sees.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LiveLines, streamLine } from '../../../supervisors/process/console.ts'
import { packed } from '../../support/engine/packed.ts'
import { setState, streamRuntime } from '../../support/engine/stream-runtime.ts'

const NOW_US = 5_000_000

/** A terminal as far as it is needed: a screen of lines and a cursor in its first column. */
const terminal = (columns = 80) => {
  const screen: string[] = []
  let row = 0
  const obey = (text: string) => {
    const codes = text.replaceAll('\x1b[', '~')
    for (const [, up, erase, below, newline, plain] of codes.matchAll(/~(\d+)A|(~2K)|(~0J)|(\n)|([^~\n]+)/g)) {
      if (up) row -= Number(up)
      else if (erase) screen[row] = ''
      else if (below) screen.splice(row)
      else if (newline) row += 1
      else screen[row] = `${screen[row] ?? ''}${plain}`
    }
  }
  const out = { columns, writableLength: 0, write: obey } as unknown as NodeJS.WriteStream
  return { screen, live: new LiveLines(out) }
}

const clock = { nowMs: () => 0, monotonicUs: () => NOW_US }
const stream = (id: string) => streamRuntime({ id, source: { backend: 'synthetic' } }, { clock })

const streams = (...ids: string[]) => ids.map(stream)

const named = (screen: readonly string[]) => screen.map((line) => line.split(' ')[0])

test('the live lines are redrawn in place, and the log goes on above them', () => {
  const { screen, live } = terminal()

  live.write('started\n')
  live.draw(streams('front', 'rear'))
  live.draw(streams('front', 'rear'))
  live.write('hello\n')
  live.draw(streams('front', 'rear'))

  assert.deepEqual(named(screen), ['started', 'hello', 'front', 'rear'])
})

test('the line of a stream that was deleted goes away', () => {
  const { screen, live } = terminal()

  live.draw(streams('front', 'rear'))
  live.draw(streams('rear'))

  assert.deepEqual(named(screen), ['rear'])
})

test('a line never wraps', () => {
  const { screen, live } = terminal(20)

  live.draw(streams('a-stream-with-a-long-name'))

  assert.equal(screen[0]?.length, 19)
})

test('a stream is told in one line: its state, its rate, its tags, where the robot is and how far off that is', () => {
  const front = stream('front')
  setState(front, 'live')
  const robot = { field_robot_x_m: 3, field_robot_y_m: 2, field_robot_qw: Math.SQRT1_2, field_robot_qz: Math.SQRT1_2 }
  for (let n = 0; n < 50; n++)
    front.results.set(
      packed({ seq: n, captured_us: NOW_US - n, finished_us: NOW_US - (50 - n) * 50_000 }, [
        { port: 'tags', kind: 'detections', rows: [{}, {}] },
        { port: 'pose', kind: 'field_pose', rows: [{ tag_count: 2, ...robot }] },
        { port: 'truth', kind: 'truth', rows: [{ ...robot, field_robot_x_m: 3.01 }] },
      ]),
    )

  const line = streamLine(front)

  assert.match(line, /^front +live +20\.0 fps +2 tags +x 3\.00 y 2\.00 m yaw 90\.0° +off by 1\.0 cm 0\.00° +0 viewers$/)
})

test('a stream that fails says why', () => {
  const front = stream('front')
  setState(front, 'backing-off', { code: 'camera.missing', detail: 'no camera' })

  assert.match(streamLine(front), /^front +backing-off .*no camera$/)
})

test('a terminal that does not take what was drawn is drawn to when it does, with what is then', () => {
  const texts: string[] = []
  const out = { columns: 80, writableLength: 0, write: (text: string) => texts.push(text) }
  const live = new LiveLines(out as unknown as NodeJS.WriteStream)
  live.draw(streams('front'))

  out.writableLength = 10
  live.draw(streams('front'))
  live.draw(streams('front'))
  out.writableLength = 0
  live.draw(streams('rear'))

  assert.deepEqual(
    texts.map((text) => (text.includes('front') ? 'front' : 'rear')),
    ['front', 'rear'],
  )
})
