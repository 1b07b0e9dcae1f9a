// Engines that are killed as a fault in native code would kill them.
import { until } from '../until.ts'

/** What is asked of the service whose engine is killed. */
interface Watched {
  readonly metrics: (stream: string) => Promise<{ readonly engine_pid?: unknown }>
}

/**
 * Kills the engine of a stream, and the next one as soon as it is there. One alone is replaced within the time in which
 * viewers are told nothing, on a fast machine; the pause before the third is longer than that.
 */
export const killTwoEngines = async (daemon: Watched, stream: string): Promise<void> => {
  const pidOf = async () => Number((await daemon.metrics(stream)).engine_pid)
  const first = await until('an engine', pidOf, (pid) => pid > 0)
  process.kill(first, 'SIGKILL')
  const second = await until('the next engine', pidOf, (pid) => pid > 0 && pid !== first)
  process.kill(second, 'SIGKILL')
}
