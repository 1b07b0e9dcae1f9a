// One step that the program of a plugin does: its channel, which stays, and its process, which is made again when it
// ends. What the process says on its socket is read by the addon; here it is started, watched and ended.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import {
  type HangWatch,
  hangReason,
  judgeStep,
  type Limits,
  type StepWatch,
  startHangWatch,
  updateHangWatch,
} from '../../../../machines/engine/health.ts'
import { RESULT_FIELDS } from '../../../../machines/engine/result.ts'
import { MAX_CLASS_NAME_LENGTH, MAX_CLASSES } from '../../../../machines/models/model.ts'
import type { PortType } from '../../../../machines/pipeline/node-type.ts'
import type { PluginStep } from '../../../../machines/pipeline/plugin-step.ts'
import { MADE_FIELDS } from '../../../../machines/plugins/nodes/row-fields.ts'
import { confinementIn, isOfLauncher, reasonIn } from '../../../programs/confine.ts'
import { loadOfTree } from '../../threads.ts'
import type { NativePlugins, PluginPlaces } from '../addon.ts'
import { HostMadeAgain } from './made-again.ts'
import { pluginCommand } from './plugin-command.ts'

/** A step of a plugin, as its process is told of it. */
export interface ToldStep {
  readonly id: string
  readonly plugin: PluginStep
  /** As they are when it begins; others are told before the request for which they hold. */
  readonly params: Readonly<Record<string, unknown>>
}

/** A Python that loads a model takes its time; one that has not answered after so many pictures will not. */
const PREPARE_LIMITS: Limits = { idleMs: 10_000, busyMs: 20_000, waitedMs: 120_000 }
const RUN_LIMITS: Limits = { idleMs: 2_000, busyMs: 5_000, waitedMs: 60_000 }

const ASK_READY_EVERY_MS = 10
const LAST_WORDS_MS = 200 // to end when its socket has, and for what it said then to arrive
const MAX_LINE = 300
const MAX_SAID = 8_000 // of what it says on stderr, the end

/** What becomes of a process. preparing: it has not said that it is ready. ending: it is to end, and has not. */
type State = 'preparing' | 'working' | 'ending' | 'gone'

export class PluginHost extends HostMadeAgain {
  readonly #native: NativePlugins
  readonly #step: ToldStep
  readonly #places: PluginPlaces
  readonly number: number
  #child: ChildProcess | undefined
  #state: State = 'gone'
  #why: string | undefined
  #said = ''
  #hangWatch: HangWatch | undefined
  #watch: StepWatch | undefined
  #asking: NodeJS.Timeout | undefined
  #gone = Promise.resolve()

  constructor(native: NativePlugins, step: ToldStep) {
    super()
    this.#native = native
    this.#step = step
    const { number, ...places } = native.open(step.plugin.inputs.map(nameOf), step.plugin.outputs.map(nameOf))
    this.number = number
    this.#places = places
    this.start()
  }

  get isUsed(): boolean {
    return !this.isEnded && this.#native.look(this.number).users > 0
  }

