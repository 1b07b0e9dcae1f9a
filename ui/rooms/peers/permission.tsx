// What stands in place of what only administrators see.
import { Button, Card, Empty } from '../../parts/parts.tsx'
import { askForToken } from '../../state/sign-in.ts'

/** In place of pairing and of the trust list. */
export const AdministratorsOnly = () => (
  <Card title="Pairing and trust">
    <Empty
      action={
        <Button kind="main" onClick={askForToken}>
          Sign in
        </Button>
      }
    >
      Who pairs devices, or says which ones are trusted, signs in with the token of this device first.
    </Empty>
  </Card>
)
