// A console session against a bare pipe of node-pty and `ws`, turn about: 50 MB of output, and single keys that come
// back. And what a client that stops reading costs the service.
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import WebSocket from 'ws'
import { startDaemon } from '../lab/daemon.ts'
import { type Lab, type Measurement, start } from '../lab/lab.ts'
import { rssMb } from '../lab/processes.ts'
import { quantile, rowsOver, worst } from '../lab/row.ts'

const OUTPUT_BYTES = 50_000_000
const ROUNDS = 7
const KEYS = 1_000
const STALLED_MS = 3_000
const BARE = new URL('bare-pty.ts', import.meta.url).pathname
const OUTPUT = `yes 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcd | head -c ${OUTPUT_BYTES}`

interface Turn {
  /** Of 50 MB, MB/s. */
  readonly ours: number
  readonly bare: number
  /** Of a key and its echo, ms: 99 of 100 are below. */
  readonly oursKeyMs: number
  readonly bareKeyMs: number
  /** That the service takes while a client reads nothing of 50 MB, MB. */
  readonly stalledMb: number
}

export const consoleSession: Measurement = async (lab) => {
  const daemon = await startDaemon(lab, { dataDir: lab.folder, nt4: 'off' })
  const bare = start(lab, process.execPath, [BARE])
  const bareUrl = `ws://127.0.0.1:${await bare.line()}/`
  const turns: Turn[] = []
  for (let round = -1; round < ROUNDS; round++) {
    const made = (await (
      await fetch(`${daemon.url}/v1/console/sessions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      })
    ).json()) as { session_id: string }
    const session = `${daemon.url}/v1/console/sessions/${made.session_id}`
    const ours = await Shell.open(lab, `${session.replace('http', 'ws')}/stream`)
    const other = await Shell.open(lab, bareUrl)
    const rates = [await ours.rate(), await other.rate()] as const
    const keys = [await ours.keyMs(), await other.keyMs()] as const
    const before = rssMb(daemon.pid)
    ours.stall()
    await delay(STALLED_MS)
    const stalledMb = rssMb(daemon.pid) - before
    other.close()
    ours.close()
    await fetch(session, { method: 'DELETE' })
    const turn = { ours: rates[0], bare: rates[1], oursKeyMs: keys[0], bareKeyMs: keys[1], stalledMb }
    lab.say(
      Object.values(turn)
        .map((each) => each.toFixed(2))
        .join(', '),
    )
    if (round >= 0) turns.push(turn)
  }
  const row = rowsOver(turns, `${ROUNDS} rounds`)
  return [
    row(
      '50 MB of output through a console session, against a bare pty to ws: rate',
      'times',
      (turn) => turn.ours / turn.bare,
      {
        atLeast: 0.5,
      },
    ),
    row('  of the session', 'MB/s', ({ ours }) => ours),
    row('  of the bare pipe', 'MB/s', ({ bare }) => bare),
    row('a key and its echo, p99, above the bare pipe', 'ms', (turn) => turn.oursKeyMs - turn.bareKeyMs, { atMost: 5 }),
    row('  of the session', 'ms', ({ oursKeyMs }) => oursKeyMs),
    row('  of the bare pipe', 'ms', ({ bareKeyMs }) => bareKeyMs),
    worst(
      row(
        'a client that stops reading 50 MB: what the service takes more, worst round',
        'MB',
        (turn) => turn.stalledMb,
        {
          atMost: 2,
        },
      ),
    ),
  ]
}

/** A shell at the other end of a WebSocket. */
class Shell {
  readonly #socket: WebSocket
  #tail = ''

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.#tail = (this.#tail + data.subarray(-100).toString('latin1')).slice(-200)
    })
  }

  static async open(lab: Lab, url: string): Promise<Shell> {
    const socket = new WebSocket(url, { perMessageDeflate: false })
    lab.defer(() => socket.terminate())
    const shell = new Shell(socket)
    await once(socket, 'open')
    await shell.#run('exec env -i TERM=xterm PATH=/usr/bin:/bin PS1="" bash --norc --noprofile --noediting')
    await shell.#run('stty -echo -onlcr')
    return shell
  }

  /** MB/s, until the last byte is here. */
  async rate(): Promise<number> {
    const startedMs = performance.now()
    await this.#run(OUTPUT)
    return OUTPUT_BYTES / 1e3 / (performance.now() - startedMs)
  }

  /** How long 99 of 100 keys take to come back. */
  async keyMs(): Promise<number> {
    await this.#run('stty echo')
    const times: number[] = []
    for (let key = 0; key < KEYS; key++) {
      const echoed = once(this.#socket, 'message')
      const startedMs = performance.now()
      this.#socket.send(Buffer.from('k'))
      await echoed
      times.push(performance.now() - startedMs)
    }
    this.#socket.send(Buffer.from('\u0003'))
    await this.#run('stty -echo')
    return quantile(times, 0.99)
  }

  /** Has 50 MB written, and reads nothing more. */
  stall(): void {
    this.#socket.send(Buffer.from(`${OUTPUT}\n`))
    this.#socket.pause()
  }

  close(): void {
    this.#socket.terminate()
  }

  /** Runs a command to its end. */
  async #run(command: string): Promise<void> {
    this.#tail = ''
    this.#socket.send(Buffer.from(`${command}\n`))
    this.#socket.send(Buffer.from("echo en''ded\n"))
    while (!this.#tail.includes('ended')) await once(this.#socket, 'message')
  }
}