  look(): void {
    if (this.isEnded || this.#state === 'gone' || this.#state === 'ending') return
    const look = this.#native.look(this.number)
    if (look.state === 'gone') this.#stop(look.why)
    else if (this.#state === 'working') this.#lookAtWork(look)
    else if (look.state === 'working') this.#begin(look.ready)
    else {
      this.#hangWatch = updateHangWatch(this.#hangWatch ?? startWatch(), this.#load(), performance.now())
      const why = hangReason(this.#hangWatch, PREPARE_LIMITS)
      if (why) this.#stop(`it does not get ready: ${why}`)
    }
  }

  async end(): Promise<void> {
    this.endForGood()
    clearInterval(this.#asking)
    this.close()
    this.#kill()
    await this.#gone
  }

  protected start(): void {
    this.#state = 'preparing'
    this.#why = undefined
    this.#said = ''
    this.#hangWatch = undefined
    try {
      this.#spawn()
    } catch (error) {
      this.#over(`it cannot be started: ${(error as Error).message}`)
      return
    }
    this.#asking = setInterval(() => this.look(), ASK_READY_EVERY_MS).unref()
  }

  #spawn(): void {
    const { command, args, env } = pluginCommand(this.#step.plugin)
    const { socket, memory, pictures } = this.#native.seat(this.number)
    const descriptors = [socket, memory, ...(pictures === undefined ? [] : [pictures])]
    try {
      const child = spawn(command, [...args], {
        env,
        stdio: ['ignore', 'ignore', 'pipe', ...descriptors],
        detached: true, // so that all that it starts can be ended with it
      })
      this.#child = child
      const gone = Promise.withResolvers<void>()
      this.#gone = gone.promise
      child.stderr?.on('data', (bytes: Buffer) => {
        this.#said = (this.#said + bytes.toString('utf8')).slice(-MAX_SAID)
      })
      child.once('error', (error) => {
        this.#why ??= `it cannot be started: ${error.message}`
        if (child.pid === undefined) {
          gone.resolve()
          this.#over('')
        }
      })
      let isOver = false
      const over = (code: number | null, signal: NodeJS.Signals | null): void => {
        if (isOver) return
        isOver = true
        child.stderr?.destroy()
        gone.resolve()
        const isLeft = this.#why === ENDED && signal === 'SIGKILL'
        if (isLeft) this.#why = 'it has closed its socket'
        this.#over(signal ? `it was ended by ${signal}` : `it ended by itself (exit code ${code})`, code)
      }
      child.once('exit', (code, signal) => {
        endGroup(child.pid) // what it has left behind
        setTimeout(() => over(code, signal), LAST_WORDS_MS).unref()
      })
      child.once('close', over)
    } finally {
      for (const each of descriptors) closeSync(each)
    }
    const order = orderOf(this.#step, this.#places, pictures !== undefined)
    this.#native.start(this.number, JSON.stringify(order))
  }

  #load() {
    return loadOfTree(this.#child?.pid ?? 0)
  }

  #begin(ready: string): void {
    clearInterval(this.#asking)
    this.#state = 'working'
    this.#watch = undefined
    this.begun(labelsIn(ready))
  }

  #lookAtWork(pulse: { readonly is_busy: boolean; readonly steps_done: number }): void {
    if (!pulse.is_busy) {
      this.#watch = undefined
      return
    }
    const { verdict, why, watch } = judgeStep(
      this.#watch,
      { pulse, load: this.#load(), atMs: performance.now() },
      RUN_LIMITS,
    )
    this.#watch = watch
    if (verdict === 'hangs') this.#stop(`it hangs: ${why}`)
  }

  #stop(why: string): void {
    this.#why ??= why
    this.#state = 'ending'
    clearInterval(this.#asking)
    this.vacate(this.#why)
    if (this.#why === ENDED) setTimeout(() => this.#kill(), LAST_WORDS_MS).unref()
    else this.#kill()
  }

  #kill(): void {
    if (this.#child?.exitCode === null && this.#child.signalCode === null) endGroup(this.#child.pid)
  }

  /** otherwise: why, where nobody has said it. exitCode: null where it has none. */
  #over(otherwise: string, exitCode: number | null = null): void {
    clearInterval(this.#asking)
    const why = this.#explained(this.#why && this.#why !== ENDED ? this.#why : otherwise, exitCode)
    this.#state = 'gone'
    this.#child = undefined
    this.gone(why)
  }

  /** With the last line that it said, or why it was ended, where what confines it did that. */
  #explained(why: string, exitCode: number | null): string {
    const lines = this.#said.split('\n').filter((line) => line.trim() !== '' && !confinementIn(line))
    const reason = isOfLauncher(exitCode) ? lines.map(reasonIn).findLast((each) => each !== undefined) : undefined
    const last = lines.at(-1)?.trim()
    if (reason !== undefined) return `it was ended: ${reason}`
    return last ? `${why}; it said: ${last.slice(0, MAX_LINE)}` : why
  }

  protected close(): void {
    this.#native.close(this.number)
  }

  protected vacate(why: string): void {
    this.#native.vacate(this.number, why)
  }
}

/** A process and those that it has started, as far as they have stayed with it. */
const endGroup = (pid: number | undefined): void => {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // they have ended
  }
}

/** What the addon says of a process whose socket is closed: how it ended is known when it has. */
const ENDED = 'its program has ended'

const startWatch = (): HangWatch => startHangWatch({ cpuMs: 0, isRunnable: true }, performance.now())

/** As the addon reads it. */
const nameOf = ({ kind, format }: PortType): string => (kind === 'image' ? `image ${format ?? 'gray'}` : kind)

/** What a process is told first. */
const orderOf = (
  { id, plugin, params }: ToldStep,
  { memory_bytes, answer_at, pictures_bytes, inputs, outputs }: PluginPlaces,
  hasPictures: boolean,
) => ({
  version: 1,
  step: id,
  plugin: plugin.plugin,
  data_folder: plugin.data_folder,
  memory_bytes,
  answer_at,
  ...(hasPictures && { pictures_bytes }),
  params,
  inputs: plugin.inputs.map(({ name, kind, format }, n) => ({
    name,
    kind,
    ...(kind === 'image' ? { format: format ?? 'gray' } : { fields: RESULT_FIELDS[kind] }),
    at: inputs[n]?.at,
    bytes: inputs[n]?.bytes,
  })),
  outputs: plugin.outputs.map(({ name, kind, format }, n) => ({
    name,
    kind,
    ...(kind === 'image' && { format: format ?? 'gray' }),
    at: outputs[n]?.at,
    bytes: outputs[n]?.bytes,
    ...(kind !== 'image' && kind !== 'values' && { fields: MADE_FIELDS[kind] }),
  })),
})

/** What it says is not to be relied on. */
const labelsIn = (ready: string): readonly string[] | undefined => {
  try {
    const { labels } = JSON.parse(ready) as { readonly labels?: unknown }
    if (!Array.isArray(labels) || labels.length === 0) return undefined
    return labels.slice(0, MAX_CLASSES).map((label) => String(label).slice(0, MAX_CLASS_NAME_LENGTH))
  } catch {
    return undefined
  }
}
