// NT4: the link to the robot, and what is on its server.
import { LinkCard } from './link.tsx'
import { SettingsCard } from './settings.tsx'
import { TopicsCard } from './topics.tsx'

const Nt4Page = () => (
  <>
    <div className="page-head">
      <h1>NT4</h1>
      <span className="hint">the link to the robot</span>
    </div>
    <div className="nt4">
      <LinkCard />
      <SettingsCard />
    </div>
    <TopicsCard />
  </>
)

export default Nt4Page
