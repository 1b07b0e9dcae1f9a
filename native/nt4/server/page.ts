// The small page a browser gets from the NT4 port.
import type { Hub } from './hub.ts'

/** Who is connected and which topics there are, as HTML. */
export const page = (hub: Hub): string => {
  const clients = [...hub.clients].map(
    ({ name, address }) => `<li>${escaped(name)} <small>${escaped(address)}</small></li>`,
  )
  const topics = [...hub.topics.all()]
    .filter(({ about }) => !about)
    .map(({ name, type, publishers }) => `<tr><td>${escaped(name)}<td>${escaped(type)}<td>${publishers.size}</tr>`)
  return `<!doctype html><meta charset="utf-8"><title>Vedette NT4 server</title>
<style>body{font:15px system-ui;margin:2rem}td,th{text-align:left;padding:0 1rem 0 0}</style>
<h1>Vedette NT4 server</h1>
<p>A NetworkTables 4 server for the bench. Values travel over WebSockets on this port; the saved topics are in
<a href="/nt/persistent.json">persistent.json</a>.</p>
<h2>${clients.length} clients</h2><ul>${clients.join('')}</ul>
<h2>${topics.length} topics</h2><table><tr><th>name<th>type<th>publishers</tr>${topics.join('')}</table>
`
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
