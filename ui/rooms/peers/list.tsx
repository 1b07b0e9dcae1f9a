// All other devices.
import { Alert, ProblemNote } from '../../parts/parts.tsx'
import { session } from '../../state/device.ts'
import { useForgotten } from '../../state/forgotten.ts'
import { useKnownOf } from '../../state/live.ts'
import { forgottenPeers } from '../../state/peers-forgotten.ts'
import { FoundCard } from './found.tsx'
import { KnownCard } from './known.tsx'
import { PairingCard } from './pairing.tsx'
import { AdministratorsOnly } from './permission.tsx'
import { TrustedCard } from './trusted.tsx'

/** Whether who asks may say whom this device trusts; undefined: not known yet. */
const useMayAdminister = (): boolean | undefined =>
  useKnownOf(session, ({ value }) => value?.may.includes('administer'))

/** The page. */
export const ListPage = () => {
  const mayAdminister = useMayAdminister()
  const { problem } = useForgotten(forgottenPeers)
  return (
    <>
      <div className="page-head">
        <h1>Peers</h1>
        <span className="hint">other devices that this one works with</span>
      </div>
      {problem && (
        <Alert tone="bad">
          <ProblemNote title="It was not forgotten." problem={problem} />
        </Alert>
      )}
      <div className="peers">
        <div className="stack">
          <KnownCard />
          <FoundCard />
        </div>
        <div className="stack">
          {mayAdminister === true && (
            <>
              <PairingCard />
              <TrustedCard />
            </>
          )}
          {mayAdminister === false && <AdministratorsOnly />}
        </div>
      </div>
    </>
  )
}
