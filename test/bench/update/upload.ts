// What the upload of an update costs the service: computing, against `cat` and `sha256sum` of the same file, and
// memory.
import { execFileSync } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { openAsBlob, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { UpdateState } from '../../../machines/update/update-state.ts'
import { until } from '../../support/until.ts'
import { LaunchedDevice } from '../../support/update/launched-device.ts'
import { bundleIn } from '../../support/update/releases.ts'
import { getJson } from '../lab/daemon.ts'
import type { Lab, Measurement } from '../lab/lab.ts'
import { peakRssMb, restartPeakRss, rssMb } from '../lab/processes.ts'
import { type Row, spread, worst } from '../lab/row.ts'
import { usageOf, usedBetween } from '../lab/usage.ts'

const SIZE_MB = 512
const MB = 1024 * 1024
const PART_MB = 64
const ROUNDS = 8
const STARTS = 2 // a service computes more for the first uploads: its memory is new

interface Round {
  readonly isFirst: boolean
  readonly uploadUs: number
  readonly referenceUs: number
  readonly grownMb: number
}

export const updateUpload: Measurement = async (lab) => {
  const file = await largeBundle(lab.folder)
  const rounds: Round[] = []
  for (let start = 0; start < STARTS; start += 1) {
    const device = new LaunchedDevice({ after: lab.defer })
    device.start()
    const url = await device.ready()
    const pid = device.services[0] as number
    await until('the state of updates', async () => (await fetch(`${url}/v1/ota/state`)).ok)
    for (let n = 0; n < ROUNDS / STARTS; n += 1) {
      const round = { isFirst: n === 0, ...(await playRound(lab, url, pid, file)) }
      lab.say(
        `${(round.uploadUs / 1000).toFixed(0)} ms, the reference ${(round.referenceUs / 1000).toFixed(0)} ms, ` +
          `+${round.grownMb.toFixed(0)} MB`,
      )
      rounds.push(round)
    }
    await device.killAll()
  }
  const ratios = (of: readonly Round[]) => spread(of.map(({ uploadUs, referenceUs }) => uploadUs / referenceUs))
  const first = rounds.filter(({ isFirst }) => isFirst)
  const ms = (what: string, of: (round: Round) => number): Row => ({
    what,
    unit: 'ms',
    from: `${ROUNDS} uploads`,
    ...spread(rounds.map((round) => of(round) / 1000)),
  })
  return [
    {
      what: `CPU of an upload of ${SIZE_MB} MB, against cat and sha256sum`,
      unit: '',
      from: `${ROUNDS} uploads`,
      figure: { atMost: 1.5 },
      ...ratios(rounds),
    },
    { what: '  the first after a start', unit: '', from: `${first.length} uploads`, ...ratios(first) },
    ms('  of the service', ({ uploadUs }) => uploadUs),
    ms('  of cat and sha256sum', ({ referenceUs }) => referenceUs),
    worst({
      what: `memory while receiving ${SIZE_MB} MB, at its peak above before`,
      unit: 'MB',
      from: `${ROUNDS} uploads`,
      figure: { atMost: 30 },
      ...spread(rounds.map(({ grownMb }) => grownMb)),
    }),
  ]
}

/** A bundle which cannot be packed any smaller, signed by a key that the device does not know. */
const largeBundle = async (folder: string): Promise<string> => {
  const content = Object.fromEntries(
    Array.from({ length: SIZE_MB / PART_MB }, (_, n) => [`part-${n}`, randomFillSync(Buffer.alloc(PART_MB * MB))]),
  )
  return (await bundleIn(folder, { content })).path
}

/** Turn about, since what a second of computing is worth changes with what else runs. */
const playRound = async (lab: Lab, url: string, pid: number, file: string): Promise<Omit<Round, 'isFirst'>> => {
  const referenceUs = reference(lab, file)
  const [before, beforeMb] = [usageOf(pid), rssMb(pid)]
  restartPeakRss(pid)
  await upload(url, file)
  const uploadUs = usedBetween(before, usageOf(pid))
  const grownMb = peakRssMb(pid) - beforeMb
  // what it is signed with is looked at when it is here, and refused
  await until(
    'the refusal',
    () => getJson<UpdateState>(`${url}/v1/ota/state`),
    ({ state }) => state === 'failed',
  )
  return { uploadUs, referenceUs, grownMb }
}

/** Until it is received; what comes of it then is not counted. */
const upload = async (url: string, file: string): Promise<void> => {
  const answer = await fetch(`${url}/v1/ota/upload`, {
    method: 'POST',
    body: await openAsBlob(file, { type: 'application/octet-stream' }),
  })
  if (answer.status !== 201) throw new Error(`the upload was answered with ${answer.status}: ${await answer.text()}`)
  await answer.arrayBuffer()
}

/** The file copied and its sum made, µs of computing. */
const reference = (lab: Lab, file: string): number => {
  const to = join(lab.folder, 'copy')
  writeFileSync(to, '')
  const script = 'cat "$0" >"$1" && sha256sum "$1" >/dev/null && times'
  const [, , minutes = '', seconds = '', systemMinutes = '', systemSeconds = ''] =
    /^(\S+) \S+\n(\d+)m([\d.]+)s (\d+)m([\d.]+)s/m.exec(
      execFileSync('sh', ['-c', script, file, to], { encoding: 'utf8' }),
    ) ?? []
  return 1e6 * (60 * (Number(minutes) + Number(systemMinutes)) + Number(seconds) + Number(systemSeconds))
}
