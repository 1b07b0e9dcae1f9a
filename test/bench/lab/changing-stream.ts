// A stream that is changed over HTTP, as fast as is asked and as well as the service answers: each change is stored and
// told of by one event.
import { Agent, request } from 'node:http'
import { atRate } from './at-rate.ts'
import type { Daemon } from './daemon.ts'

const MAX_AT_ONCE = 16
const SIZE = { width_px: 640, height_px: 480 }
const PLACES = 100

/** One that is there. */
export class ChangingStream {
  readonly #url: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: MAX_AT_ONCE })
  #n = 0

  constructor({ url }: Pick<Daemon, 'url'>, id: string) {
    this.#url = `${url}/v1/streams/${id}/crop`
  }

  /**
   * Crops it elsewhere so many times, `rate` in a second whether or not those before have been answered. Resolves, when
   * all are, to how many there were; fails when one was refused.
   */
  async change(times: { readonly rate: number; readonly count: number }): Promise<number> {
    const all: Promise<void>[] = []
    await atRate(times, () => all.push(this.#crop()))
    await Promise.all(all)
    return all.length
  }

  end(): void {
    this.#agent.destroy()
  }

  #crop(): Promise<void> {
    this.#n += 1
    const body = JSON.stringify({ ...SIZE, x_px: 1 + (this.#n % PLACES), y_px: 0 })
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    return new Promise((resolve, reject) => {
      const asked = request(this.#url, { method: 'POST', headers, agent: this.#agent }, (response) => {
        let text = ''
        response.on('data', (piece) => {
          text += piece
        })
        response.on('end', () => {
          if (response.statusCode === 200) resolve()
          else reject(new Error(`the stream is not changed: ${text}`))
        })
      })
      asked.on('error', reject)
      asked.end(body)
    })
  }
}
