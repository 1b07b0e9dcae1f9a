// Where the page begins.
import { createRoot } from 'react-dom/client'
import { connectFeed } from './api/feed.ts'
import { Boundary, watchForFaults } from './shell/fault.tsx'
import { Shell } from './shell/shell.tsx'

watchForFaults()
connectFeed()
createRoot(document.getElementById('page') as HTMLElement).render(
  <Boundary>
    <Shell />
  </Boundary>,
)
