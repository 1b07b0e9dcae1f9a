// Who listens to the results of a stream gets each frame, unless he is slow: then the newest.
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import type { WebSocket } from 'ws'
import type { ExtcamAdapter } from '../../../actors/extcam/tokens.ts'
import { ResultsPush } from '../../../api/extcam/results-push.ts'
import type { Result } from '../../../machines/engine/result.ts'
import { Latest } from '../../../machines/latest.ts'
import { Listeners } from '../../../machines/listeners.ts'
import { frame } from '../../machines/extcam/frames.ts'

/** A socket whose peer takes what was sent when the test says so. */
class HandSocket extends EventEmitter {
  readonly sent: string[] = []
  closed: number | undefined
  #taken: (() => void) | undefined

  send(text: string, taken: () => void): void {
    assert.equal(this.#taken, undefined, 'nothing is sent while something is on its way')
    this.sent.push(text)
    this.#taken = taken
  }

  take(): void {
    const taken = this.#taken
    this.#taken = undefined
    taken?.()
  }

  close(code: number): void {
    this.closed = code
  }

  terminate(): void {
    this.emit('close')
  }
}

const pushing = () => {
  const results = new Latest<Result>()
  let [made, seq, isBroken] = [0, 0, false]
  const bugs: unknown[] = []
  const moved = new Listeners<void>()
  const stream = { results, state: 'live', onMoved: (listener: () => void) => moved.add(listener) }
  const adapter = {
    stream,
    results: () => {
      made += 1
      if (isBroken) throw new Error(`frame ${seq} cannot be written`)
      return stream.state === 'live' ? `frame ${seq}` : `nothing after frame ${seq}`
    },
  } as unknown as ExtcamAdapter
  const push = new ResultsPush(
    () => adapter,
    (bug) => bugs.push(bug),
  )
  return {
    push,
    bugs,
    made: () => made,
    /** Frames that come from now on cannot be written, or can again. */
    breakFrames: (broken = true) => {
      isBroken = broken
    },
    go: (state: string) => {
      stream.state = state
      moved.notify()
    },
    join: () => {
      const socket = new HandSocket()
      push.accept(socket as unknown as WebSocket)
      return socket
    },
    show: () => {
      seq += 1
      results.set(frame({ seq }))
    },
  }
}

test('one who takes all gets the newest at once, then each frame', () => {
  const { join, show } = pushing()
  show()
  const socket = join()
  socket.take()

  for (let n = 0; n < 3; n++) {
    show()
    socket.take()
  }

  assert.deepEqual(socket.sent, ['frame 1', 'frame 2', 'frame 3', 'frame 4'])
})

test('one who is slow gets the newest when he has taken what he has, and others miss nothing by him', () => {
  const { join, show } = pushing()
  const [slow, quick] = [join(), join()]
  quick.take()

  for (let n = 0; n < 3; n++) {
    show()
    quick.take()
  }
  slow.take()
  slow.take()

  assert.deepEqual(slow.sent, ['frame 0', 'frame 3'])
  assert.deepEqual(quick.sent, ['frame 0', 'frame 1', 'frame 2', 'frame 3'])
})

test('all are told once that nothing is seen when the stream is not live any more', () => {
  const { join, show, go } = pushing()
  const [quick, slow] = [join(), join()]
  quick.take()
  show()
  quick.take()

  for (const state of ['stalled', 'backing-off', 'opening', 'live']) {
    go(state)
    quick.take()
  }
  show()
  for (const socket of [quick, slow, slow]) socket.take()

  assert.deepEqual(quick.sent, ['frame 0', 'frame 1', 'nothing after frame 1', 'frame 2'])
  assert.deepEqual(slow.sent, ['frame 0', 'frame 2'])
})

test('a frame is written once for all who listen, and not at all when the last has gone', () => {
  const { join, show, made } = pushing()
  const sockets = [join(), join(), join()]
  for (const socket of sockets) socket.take()
  const before = made()

  show()
  const forAll = made() - before
  for (const socket of sockets) socket.terminate()
  show()

  assert.deepEqual([forAll, made() - before], [1, 1])
})

test('a frame that cannot be written is told of once and not sent, and the next good one is', () => {
  const { join, show, breakFrames, bugs } = pushing()
  const [slow, quick] = [join(), join()]
  quick.take()
  show()
  quick.take()
  breakFrames()

  slow.take()
  show()
  const newcomer = join()
  show()
  breakFrames(false)
  show()
  for (const socket of [slow, quick, newcomer]) socket.take()

  assert.deepEqual(slow.sent, ['frame 0', 'frame 4'])
  assert.deepEqual(quick.sent, ['frame 0', 'frame 1', 'frame 4'])
  assert.deepEqual(newcomer.sent, ['frame 4'])
  assert.deepEqual(bugs.map(String), ['Error: frame 1 cannot be written'])
})

test('eight can listen at once, and another one when one of them has gone', () => {
  const { join, push } = pushing()
  const full = () => push.full()?.code
  const sockets = Array.from({ length: 7 }, join)
  const before = full()

  sockets.push(join())
  const [whenFull, ninth] = [full(), join()]
  sockets[0]?.terminate()
  const [after, tenth] = [full(), join()]

  assert.deepEqual([before, whenFull, after], [undefined, 'viewer.too_many', undefined])
  assert.deepEqual([ninth.closed, ninth.sent], [1013, []])
  assert.deepEqual([tenth.closed, tenth.sent], [undefined, ['frame 0']])
})
