// A process that keeps a lamp lit for a minute, as a service would: lit-holder.ts ROOT DATA.
import { frameIn, lightsOf, ONE, STRIP } from './lamp-tree.ts'

const [root = '', dataDir = ''] = process.argv.slice(2)
const held = await lightsOf(root, dataDir).open([ONE, STRIP], { ended: ({ detail }) => console.log(detail) })
if (!('play' in held)) throw new Error(held.detail)
held.play([frameIn(0, 255, 1, 2, 3, 4, 5, 6, 7, 8, 9)], 60_000)
console.log('lit')
setInterval(() => {}, 60_000)
