// A worker that ends while the disk has still to tell how its recordings ended: `node worker-that-records.ts FILE...`.
// Says `ended` when it is gone.
import { isMainThread, Worker } from 'node:worker_threads'
import { type Libav, loadLibav } from '../../../native/engine/process/libav.ts'

const options = { width_px: 64, height_px: 48, fps: 30, library: null, max_bits_per_s: 1_000_000 }
const paths = process.argv.slice(2)

if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url), { argv: paths })
  worker.once('exit', () => console.log('ended'))
} else {
  const { Recorder } = loadLibav() as Libav
  let opened = 0
  const recorders = paths.map(
    (path) =>
      new Recorder({ path, ...options, fragment_ms: 500, max_queued_bytes: 1_000_000 }, ({ type }) => {
        opened += type === 'opened' ? 1 : 0
        if (opened < paths.length) return
        for (const recorder of recorders) recorder.stop()
        process.exit()
      }),
  )
  setInterval(() => {}, 1000) // what recorders have to say keeps nobody alive
}
