// Where the page begins.
import { createRoot } from 'react-dom/client'
import { connectFeed } from './api/feed.ts'
import { isOfRoom, loadRoom, ROOMS } from './rooms.ts'
import { Boundary } from './shell/fault.tsx'
import { Shell } from './shell/shell.tsx'
import { errors, hostname, nt4, session } from './state/device.ts'
import { watchForFaults } from './state/page-fault.ts'
import { streams } from './state/streams.ts'
import './state/preferences.ts' // the look that was chosen, before anything is drawn

watchForFaults()
connectFeed()
const MAX_WAIT_MS = 250

// What the first view shows is on its way while the page is made.
const areStreamsKnown = new Promise<void>((resolve) => streams.store.subscribe(() => resolve()))
for (const { want } of [streams, session, nt4, hostname, errors]) want()
const room = ROOMS.find((each) => isOfRoom(each, location.pathname))
const isRoomLoaded = room && loadRoom(room).catch(() => {}) // it is loaded again when it is opened, which says so

const draw = (): void =>
  createRoot(document.getElementById('page') as HTMLElement).render(
    <Boundary>
      <Shell />
    </Boundary>,
  )
// Once with all of it is less work than piece by piece; but something has to stand there soon.
const isLate = new Promise<void>((resolve) => setTimeout(resolve, MAX_WAIT_MS))
void Promise.race([Promise.all([areStreamsKnown, isRoomLoaded]), isLate]).then(draw)
