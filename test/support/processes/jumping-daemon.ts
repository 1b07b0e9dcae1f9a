// The service on a device whose wall clock is set while it runs: a day forward on SIGUSR2, two days back on SIGPWR.
// Nothing of the service is replaced.
import { flushCompileCache } from 'node:module'
import { runService } from '../../../supervisors/process/service.ts'

const DAY_MS = 86_400_000
const now = Date.now
let aheadMs = 0
Date.now = () => now() + aheadMs
process.on('SIGUSR2', () => {
  aheadMs += DAY_MS
})
process.on('SIGPWR', () => {
  aheadMs -= 2 * DAY_MS
})

flushCompileCache() // killed, it has no other chance
process.exitCode = await runService()
process.exit()
