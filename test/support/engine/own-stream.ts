// A stream of the addon in the test's own process, for tests that say what becomes of its pictures, and when the next
// one comes.
import type { ServerResponse } from 'node:http'
import type { TestContext } from 'node:test'
import type { StreamManifest } from '../../../machines/stream/manifest.ts'
import type { Picture } from '../../../machines/stream/picture.ts'
import { loadAddon, type NativeOpened, type NativeStream } from '../../../native/engine/process/addon.ts'
import { LIBAV_PATH } from '../../../native/engine/process/libav.ts'
import { networkCamera } from '../cameras/network-camera.ts'
import { arrival, until } from '../until.ts'
import { engineTask } from './engine-task.ts'

const CAPTURED_US = 8 // the second double of a packed result

/** times: when the pictures of its results were captured, in order. */
export interface OwnStream {
  readonly stream: NativeStream
  readonly times: readonly number[]
  readonly open: (source: StreamManifest['source']) => Promise<NativeOpened>
  /** Waits for the first result. */
  readonly first: () => Promise<unknown>
  /** Waits for so many more results. */
  readonly results: (count: number) => Promise<unknown>
}

/** Closed with the test. */
export const ownStream = (t: TestContext): OwnStream => {
  const times: number[] = []
  const stream: NativeStream = new (loadAddon().Stream)((type: string, value: unknown) => {
    if (type !== 'result' && type !== 'result-in-turn') return
    times.push((value as Buffer).readDoubleLE(CAPTURED_US))
    if (type === 'result-in-turn') stream.resultLeft()
  })
  t.after(() => stream.close())
  const results = (count: number, before = times.length) =>
    until(
      `${count} results`,
      () => times.length - before,
      (now) => now >= count,
    )
  const open = (source: StreamManifest['source']) =>
    stream.open({ ...engineTask({ source }), video_library: LIBAV_PATH })
  return { stream, times, open, results, first: () => results(1, 0) }
}

/** A JPEG of so many pixels, grey, with tags. */
export const jpegOf = async (t: TestContext, width_px: number, height_px: number): Promise<Buffer> => {
  const came = Promise.withResolvers<Picture>()
  const stream = new (loadAddon().Stream)((type: string, value: unknown) => {
    if (type === 'picture') came.resolve(value as Picture)
  })
  t.after(() => stream.close())
  stream.setPictureKinds([{ key: 'a', max_width_px: 0, quality: 90, overlay: false, fps: 0 }])
  await stream.open(engineTask({ source: { backend: 'synthetic', width_px, height_px, fps: 60, motion: 'still' } }))
  const { jpeg } = await arrival('a picture', came.promise)
  await stream.close()
  return Buffer.from(jpeg)
}

/** A camera that is told when to give a picture, and which. */
export interface CameraByHand {
  readonly source: StreamManifest['source']
  readonly show: (jpeg: Uint8Array) => void
}

/** first: what it gives when it is opened. */
export const cameraByHand = async (t: TestContext, first: Uint8Array): Promise<CameraByHand> => {
  const watching = new Set<ServerResponse>()
  const send = (response: ServerResponse, jpeg: Uint8Array) => {
    response.write(`--p\r\nContent-Type: image/jpeg\r\nContent-Length: ${jpeg.length}\r\n\r\n`)
    response.write(jpeg)
    response.write('\r\n')
  }
  const camera = await networkCamera(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary=p' })
    watching.add(response.once('close', () => watching.delete(response)))
    send(response, first)
  })
  return {
    source: { backend: 'url', url: camera.url(), fps: 30 },
    show: (jpeg) => {
      for (const response of watching) send(response, jpeg)
    },
  }
}
