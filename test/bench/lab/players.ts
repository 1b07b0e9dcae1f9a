// Two engines that play the same JPEGs at the same time: what one of them does besides is what it uses beyond the
// other.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StreamManifest } from '../../../machines/stream/manifest.ts'
import { type RunningEngine, runEngine } from './engine.ts'
import type { Lab } from './lab.ts'
import { type Row, spread } from './row.ts'
import { MOUNT, renderJpegs } from './scenes.ts'

export const FPS = 30
export const FRAMES = 300 // of a round
const PICTURES = 30
const TICK_US = 10_000 // of the kernel's account, which counts threads that have ended as well

/** Nothing comes of it, so that nothing is decoded for it. */
const PIPELINE: StreamManifest['pipeline'] = {
  nodes: [
    { id: 'source', type: 'source' },
    { id: 'gray', type: 'gray' },
  ],
  edges: [{ from: 'source.image', to: 'gray.image' }],
  outputs: [],
}

/** An engine, and the means to wait for frames of it. */
export interface Player extends RunningEngine {
  readonly frames: (count: number) => Promise<void>
}

/** The two, warm, and what they play. joined: the pictures of a round in one file. */
export const twoPlayers = async (lab: Lab) => {
  const manifest = { source: { backend: 'synthetic', noise: 8 }, pose: MOUNT } as const
  const files = await renderJpegs(lab, { manifest, name: 'pictures', count: PICTURES })
  const joined = joinedFile(lab, files)
  const players = [await play(lab, files), await play(lab, files)] as const
  await Promise.all(players.map((player) => player.frames(FPS)))
  return { joined, players }
}

/** The pictures of a round, one behind the other, in one file. */
export const joinedFile = (lab: Lab, files: readonly string[]): string => {
  const joined = join(lab.folder, 'pictures.mjpeg')
  const round = Array.from({ length: FRAMES }, (_, n) => readFileSync(files[n % files.length] as string))
  writeFileSync(joined, Buffer.concat(round))
  return joined
}

/** An engine that plays these files, no more. */
const play = async (lab: Lab, path: readonly string[]): Promise<Player> => {
  let seen = 0
  let changed = () => {}
  const source = { backend: 'images' as const, path: [...path], fps: FPS }
  const running = await runEngine(lab, {
    manifest: { source, pipeline: PIPELINE },
    onResult: () => {
      seen += 1
      changed()
    },
  })
  const frames = (count: number) =>
    new Promise<void>((resolve) => {
      const end = seen + count
      changed = () => {
        if (seen >= end) resolve()
      }
    })
  return { ...running, frames }
}

/** What something costs, for each picture. */
export const costRow = (what: string, us: readonly number[], from: string): Row => ({
  what,
  unit: 'us',
  ...spread(us),
  from,
})

/** Of a process with all the threads that it has had, µs. */
export const cpuUs = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_US
}

/**
 * What the `times` of a shell says of the programs that it has run, as the last line of what was printed, µs: user and
 * system.
 */
export const timesUs = (said: string): number => {
  const [user = 0, system = 0] = [...(said.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => 60 * Number(minutes) + Number(seconds),
  )
  return (user + system) * 1e6
}
