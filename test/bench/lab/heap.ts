// What is left in a daemon once its garbage is collected. It is started with HEAP_PROBE loaded and VEDETTE_BENCH_HEAP
// naming a file.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Daemon } from './daemon.ts'

export const HEAP_PROBE = new URL('heap-probe.ts', import.meta.url).href

const LIMIT_MS = 10_000

/** Of the heap and beside it, MB. file: that which the daemon was given. */
export const heapMb = async (daemon: Pick<Daemon, 'kill'>, file: string): Promise<number> => {
  rmSync(file, { force: true })
  daemon.kill('SIGUSR2')
  for (const endMs = performance.now() + LIMIT_MS; !existsSync(file); await delay(20))
    if (performance.now() > endMs) throw new Error('the service does not say how much it holds')
  return Number(readFileSync(file, 'utf8')) / 1e6
}
