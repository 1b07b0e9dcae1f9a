// Jobs that a plugin starts and does: they are listed with all others, may be ended by people, and end with the plugin.
import * as Effect from 'effect/Effect'
import { type Fault, isFault } from '../../../machines/errors/fault.ts'
import type { Progress } from '../../../machines/jobs/job.ts'
import type { InstalledPlugin } from '../../../machines/plugins/installed.ts'
import type { FromPlugin } from '../../../machines/plugins/process/messages.ts'
import type { PluginProgram } from '../../../native/plugins/process/port.ts'
import type { Jobs, KindWithoutTurn, Work } from '../../jobs/jobs.ts'
import { answerOf, orFail } from '../../run.ts'
import { Allowance } from './allowance.ts'
import { refusal } from './plugin-asks.ts'

type Said<Type extends FromPlugin['type']> = Extract<FromPlugin, { readonly type: Type }>

/** Of all jobs of plugins: what a plugin does with its own processor time takes nobody's turn. */
export const PLUGIN_JOB = 'plugin_job'

/** At once; what waits for more is the plugin's own business. */
const MAX_JOBS = 4

/** Each is stored when it starts and when it ends, and others are dropped from the list for it. */
const JOBS_PER_S = 1

const ended = (detail: string): Fault => ({ code: 'plugin.failed', detail })

/** The program that did it is gone with the previous run of the service. */
export const pluginJobKind: KindWithoutTurn = {
  kind: PLUGIN_JOB,
  resume: () => () => Effect.fail(ended('The service was started again, and with it the plugin that did this job.')),
}

export interface PluginJobsParts {
  readonly jobs: Pick<Jobs, 'start'>
  /** CLOCK_MONOTONIC. */
  readonly nowUs: () => number
}

/** One that is being accepted: settled once, with its id or with why there is none. */
type Begun = PromiseWithResolvers<string | Fault>

interface Running {
  readonly report: (progress: Partial<Progress>) => void
  readonly end: (how: Effect.Effect<unknown, Fault>) => void
}

export class PluginJobs {
  readonly #plugin: InstalledPlugin
  readonly #program: Pick<PluginProgram, 'send'>
  readonly #jobs: PluginJobsParts['jobs']
  readonly #allowance: Allowance
  readonly #beginning = new Set<Begun>()
  readonly #running = new Map<string, Running>()
  #count = 0
  #closed: Fault | undefined

  constructor(plugin: InstalledPlugin, program: Pick<PluginProgram, 'send'>, { jobs, nowUs }: PluginJobsParts) {
    this.#plugin = plugin
    this.#program = program
    this.#jobs = jobs
    this.#allowance = new Allowance(JOBS_PER_S, nowUs, MAX_JOBS)
  }

  start({ ask, kind, params }: Said<'job_start'>): void {
    const { name, provides } = this.#plugin.manifest
    const isDeclared = provides.jobs?.some((each) => each.kind === kind) ?? false
    if (!isDeclared || this.#count >= MAX_JOBS || !this.#allowance.take()) {
      this.#refuse(ask, isDeclared ? TOO_MANY : noKind(kind))
      return
    }
    this.#count += 1
    let counts = true
    const over = () => {
      if (counts) this.#count -= 1
      counts = false
    }
    const begun: Begun = Promise.withResolvers()
    this.#beginning.add(begun)
    const work: Work = (report) =>
      Effect.promise(() => begun.promise).pipe(
        Effect.flatMap(orFail),
        Effect.flatMap((job) => this.#work(job, { kind, params, report })),
        Effect.ensuring(Effect.sync(over)),
      )
    void answerOf(this.#jobs.start({ kind: PLUGIN_JOB, resource_ref: { plugin_name: name, kind }, work })).then(
      (job) => {
        this.#beginning.delete(begun)
        if (isFault(job)) {
          over()
          this.#refuse(ask, job)
          begun.resolve(ended(`The plugin was told that there is no such job: ${job.detail}.`)) // it may come still
        } else {
          this.#answer(ask, { job_id: job.id })
          begun.resolve(job.id)
        }
      },
    )
  }

  progress({ job, percent, message }: Said<'job_progress'>): void {
    this.#running.get(job)?.report({ percent, message })
  }

  done({ job, result, error }: Said<'job_done'>): void {
    this.#running.get(job)?.end(error === undefined ? Effect.succeed(result ?? null) : Effect.fail(ended(error)))
  }

  close(why: Fault): void {
    this.#closed = why
    for (const { resolve } of this.#beginning) resolve(why)
    for (const { end } of [...this.#running.values()]) end(Effect.fail(why))
  }

  #work(job: string, { kind, params, report }: JobOrder): Effect.Effect<unknown, Fault> {
    return Effect.callback<unknown, Fault>((resume) => {
      if (this.#closed) return resume(Effect.fail(this.#closed))
      this.#running.set(job, {
        report,
        end: (how) => {
          this.#running.delete(job)
          resume(how)
        },
      })
      if (!this.#program.send({ type: 'job', job, kind, params })) {
        this.#running.delete(job)
        return resume(Effect.fail(UNREAD))
      }
      return Effect.sync(() => {
        if (this.#running.delete(job) && !this.#closed) this.#program.send({ type: 'job_cancel', job })
      })
    })
  }

  #answer(ask: number, body: unknown): void {
    const answer = { type: 'answer', ask, ok: true, status: 0, media_type: 'application/json', body } as const
    if (!this.#closed) this.#program.send(answer)
  }

  #refuse(ask: number, why: Fault): void {
    if (!this.#closed) this.#program.send(refusal(ask, why))
  }
}

const noKind = (kind: string): Fault => ({ code: 'plugin.failed', detail: `its manifest has no job ${kind}` })
const TOO_MANY: Fault = {
  code: 'job.too_many',
  detail: `a plugin may have ${MAX_JOBS} jobs at once, and start one a second`,
}

const UNREAD = ended('The program of the plugin has not read what it was told before.')

interface JobOrder {
  readonly kind: string
  readonly params: unknown
  readonly report: (progress: Partial<Progress>) => void
}
