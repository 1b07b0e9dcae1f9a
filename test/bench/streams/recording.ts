// What recording costs. Two services play the same JPEGs at the same time, one of them records, and they change places
// in each round: all that all threads of all its processes use beyond the other's is counted, from the order to begin
// until the file is whole. Against both stands FFmpeg's program, which copies as many of the same JPEGs into the same
// sort of file, fragments of the same length. Loading programs and libraries counts on neither side: each service has
// recorded before, and what FFmpeg uses for a single picture is taken off.

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { MediaItem } from '../../../machines/media/item.ts'
import { oneLine } from '../../../machines/schema/one-line.ts'
import type { StreamManifest } from '../../../machines/stream/manifest.ts'
import { noFfmpeg } from '../../support/media/boxes.ts'
import { addStream, type Daemon, getJson, startDaemon } from '../lab/daemon.ts'
import { LITTLE } from '../lab/graphs.ts'
import type { Lab, Measurement } from '../lab/lab.ts'
import { costRow, FPS, FRAMES, joinedFile, timesUs } from '../lab/players.ts'
import { median, spread } from '../lab/row.ts'
import { smallPictures } from '../lab/small-pictures.ts'
import { type Usage, usageOf, usedBetween } from '../lab/usage.ts'

const ROUNDS = 12
const PICTURES = 30
const BYTES = 255_000 // of 1280x800 with a lot of noise
const ID = 'camera'

export const recording: Measurement = async (lab) => {
  if (noFfmpeg) throw new Error(noFfmpeg)
  const files = await smallPictures(lab, PICTURES, BYTES)
  const joined = joinedFile(lab, files)
  const services = [await playing(lab, 'first', files), await playing(lab, 'second', files)] as const
  for (const each of services) await recorded(lab, each, 1000) // loads the libraries

  const oursUs: number[] = []
  const theirsUs: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const [records, rests] = round % 2 === 0 ? services : [services[1], services[0]]
    oursUs.push(await costOfRecording(lab, records, rests))
    theirsUs.push((costOfCopying(lab, joined, FRAMES) - costOfCopying(lab, joined, 1)) / (FRAMES - 1))
    lab.say(
      oneLine`
        round ${round + 1}: ${oursUs.at(-1)?.toFixed(0)} us of ours, ${theirsUs.at(-1)?.toFixed(0)} us of ffmpeg's for
        each picture
      `,
    )
  }
  const from = `${ROUNDS} rounds of ${FRAMES} pictures of ${BYTES / 1000} KB`
  return [
    {
      what: 'recording one stream: CPU above not recording, against ffmpeg -c copy',
      unit: '',
      from,
      ...spread(oursUs.map((us, n) => us / (theirsUs[n] as number))),
      measured: median(oursUs) / median(theirsUs),
      figure: { atMost: 1.5 },
    },
    costRow('  recording, for each picture', oursUs, from),
    costRow('  ffmpeg -c copy, for each picture', theirsUs, from),
  ]
}

/** A service with one stream that plays these files. */
const playing = async (lab: Lab, name: string, path: readonly string[]): Promise<Daemon> => {
  const daemon = await startDaemon(lab, { dataDir: join(lab.folder, name) })
  const source = { backend: 'images', path: [...path], fps: FPS } satisfies StreamManifest['source']
  await addStream(daemon, { id: ID, internal: true, source, pipeline: LITTLE })
  return daemon
}

/** µs for each picture: what the service that records has used beyond the other. */
const costOfRecording = async (lab: Lab, records: Daemon, rests: Daemon): Promise<number> => {
  const services = [records, rests] as const
  const before = services.map(({ pid }) => usageOf(pid))
  const end = await begun(records)
  await delay((FRAMES / FPS) * 1000)
  await end()
  const [ours = 0, others = 0] = services.map(({ pid }, n) => usedBetween(before[n] as Usage, usageOf(pid)))
  return (ours - others) / (await framesOf(lab, records))
}

const recorded = async (lab: Lab, service: Daemon, ms: number): Promise<void> => {
  const end = await begun(service)
  await delay(ms)
  await end()
  await framesOf(lab, service)
}

/** Begins a recording; returns the way to end it, after which its file is whole. */
const begun = async (service: Daemon): Promise<() => Promise<unknown>> => {
  await sent(service, 'POST', `/v1/streams/${ID}/recording/start`)
  return () => sent(service, 'POST', `/v1/streams/${ID}/recording/stop`)
}

/** How many pictures the only recording holds, which is removed then. */
const framesOf = async (lab: Lab, service: Daemon): Promise<number> => {
  const { items } = await getJson<{ items: readonly MediaItem[] }>(`${service.url}/v1/media`)
  const [{ name, frames, flaw }] = items as [MediaItem]
  await sent(service, 'DELETE', `/v1/media/${name}`)
  if (flaw || !frames) throw new Error(`the recording ${name} is not whole: ${flaw}, ${frames} pictures`)
  if (frames < FPS / 2) lab.say(`only ${frames} pictures were recorded`)
  return frames
}

const sent = async ({ url }: Daemon, method: 'POST' | 'DELETE', path: string): Promise<void> => {
  const response = await fetch(url + path, { method })
  if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${await response.text()}`)
}

/** µs. */
const costOfCopying = (lab: Lab, input: string, pictures: number): number => {
  const output = join(lab.folder, 'copied.mp4')
  const flags = '-c copy -movflags empty_moov+default_base_moof -frag_duration 300000 -flush_packets 1'
  const command = `ffmpeg -v error -y -f mjpeg -r ${FPS} -i ${input} -frames:v ${pictures} ${flags} ${output}; times`
  return timesUs(execFileSync('sh', ['-c', command], { encoding: 'utf8' }))
}
