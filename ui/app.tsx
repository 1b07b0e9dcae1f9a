// Where the page begins.
import { createRoot } from 'react-dom/client'
import { connectFeed } from './api/feed.ts'
import { isOfRoom, ROOMS } from './rooms.ts'
import { Boundary } from './shell/fault.tsx'
import { Shell } from './shell/shell.tsx'
import { errors, hostname, nt4, session } from './state/device.ts'
import { watchForFaults } from './state/page-fault.ts'
import { streams } from './state/streams.ts'
import './state/preferences.ts' // the look that was chosen, before anything is drawn

watchForFaults()
connectFeed()
// What the first view shows is on its way while the view is made.
for (const { want } of [streams, session, nt4, hostname, errors]) want()
void ROOMS.find((room) => isOfRoom(room, location.pathname))?.load()
createRoot(document.getElementById('page') as HTMLElement).render(
  <Boundary>
    <Shell />
  </Boundary>,
)
