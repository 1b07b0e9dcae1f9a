// What five cost a device that follow its journal while that gets 1,000 lines a second, for each line and follower,
// against `ws` that sends as many the same lines, turn about. Of the device it is what it uses above one of the same
// kind that nobody asks: reading what `journalctl` prints, taking secrets out, writing it out, and sending it.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import WebSocket from 'ws'
import { startDaemon } from '../lab/daemon.ts'
import { type Lab, type Measurement, start } from '../lab/lab.ts'
import { processCpuUs } from '../lab/processes.ts'
import { rowsOver } from '../lab/row.ts'

const FOLLOWERS = 5
const RATE = 1_000
const SECONDS = 8
const ROUNDS = 6
const SETTLE_MS = 3_000
const [JOURNAL, SENDER] = ['moving-journal.ts', 'line-sender.ts'].map((name) => new URL(name, import.meta.url).pathname)

interface Turn {
  /** Of CPU for one line and follower, µs. */
  readonly ours: number
  readonly bare: number
  /** Lines that came for each that was said, of all followers. */
  readonly share: number
}

export const logFollowers: Measurement = async (lab) => {
  const [watched, alone] = [await device(lab, 'watched'), await device(lab, 'alone')]
  const bare = start(lab, process.execPath, [SENDER as string])
  const atBare = await follow(lab, `ws://127.0.0.1:${await bare.line()}/`)
  const turns: Turn[] = []
  for (let round = -1; round < ROUNDS; round++) {
    const atOurs = await follow(lab, `${watched.url.replace('http', 'ws')}/v1/device/logs/follow?source=journal`)
    await delay(SETTLE_MS)
    const pids = [watched.pid, alone.pid]
    const [heard, before] = [atOurs.lines(), pids.map(processCpuUs)]
    await delay(SECONDS * 1_000)
    const lines = (atOurs.lines() - heard) / FOLLOWERS
    const [used = 0, idle = 0] = pids.map((pid, n) => processCpuUs(pid) - (before[n] as number))
    await atOurs.end()
    await delay(SETTLE_MS)

    const [heardBare, bareBefore] = [atBare.lines(), processCpuUs(bare.pid)]
    bare.tell(`${RATE} ${SECONDS * RATE}`)
    await bare.line()
    const bareUs = processCpuUs(bare.pid) - bareBefore
    await delay(SETTLE_MS)
    const turn = {
      ours: (used - idle) / (lines * FOLLOWERS),
      bare: bareUs / (atBare.lines() - heardBare),
      share: lines / (RATE * SECONDS),
    }
    lab.say(`ours ${turn.ours.toFixed(2)} µs, bare ${turn.bare.toFixed(2)} µs, ${(100 * turn.share).toFixed(1)} %`)
    if (round >= 0) turns.push(turn)
  }
  const row = rowsOver(turns, `${ROUNDS} rounds of ${SECONDS} s, ${FOLLOWERS} followers, ${RATE} lines a second`)
  return [
    row('following a log: CPU per line and follower, against bare ws', 'times', ({ ours, bare }) => ours / bare, {
      atMost: 2,
    }),
    row('  of the service', 'µs', ({ ours }) => ours),
    row('  of bare ws', 'µs', ({ bare }) => bare),
    row('  lines that each follower got', '%', ({ share }) => 100 * share),
  ]
}

/** A service whose journal moves. */
const device = (lab: Lab, name: string) => {
  const bin = join(lab.folder, `${name}-bin`)
  mkdirSync(bin)
  writeFileSync(join(bin, 'journalctl'), `#!/bin/sh\nexec ${process.execPath} ${JOURNAL} "$@"\n`)
  chmodSync(join(bin, 'journalctl'), 0o755)
  const PATH = `${bin}:${dirname(process.execPath)}:${process.env.PATH}`
  return startDaemon(lab, { dataDir: join(lab.folder, name), nt4: 'off', env: { PATH } })
}

const follow = async (lab: Lab, url: string) => {
  let lines = 0
  const sockets = Array.from({ length: FOLLOWERS }, () => new WebSocket(url, { perMessageDeflate: false }))
  for (const socket of sockets) {
    // each line has one cursor; to read them whole would cost what is measured elsewhere
    socket.on('message', (data: Buffer) => {
      for (let at = data.indexOf('"cursor"'); at >= 0; at = data.indexOf('"cursor"', at + 8)) lines += 1
    })
    lab.defer(() => socket.terminate())
  }
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('open', resolve))))
  const end = async () => {
    const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
    for (const socket of sockets) socket.close()
    await Promise.all(closed)
  }
  return { lines: () => lines, end }
}
