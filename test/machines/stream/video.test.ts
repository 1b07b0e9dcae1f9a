// Who watches the video of a stream, and what its engine hears of that.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VideoBoard, type VideoChange, type VideoPacket } from '../../../machines/stream/video.ts'

const x264 = { library: 'libx264', max_fps: null }
const packet: VideoPacket = { captured_us: 5, is_key: true, bytes: Uint8Array.of(0, 0, 0, 1) }

const board = () => {
  const video = new VideoBoard()
  const changes: VideoChange[] = []
  video.subscribe((what) => changes.push(what))
  const watch = (want: { readonly library: string } = x264) => {
    const seen: (VideoPacket | 'ended')[] = []
    const leave = video.watch(want, { take: (each) => seen.push(each), ended: () => seen.push('ended') })
    return { seen, leave }
  }
  return { video, changes, watch }
}

test('who watches over the network is counted, and what he is sent', () => {
  const { video, watch } = board()
  const heard: number[] = []
  video.onMetered(() => heard.push(video.metered.viewers))
  watch()
  const leave = video.watch(x264, { take: () => 17, ended: () => {}, isMetered: true })

  video.deliver(packet)
  video.deliver(packet)
  const during = video.metered
  leave()
  video.deliver(packet)
  leave()

  assert.deepEqual(during, { viewers: 1, bytes: 34 })
  assert.deepEqual(video.metered, { viewers: 0, bytes: 34 })
  assert.deepEqual(heard, [1, 0])
})

test('the first who watches has it encoded, the last who leaves ends that', () => {
  const { video, changes, watch } = board()

  const [one, two] = [watch(), watch()]
  const during = [video.viewers, video.wanted]
  one.leave()
  one.leave()
  const still = video.wanted
  two.leave()

  assert.deepEqual(during, [2, x264])
  assert.deepEqual(still, x264)
  assert.deepEqual([video.viewers, video.wanted], [0, null])
  assert.deepEqual(changes, ['wanted', 'key', 'wanted'])
})

test('whoever comes later has a key made for him, and shares what is encoded', () => {
  const { video, watch } = board()
  const [one, two] = [watch(), watch({ library: 'another' })]

  video.deliver(packet)

  assert.deepEqual(video.wanted, x264)
  assert.deepEqual([one.seen, two.seen], [[packet], [packet]])
})

test('a limit holds for all who watch, and for who comes later', () => {
  const { video, changes, watch } = board()

  video.limit(5)
  watch()
  const limited = video.wanted
  video.limit(5)
  video.limit(null)

  assert.deepEqual([limited, video.wanted], [{ ...x264, max_fps: 5 }, x264])
  assert.deepEqual(changes, ['wanted', 'wanted'])
})

test('when nothing can be encoded, everybody hears that it has ended', () => {
  const { video, watch } = board()
  const [one, two] = [watch(), watch()]

  video.fail()

  assert.deepEqual([one.seen, two.seen], [['ended'], ['ended']])
})
