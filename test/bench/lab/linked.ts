// A daemon with links to other devices.
import { setTimeout as delay } from 'node:timers/promises'
import { type Daemon, getJson } from './daemon.ts'

const LIMIT_MS = 60_000
const LOOK_MS = 100

/** Registers devices and waits until there is a link to each; returns their ids there. */
export const linkTo = async ({ url }: Pick<Daemon, 'url'>, origins: readonly string[]): Promise<readonly string[]> => {
  for (const base_url of origins) {
    const body = JSON.stringify({ base_url })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${url}/v1/peers`, { method: 'POST', headers, body })
    if (!response.ok) throw new Error(`the peer at ${base_url} is refused: ${await response.text()}`)
  }
  for (const endMs = performance.now() + LIMIT_MS; ; await delay(LOOK_MS)) {
    const items = await linksOf(url)
    const away = items.filter(({ status }) => status !== 'linked')
    if (items.length === origins.length && away.length === 0) return items.map(({ id }) => id)
    if (performance.now() > endMs) throw new Error(`there is no link to ${JSON.stringify(away)}`)
  }
}

/** How each link of a daemon is. */
export const statesOfLinks = async ({ url }: Pick<Daemon, 'url'>): Promise<readonly string[]> =>
  (await linksOf(url)).map(({ status }) => status)

const linksOf = async (url: string) =>
  (await getJson<{ items: { id: string; status: string }[] }>(`${url}/v1/peers?limit=100`)).items
