// Nothing on this page fails in silence: what breaks in it is told here, and what is shown may be old from then on.
import { useSelector } from '@xstate/store-react'
import { Bug } from 'lucide-react'
import { Component, type ReactNode } from 'react'
import { Alert, Button } from '../parts/parts.tsx'
import { complain, pageFault } from '../state/page-fault.ts'

/** Where it is told. */
export const Fault = () => {
  const message = useSelector(pageFault, ({ context }) => context.message)
  if (message === undefined) return null
  return (
    <Alert
      tone="bad"
      icon={<Bug size={20} aria-hidden />}
      action={<Button onClick={() => location.reload()}>Load again</Button>}
    >
      <strong>A part of this page has failed</strong>, and what it shows may be old. ({message})
    </Alert>
  )
}

/** In place of a page that is broken as a whole. */
export class Boundary extends Component<{ readonly children: ReactNode }, { readonly isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError = () => ({ isBroken: true })

  override componentDidCatch(error: unknown): void {
    complain(error)
  }

  override render(): ReactNode {
    return this.state.isBroken ? <Fault /> : this.props.children
  }
}
