// The room of calibration: which ones there are, what is to be thought of one, and how a new one is made.
import { Route, Switch } from 'wouter'
import { CapturePage } from './capture.tsx'
import { JobPage } from './job.tsx'
import { CalibrationList } from './list.tsx'
import { CalibrationPage } from './one.tsx'
import { StartPage } from './start.tsx'

const Calibration = () => (
  <Switch>
    <Route path="/calibration" component={CalibrationList} />
    <Route path="/calibration/new" component={StartPage} />
    <Route path="/calibration/captures/:id">{({ id }) => <CapturePage id={decodeURIComponent(id)} />}</Route>
    <Route path="/calibration/jobs/:id">{({ id }) => <JobPage id={decodeURIComponent(id)} />}</Route>
    <Route path="/calibration/:id">{({ id }) => <CalibrationPage id={decodeURIComponent(id)} />}</Route>
  </Switch>
)

export default Calibration
