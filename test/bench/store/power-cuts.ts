// Whether a write that was acknowledged is ever lost to a power cut: a service whose settings are changed over HTTP as
// fast as it goes, with a log of what it has written and synced (disk-log.ts). From that log the disk is made as a cut
// at any moment may leave it, and a store is opened on it. Beside that, the same on a disk that syncs nothing, which
// must lose some: else these are no cuts.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as Effect from 'effect/Effect'
import { tagsAs } from '../../support/engine/graphs.ts'
import { seeded } from '../../support/engine/random-graphs.ts'
import { beginDiskLog, type DiskRecord, MEMORY, ReplayedDisk } from '../../support/processes/disk-log.ts'
import { using } from '../../support/processes/documents.ts'
import { type Daemon, startDaemon } from '../lab/daemon.ts'
import type { Lab, Measurement } from '../lab/lab.ts'
import type { Row } from '../lab/row.ts'

const CUTS = 300
const CUTS_WITHOUT_SYNCS = 20
const WRITES = 300 // of each graph
const IDS = ['one', 'two', 'three', 'four']

export const powerCuts: Measurement = async (lab) => {
  const records = await logOfWrites(lab)
  const writes = records.filter(({ kind }) => kind === 'note').length
  const kept = await lostIn(lab, records, { cuts: CUTS, disk: new ReplayedDisk() })
  const lying = { cuts: CUTS_WITHOUT_SYNCS, disk: new ReplayedDisk({ doesSync: false }) }
  const withoutSyncs = await lostIn(lab, records, lying)
  const row = (what: string, measured: number, cuts: number, figure?: Row['figure']): Row => ({
    what,
    unit: '',
    measured,
    low: measured,
    high: measured,
    from: `${cuts} cuts, ${writes} writes acknowledged, ${records.length} entries of the log`,
    ...(figure && { figure }),
  })
  return [
    row('power cuts after which an acknowledged write was lost', kept.lost, CUTS, { atMost: 0 }),
    row('  after which the store complained', kept.complaints, CUTS, { atMost: 0 }),
    row('  the first, on a disk that syncs nothing', withoutSyncs.lost, CUTS_WITHOUT_SYNCS, { atLeast: 1 }),
  ]
}

const logOfWrites = async (lab: Lab): Promise<readonly DiskRecord[]> => {
  const dataDir = join(lab.folder, 'data')
  mkdirSync(dataDir)
  const log = beginDiskLog(dataDir, lab.folder)
  const daemon = await startDaemon(lab, { dataDir, env: { ...log.env, VEDETTE_ENGINE: 'fake' } })
  await Promise.all(
    IDS.map(async (id) => {
      for (let n = 1; n <= WRITES; n += 1) log.note(`${id} ${await write(daemon, id, n)} ${n}`)
    }),
  )
  await daemon.stop()
  log.close()
  return log.read()
}

/** More than a page, so that a write is several of the disk's. Answers with the revision. */
const write = async ({ url }: Daemon, id: string, n: number): Promise<number> => {
  const graph = { ...tagsAs(`n${n}`), name: `${n} ${'x'.repeat(50)}` }
  const [method, path, body] =
    n === 1
      ? (['POST', '/v1/pipelines/graphs', { id, ...graph }] as const)
      : (['PUT', `/v1/pipelines/graphs/${id}`, graph] as const)
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${text}`)
  return (JSON.parse(text) as { revision: number }).revision
}

/** What a client knows of a document: its revision, and which of its writes that was. */
interface Known {
  readonly revision: number
  readonly n: number
}

const lostIn = async (
  lab: Lab,
  records: readonly DiskRecord[],
  { cuts, disk }: { readonly cuts: number; readonly disk: ReplayedDisk },
): Promise<{ readonly lost: number; readonly complaints: number }> => {
  const random = seeded(cuts)
  const share = records.length / cuts
  const at = new Set(Array.from({ length: cuts }, (_, n) => Math.floor((n + random(1_000) / 1_000) * share)))
  const acknowledged = new Map<string, Known>()
  let [lost, complaints] = [0, 0]
  for (const [n, record] of records.entries()) {
    disk.apply(record)
    if (record.kind === 'note') {
      const [id = '', revision, count] = record.path.split(' ')
      acknowledged.set(id, { revision: Number(revision), n: Number(count) })
    }
    if (!at.has(n)) continue
    const dataDir = mkdtempSync(join(MEMORY, 'vedette-bench-cut-'))
    disk.leave(dataDir, random)
    const { faults, kept } = await openedIn(dataDir).finally(() => rmSync(dataDir, { recursive: true }))
    if (faults > 0) complaints += 1
    if ([...acknowledged].some(([id, known]) => isLost(kept.get(id), known))) lost += 1
  }
  lab.say(`${cuts} cuts, ${lost} times something was lost, ${complaints} times the store complained`)
  return { lost, complaints }
}

const isLost = (kept: Known | undefined, known: Known): boolean =>
  !kept || kept.revision < known.revision || kept.n < known.n

const openedIn = (dataDir: string) =>
  using(dataDir, ({ load, openingFaults }) =>
    Effect.map(load, ({ documents, unreadable }) => ({
      faults: openingFaults.length + unreadable.length,
      kept: new Map(
        documents
          .filter(({ collection }) => collection === 'graphs')
          .map(({ id, revision, value }): [string, Known] => [
            id,
            { revision, n: parseInt((value as Named).name, 10) },
          ]),
      ),
    })),
  )

interface Named {
  readonly name: string
}
