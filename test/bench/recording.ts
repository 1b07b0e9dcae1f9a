// What recording costs. Two engines play the same JPEGs at the same time, one of them records, and they change places in each round; against both stands
// FFmpeg's program, which copies as many of the same JPEGs into the same sort of file. Loading the libraries, and the end of each file, are in it on both sides.
import { execFileSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import type { StreamManifest } from '../../machines/stream/manifest.ts'
import { noFfmpeg } from '../support/boxes.ts'
import { type RunningEngine, runEngine } from './engine.ts'
import type { Lab, Measurement } from './lab.ts'
import { median, type Row, spread } from './row.ts'
import { MOUNT, renderJpegs } from './scenes.ts'

const FPS = 30
const FRAMES = 300 // of a round
const ROUNDS = 12
const TICK_US = 10_000 // of the kernel's account, which counts threads that have ended as well

/** The decoding is most of what such an engine does, and the same in both. */
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

export const recording: Measurement = async (lab) => {
  if (noFfmpeg) throw new Error(noFfmpeg)
  const files = await renderJpegs(lab, {
    manifest: { source: { backend: 'synthetic', noise: 8 }, pose: MOUNT },
    name: 'pictures',
    count: 30,
  })
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0) / files.length
  const joined = join(lab.folder, 'pictures.mjpeg')
  writeFileSync(
    joined,
    Buffer.concat(Array.from({ length: FRAMES }, (_, n) => readFileSync(files[n % files.length] as string))),
  )
  const players = [await play(lab, files), await play(lab, files)] as const
  await Promise.all(players.map((player) => player.frames(FPS)))

  const oursUs: number[] = []
  const theirsUs: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const [records, rests] = round % 2 === 0 ? players : [players[1], players[0]]
    oursUs.push(await costOfRecording(lab, records, rests, round))
    theirsUs.push(costOfCopying(lab, joined))
    lab.say(
      `round ${round + 1}: ${oursUs.at(-1)?.toFixed(0)} us of ours, ${theirsUs.at(-1)?.toFixed(0)} us of ffmpeg's for each picture`,
    )
  }
  const from = `${ROUNDS} rounds of ${FRAMES} pictures of ${Math.round(bytes / 1000)} KB`
  return [
    {
      ...{ what: 'recording one stream: CPU above not recording, against ffmpeg -c copy', unit: '', from },
      ...spread(oursUs.map((us, n) => us / (theirsUs[n] as number))),
      measured: median(oursUs) / median(theirsUs),
      figure: { atMost: 1.5 },
    },
    costRow('  recording, for each picture', oursUs, from),
    costRow('  ffmpeg -c copy, for each picture', theirsUs, from),
  ]
}

/** What something costs, for each picture. */
export const costRow = (what: string, us: readonly number[], from: string): Row => ({
  what,
  unit: 'us',
  ...spread(us),
  from,
})

/** An engine that plays these files and decodes them, no more. */
export const play = async (lab: Lab, path: readonly string[]): Promise<Player> => {
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

/** µs for each picture: what the one that records has used beyond the other. */
const costOfRecording = async (lab: Lab, records: Player, rests: Player, round: number): Promise<number> => {
  const path = join(lab.folder, `round-${round}.mp4`)
  const before = [cpuUs(records.pid), cpuUs(rests.pid)] as const
  await Effect.runPromise(records.engine.startRecording({ path, sidecar_path: `${path}.jsonl`, stream: 'bench' }))
  await records.frames(FRAMES)
  const { pictures, pictures_lost } = await Effect.runPromise(records.engine.stopRecording)
  const usedUs = cpuUs(records.pid) - before[0] - (cpuUs(rests.pid) - before[1])
  if (pictures_lost > 0) lab.say(`${pictures_lost} pictures found no room`)
  return usedUs / pictures
}

const costOfCopying = (lab: Lab, input: string): number => {
  const output = join(lab.folder, 'copied.mp4')
  const flags = '-c copy -movflags empty_moov+default_base_moof -frag_duration 500000 -flush_packets 1'
  const command = `ffmpeg -v error -y -f mjpeg -r ${FPS} -i ${input} ${flags} ${output}; times`
  const said = execFileSync('sh', ['-c', command], { encoding: 'utf8' })
  const [user = 0, system = 0] = [...(said.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => 60 * Number(minutes) + Number(seconds),
  )
  return ((user + system) * 1e6) / FRAMES
}

/** Of a process with all the threads that it has had, µs. */
export const cpuUs = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_US
}
