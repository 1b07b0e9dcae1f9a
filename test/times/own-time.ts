// Loaded ahead of each test file: in the end it tells what the file took of the processors, with the processes that it
// started and waited for.
import { appendFileSync } from 'node:fs'
import { cpuSecondsOf } from './cpu.ts'

const { TEST_TIMES: to } = process.env
const [, file = ''] = process.argv

if (to && /\.test\.(ts|mjs)$/.test(file))
  process.on('exit', () =>
    appendFileSync(to, `${JSON.stringify({ file, wallS: performance.now() / 1000, cpuS: cpuSecondsOf() })}\n`),
  )
