// What each camera said last. Cameras whose pictures are far apart in time are rounds of their own: of the newest round
// alone each camera would be there one moment and gone the next.
import type { Solve, SolveCamera, SolveTag } from './localization-wire.ts'

const MAX_AGE_MS = 1000

interface Said {
  readonly camera: SolveCamera
  readonly tags: readonly SolveTag[]
  readonly atMs: number
}

/** Keeps of each camera its newest frame. */
export class RecentRounds {
  readonly #said = new Map<string, Said>()

  /** The round, with what those cameras said within the last second that have no frame in it. atMs: when it came. */
  add(solve: Solve, atMs: number): Solve {
    if (solve.pose === null) this.#said.clear()
    for (const camera of solve.cameras) {
      if (camera.age_ms === null && camera.used) continue
      const tags = solve.tags.filter(({ stream_id }) => stream_id === camera.stream_id)
      this.#said.set(camera.stream_id, { camera, tags, atMs })
    }
    for (const [id, { atMs: last }] of this.#said) if (atMs - last > MAX_AGE_MS) this.#said.delete(id)
    const missing = solve.cameras.flatMap(({ stream_id, age_ms }) => {
      const said = age_ms === null ? this.#said.get(stream_id) : undefined
      return said?.camera.used ? [said] : []
    })
    if (missing.length === 0) return solve
    const saidOf = (id: string) => missing.find(({ camera }) => camera.stream_id === id)
    return {
      ...solve,
      tags: [...solve.tags, ...missing.flatMap(({ tags }) => tags)],
      cameras: solve.cameras.map((camera) => {
        const said = saidOf(camera.stream_id)
        if (!said) return camera
        return { ...said.camera, age_ms: (said.camera.age_ms ?? 0) + atMs - said.atMs }
      }),
    }
  }

  /** Forgets all. */
  clear(): void {
    this.#said.clear()
  }
}
