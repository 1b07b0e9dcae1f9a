// All checks, again and again, on a machine that is kept busy: `npm run test:loaded -- --busy=4 --times=5`. A test that
// fails only here asks for a fast machine where it should wait, or should judge by what was possible.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { startBusy } from './support/processes/busy.ts'

const { values } = parseArgs({
  options: { busy: { type: 'string', default: '4' }, times: { type: 'string', default: '5' } },
})
const [busy, times] = [Number(values.busy), Number(values.times)]

startBusy(busy)
const report: string[] = []
for (let run = 1; run <= times; run++) {
  const startedMs = performance.now()
  const { status } = spawnSync(process.execPath, ['test/run.ts'], {
    stdio: 'inherit',
    env: { ...process.env, TESTS_ONCE: '1' },
  })
  const tookS = ((performance.now() - startedMs) / 1000).toFixed(0)
  report.push(
    `run ${run} of ${times}, beside ${busy} busy processes: ${status === 0 ? 'passed' : 'FAILED'} in ${tookS} s`,
  )
  console.log(report.join('\n'))
  if (status !== 0) process.exitCode = 1
}
process.exit()
