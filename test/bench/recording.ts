// What recording costs. Two engines play the same JPEGs at the same time, one of them records, and they change places in each round; against both stands
// FFmpeg's program, which copies as many of the same JPEGs into the same sort of file. Loading the libraries, and the end of each file, are in it on both sides.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import { noFfmpeg } from '../support/boxes.ts'
import type { Lab, Measurement } from './lab.ts'
import { costRow, cpuUs, FPS, FRAMES, type Player, timesUs, twoPlayers } from './players.ts'
import { median, spread } from './row.ts'

const ROUNDS = 12

export const recording: Measurement = async (lab) => {
  if (noFfmpeg) throw new Error(noFfmpeg)
  const { joined, bytes, players } = await twoPlayers(lab)

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
  return timesUs(execFileSync('sh', ['-c', command], { encoding: 'utf8' })) / FRAMES
}
