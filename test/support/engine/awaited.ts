// What an engine in a test is waited for: a result, or a warning, that is as wanted.
import type { Result } from '../../../machines/engine/result.ts'
import type { EngineProbe } from './engine-task.ts'

/** The next result that is as wanted, though several may come at once. */
export const resultThat = async (camera: EngineProbe, isWanted: (result: Result) => boolean): Promise<Result> => {
  for (let at = camera.results.length; ; at += 1) {
    if (at === camera.results.length) await camera.nextResult()
    const result = camera.results[at] as Result
    if (isWanted(result)) return result
  }
}

/** The next warning that says something, though several may come at once. */
export const warningThat = async (camera: EngineProbe, pattern: RegExp): Promise<string> => {
  for (let at = camera.events.length; ; at += 1) {
    if (at === camera.events.length) await camera.nextEvent('warned')
    const event = camera.events[at]
    const said = event?.type === 'warned' ? `${event.fault.code}: ${event.fault.detail}` : ''
    if (pattern.test(said)) return said
  }
}
