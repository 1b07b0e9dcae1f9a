// How a stream got its camera back: what was tried, when, and what came of it, told in a sentence.
/** A thing that was tried. atMs: of the clock of the one who tells. */
export type RecoveryStep =
  | { readonly what: 'open'; readonly device: string | null; readonly atMs: number }
  /** why: it was not done; null: it was. */
  | { readonly what: 'reset' | 'power'; readonly why: string | null; readonly atMs: number }

/** From the loss of a camera on. code: of the fault with which it began. */
export interface Recovery {
  readonly code: string
  readonly beganMs: number
  readonly steps: readonly RecoveryStep[]
}

const MAX_STEPS = 8 // the first ones and the newest tell the story

/** The same with one step more. */
export const withStep = (recovery: Recovery, step: RecoveryStep): Recovery => {
  const steps = [...recovery.steps, step]
  const isFull = steps.length > MAX_STEPS
  return {
    ...recovery,
    steps: isFull ? [...steps.slice(0, MAX_STEPS / 2), ...steps.slice(1 - MAX_STEPS / 2)] : steps,
  }
}

/** `Pictures came again after 2.3 s. Tried: opened /dev/video2 after 0.5 s, ...`. */
export const recoveryText = ({ code, beganMs, steps }: Recovery, nowMs: number): string => {
  const after = (atMs: number) => `after ${seconds(atMs - beganMs)}`
  const tried = steps.map((step) => {
    if (step.what === 'open') return `${step.device ? `opened ${step.device}` : 'looked for it'} ${after(step.atMs)}`
    const { done, vain } = WORDS[step.what]
    return `${step.why === null ? done : `could not ${vain} (${step.why})`} ${after(step.atMs)}`
  })
  return `The camera gives pictures again, ${seconds(nowMs - beganMs)} after ${code}: ${tried.join(', ')}.`
}

const WORDS = {
  reset: { done: 'reset its USB device', vain: 'reset its USB device' },
  power: { done: 'switched its USB port off and on', vain: 'switch its USB port off and on' },
} as const

const seconds = (ms: number): string => `${(Math.max(0, ms) / 1000).toFixed(2)} s`
