// Work for jobs, which a test holds in its hands.
import * as Effect from 'effect/Effect'
import type { Work } from '../../actors/jobs/jobs.ts'
import type { Fault } from '../../machines/errors/fault.ts'
import type { Progress } from '../../machines/jobs/job.ts'
import { until } from './until.ts'

/** One run of a work. */
class Run {
  readonly name: string
  readonly report: (progress: Partial<Progress>) => void
  /** Waits for a person first. */
  readonly confirm = Promise.withResolvers<void>()
  readonly #end = Promise.withResolvers<Effect.Effect<unknown, Fault>>()

  constructor(name: string, report: Run['report']) {
    this.name = name
    this.report = report
  }

  readonly ended: Effect.Effect<unknown, Fault> = Effect.flatten(Effect.promise(() => this.#end.promise))

  /** Ends it in whatever way. */
  end(how: Effect.Effect<unknown, Fault>): void {
    this.#end.resolve(how)
  }
}

/** Works by name, what they have done so far, and a gate at which they wait before they release what they hold. */
export class Works {
  readonly said: string[] = []
  readonly #runs: Run[] = []
  /** Passed when a work has been interrupted or has ended, before it has released what it holds. */
  release: Promise<void> = Promise.resolve()

  /** A work that waits until the test ends it. */
  named(name: string): Work {
    return (report) =>
      Effect.gen({ self: this }, function* () {
        const run = new Run(name, report)
        yield* Effect.acquireRelease(
          Effect.sync(() => this.said.push(`${name} holds the camera`)),
          () =>
            Effect.map(
              Effect.promise(() => this.release),
              () => this.said.push(`${name} releases it`),
            ),
        )
        this.#runs.push(run)
        return yield* run.ended
      })
  }

  /** A work that waits for a person before that. */
  waiting(name: string): Work {
    return (report, whileWaiting) =>
      Effect.gen({ self: this }, function* () {
        const run = new Run(name, report)
        this.#runs.push(run)
        yield* whileWaiting(Effect.promise(() => run.confirm.promise))
        return yield* run.ended
      })
  }

  /** The run of a name, as soon as it has begun. */
  async run(name: string): Promise<Run> {
    return (await until(`the run of ${name}`, () => this.#runs.find((run) => run.name === name))) as Run
  }

  /** How often a name was run. */
  count(name: string): number {
    return this.#runs.filter((run) => run.name === name).length
  }
}
