// The service with a policy for tests, and with trouble at hand: on SIGUSR2 its HTTP servers cannot accept any more, on
// SIGCONT something is thrown that nobody catches. Nothing of the service is replaced.
import { Server } from 'node:http'
import { flushCompileCache } from 'node:module'
import { defaultPolicy } from '../../../machines/supervision/policy.ts'
import { runService } from '../../../supervisors/process/service.ts'

process.on('SIGUSR2', () => {
  const { _getActiveHandles: handles } = process as unknown as { readonly _getActiveHandles: () => readonly unknown[] }
  for (const handle of handles())
    if (handle instanceof Server) handle.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }))
})
process.on('SIGCONT', () => {
  throw new Error('nobody catches this')
})

flushCompileCache() // killed, it has no other chance
process.exitCode = await runService({ ...defaultPolicy, retryEveryMs: 1_000 })
process.exit()
