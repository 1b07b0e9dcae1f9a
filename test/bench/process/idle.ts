// What the control process needs while no stream is there, against a bare process of Node that wakes up four times a
// second.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Daemon, startDaemon } from '../lab/daemon.ts'
import { type Helper, type Measurement, start } from '../lab/lab.ts'
import { threadCpuUs } from '../lab/processes.ts'
import { type Row, spread } from '../lab/row.ts'

const ROUNDS = 8
const ROUND_MS = 5_000
const SETTLE_MS = 5_000

const ROBOT = new URL('../nt4/robot.ts', import.meta.url).pathname
const TICKING = new URL('ticking.ts', import.meta.url).pathname

export const idle: Measurement = async (lab) => {
  const robot = start(lab, process.execPath, [ROBOT])
  const daemons: readonly (readonly [what: string, daemon: Daemon])[] = [
    [
      'linked to a robot',
      await startDaemon(lab, { dataDir: join(lab.folder, 'robot'), nt4: `127.0.0.1:${await robot.line()}` }),
    ],
    ['its own NT4 server, and linked to that', await startDaemon(lab, { dataDir: join(lab.folder, 'serve') })],
    ['without NT4', await startDaemon(lab, { dataDir: join(lab.folder, 'off'), nt4: 'off' })],
  ]
  const bare = start(lab, process.execPath, [TICKING])
  await delay(SETTLE_MS)
  const processes: readonly Pick<Helper, 'pid'>[] = [bare, ...daemons.map(([, daemon]) => daemon)]
  const rounds: number[][] = []
  while (rounds.length < ROUNDS) {
    const before = processes.map(({ pid }) => threadCpuUs(pid))
    await delay(ROUND_MS)
    rounds.push(processes.map(({ pid }, n) => (threadCpuUs(pid) - (before[n] as number)) / ROUND_MS))
    lab.say(
      `${rounds
        .at(-1)
        ?.map((ms) => ms.toFixed(2))
        .join(', ')} ms per second`,
    )
  }
  const from = `${ROUNDS} rounds of ${ROUND_MS / 1000} s`
  const ms = (n: number) => rounds.map((round) => round[n] as number)
  const against = ([what]: (typeof daemons)[number], n: number): Row[] => [
    {
      what: `main-thread CPU without a stream, ${what}, against a bare process with one 250 ms timer`,
      unit: '',
      ...(n === 0 && { figure: { atMost: 3 } }),
      ...spread(rounds.map((round) => (round[n + 1] as number) / (round[0] as number))),
      from,
    },
    { what: '  per second', unit: 'ms', ...spread(ms(n + 1)), from },
  ]
  return [...daemons.flatMap(against), { what: '  the bare process, per second', unit: 'ms', ...spread(ms(0)), from }]
}
