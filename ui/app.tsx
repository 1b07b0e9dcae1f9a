// Where the page begins.
import { createRoot } from 'react-dom/client'
import { connectFeed } from './api/feed.ts'
import { Boundary } from './shell/fault.tsx'
import { Shell } from './shell/shell.tsx'
import { watchForFaults } from './state/page-fault.ts'
import './state/preferences.ts' // the look that was chosen, before anything is drawn

watchForFaults()
connectFeed()
createRoot(document.getElementById('page') as HTMLElement).render(
  <Boundary>
    <Shell />
  </Boundary>,
)
