// A part of the page that is loaded when it is first shown. Where that fails, it says so in its own place, and the rest
// of the page stays as it is.
import { useSelector } from '@xstate/store-react'
import { Component, type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react'
import { link } from '../api/feed.ts'
import { complain } from '../state/page-fault.ts'
import { isPagePrevious } from '../state/page-version.ts'
import { Button, Empty } from './parts.tsx'

/** How a part is loaded. */
export interface LaterOptions<Props> {
  /** What it is, at the beginning of a sentence: `The view`. */
  readonly name: string
  readonly load: () => Promise<{ readonly default: ComponentType<Props> }>
  /** In its place until it is there. */
  readonly waiting: ReactNode
  /**
   * Whether nothing is lost when the page is loaded again in order to show it: then that is done where the device
   * serves another page by now.
   */
  readonly mayReload?: boolean
}

class NotLoaded extends Error {}

const reload = (): void => location.reload()

interface MissingProps {
  readonly name: string
  readonly mayReload: boolean
  readonly onTryAgain: () => void
}

/** In place of a part that could not be loaded. It is tried again when the device is there again. */
const Missing = ({ name, mayReload, onTryAgain }: MissingProps) => {
  const isAway = useSelector(link, ({ context }) => context.state === 'away')
  const wasAway = useRef(isAway)
  useEffect(() => {
    if (wasAway.current && !isAway) onTryAgain()
    wasAway.current = isAway
  }, [isAway, onTryAgain])
  useEffect(() => {
    if (mayReload) void isPagePrevious().then((isPrevious) => isPrevious && reload())
  }, [mayReload])
  return (
    <Empty action={<Button onClick={reload}>Load the page again</Button>}>
      {name} could not be loaded.{isAway && ' It is tried again as soon as the device answers.'}
    </Empty>
  )
}

interface GuardProps {
  readonly name: string
  readonly mayReload: boolean
  /** Has it loaded again the next time that it is drawn. */
  readonly renew: () => void
  readonly children: () => ReactNode
}

class Guard extends Component<GuardProps, { readonly failure: Error | undefined }> {
  override state = { failure: undefined as Error | undefined }

  static getDerivedStateFromError = (error: unknown) => ({
    failure: error instanceof Error ? error : new Error(String(error)),
  })

  override componentDidCatch(error: unknown): void {
    if (!(error instanceof NotLoaded)) complain(error)
  }

  tryAgain = (): void => {
    this.props.renew()
    this.setState({ failure: undefined })
  }

  override render(): ReactNode {
    const { name, mayReload, children } = this.props
    const { failure } = this.state
    if (!failure) return children()
    if (failure instanceof NotLoaded) return <Missing name={name} mayReload={mayReload} onTryAgain={this.tryAgain} />
    return <Empty action={<Button onClick={reload}>Load the page again</Button>}>{name} has failed.</Empty>
  }
}

interface ArrivingProps<Props> {
  readonly begin: () => Promise<ComponentType<Props>>
  readonly waiting: ReactNode
  readonly children: (part: ComponentType<Props>) => ReactNode
}

/** React's own way to wait shows what has come no sooner than 300 ms after it has shown that it waits. */
const Arriving = <Props extends object>({ begin, waiting, children }: ArrivingProps<Props>): ReactNode => {
  const [part, setPart] = useState<ComponentType<Props>>()
  const [failure, setFailure] = useState<NotLoaded>()
  useEffect(() => {
    begin().then(
      (loaded) => setPart(() => loaded),
      (error: Error) => setFailure(new NotLoaded(error.message)),
    )
  }, [begin])
  if (failure) throw failure
  return part ? children(part) : waiting
}

/** Makes the component. It is loaded once, however often it is shown. */
export const loadLater = <Props extends object>({
  name,
  load,
  waiting,
  mayReload = false,
}: LaterOptions<Props>): ComponentType<Props> => {
  let loading: Promise<ComponentType<Props>> | undefined
  const begin = () => {
    loading ??= load().then((part) => part.default)
    return loading
  }
  const renew = () => {
    loading = undefined
  }
  return (props) => (
    <Guard name={name} mayReload={mayReload} renew={renew}>
      {() => (
        <Arriving begin={begin} waiting={waiting}>
          {(Part) => <Part {...props} />}
        </Arriving>
      )}
    </Guard>
  )
}
