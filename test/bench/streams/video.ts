// What H.264 costs an engine, for those who watch and in a file: two engines play the same JPEGs, one of them encodes,
// and they change places in each round; against both stands FFmpeg's program, which decodes as many of the same JPEGs
// and encodes them with the same settings.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as Effect from 'effect/Effect'
import { oneLine } from '../../../machines/schema/one-line.ts'
import { noFfmpeg } from '../../support/media/boxes.ts'
import type { Lab, Measurement } from '../lab/lab.ts'
import { costRow, cpuUs, FPS, FRAMES, type Player, timesUs, twoPlayers } from '../lab/players.ts'
import { median, spread } from '../lab/row.ts'

const ROUNDS = 4
const LIBRARY = 'libx264'

export const video: Measurement = async (lab) => {
  if (noFfmpeg) throw new Error(noFfmpeg)
  const { joined, players } = await twoPlayers(lab)

  const us = { live: [] as number[], recorded: [] as number[], theirs: [] as number[], theirFile: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    const [works, rests] = round % 2 === 0 ? players : [players[1], players[0]]
    us.live.push(await costOf(works, rests, watched))
    us.theirs.push((await usOf(ffmpeg(joined, 2, `-f h264 ${join(lab.folder, 'their.h264')}`))) / FRAMES)
    us.recorded.push(await costOf(works, rests, (player, work) => recorded(lab, player, work)))
    us.theirFile.push((await usOf(ffmpeg(joined, 8, `${join(lab.folder, 'their.mp4')}`))) / FRAMES)
    lab.say(
      `round ${round + 1}: ${Object.values(us)
        .map((all) => all.at(-1)?.toFixed(0))
        .join(', ')} us`,
    )
  }
  const from = `${ROUNDS} rounds of ${FRAMES} pictures of 1280x800`
  const ratio = (what: string, ours: readonly number[], theirs: readonly number[]) => ({
    what,
    unit: '',
    from,
    ...spread(ours.map((each, n) => each / (theirs[n] as number))),
    measured: median(ours) / median(theirs),
  })
  return [
    ratio('H.264 for viewers: CPU above not encoding, against ffmpeg with the same settings', us.live, us.theirs),
    ratio('recording in H.264: the same', us.recorded, us.theirFile),
    costRow('  for viewers, each picture', us.live, from),
    costRow('  ffmpeg, each picture', us.theirs, from),
  ]
}

/** µs for each picture: what the one that works has used beyond the other. */
const costOf = async (
  works: Player,
  rests: Player,
  encoding: (player: Player, work: () => Promise<void>) => Promise<void>,
): Promise<number> => {
  const before = [cpuUs(works.pid), cpuUs(rests.pid)] as const
  await encoding(works, () => works.frames(FRAMES))
  return (cpuUs(works.pid) - before[0] - (cpuUs(rests.pid) - before[1])) / FRAMES
}

const watched = async ({ engine }: Player, work: () => Promise<void>): Promise<void> => {
  engine.setVideo({ library: LIBRARY, max_fps: null })
  await work()
  engine.setVideo(null)
}

const recorded = async (lab: Lab, { engine }: Player, work: () => Promise<void>): Promise<void> => {
  const path = join(lab.folder, 'ours.mp4')
  const order = { path, sidecar_path: `${path}.jsonl`, stream: 'bench', library: LIBRARY }
  await Effect.runPromise(engine.startRecording(order))
  await work()
  const { pictures_lost } = await Effect.runPromise(engine.stopRecording)
  if (pictures_lost > 0) lab.say(`${pictures_lost} pictures found no room`)
}

/**
 * CPU of a program, µs; meanwhile this process reads what the engines say. command: for a shell, with `times` at its
 * end.
 */
const usOf = async (command: string): Promise<number> => {
  const { stdout } = await promisify(execFile)('sh', ['-c', command])
  return timesUs(stdout)
}

const ffmpeg = (input: string, mbitS: number, output: string): string =>
  oneLine`
    ffmpeg -v error -y -threads 1 -f mjpeg -r ${FPS} -i ${input} -c:v libx264 -preset ultrafast -tune zerolatency -crf
    23 -maxrate ${mbitS}M -bufsize ${mbitS / 2}M -g ${FPS} -bf 0 -threads 1 -pix_fmt yuv420p ${output}; times
  `
