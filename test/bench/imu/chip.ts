// A chip in a process of its own: 1000 samples in a second into pipes, ten at a time, as the kernel hands them over.
//
//   chip.ts PIPE...
import { openSync, writeSync } from 'node:fs'
import { systemClock } from '../../../native/clock/system.ts'
import { sampleOf } from '../../support/imu/iio-tree.ts'

const BATCH = 10
const STEP_US = 1_000

const pipes = process.argv.slice(2).map((path) => openSync(path, 'r+'))
let [nextUs, n] = [systemClock.monotonicUs(), 0]

const give = (): void => {
  while (systemClock.monotonicUs() >= nextUs + BATCH * STEP_US) {
    const samples = Array.from({ length: BATCH }, (_, k) => {
      const swing = Math.round(300 * Math.sin((n + k) / 200))
      return sampleOf([swing, -swing, 8192], [swing, 0, 2 * swing], nextUs + k * STEP_US)
    })
    const bytes = Buffer.concat(samples)
    for (const pipe of pipes) writeSync(pipe, bytes)
    nextUs += BATCH * STEP_US
    n += BATCH
  }
}

setInterval(give, BATCH / 2)
process.once('SIGTERM', () => process.exit())
console.log('gives')
