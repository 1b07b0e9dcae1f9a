// The frame around every room: where one can go, whose device this is, and what is wrong with it as a whole.
import { useSelector } from '@xstate/store-react'
import { Menu, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, Route, Switch, useLocation } from 'wouter'
import { link } from '../api/feed.ts'
import { Age, Alert, Dialog, Empty } from '../parts/parts.tsx'
import { FOOT, isOfRoom, loadRoom, pageOf, ROOMS, type Room } from '../rooms.ts'
import { errors, hostname, nt4, session } from '../state/device.ts'
import { useKnown, useKnownOf } from '../state/live.ts'
import { isRemote, streams } from '../state/streams.ts'
import { Fault } from './fault.tsx'
import { SignIn } from './sign-in.tsx'
import { Strip } from './strip.tsx'

const GROUPS = ['See', 'Set up', 'Connect', 'Device'] as const

const addressOf = ({ path }: Room): string => `/${path}`

/** How many things a room has that one should know of; undefined: nothing to count. */
const useCount = (path: string): { readonly count: number; readonly tone: 'quiet' | 'bad' } | undefined => {
  const all = useKnownOf(streams, ({ value }) => value?.length ?? 0)
  const wrong = useKnownOf(errors, ({ value }) => value?.length ?? 0)
  if (path === 'streams' && all > 0) return { count: all, tone: 'quiet' }
  return path === 'errors' && wrong > 0 ? { count: wrong, tone: 'bad' } : undefined
}

const RoomLink = ({ room, onGo }: { readonly room: Room; readonly onGo?: () => void }) => {
  const [location] = useLocation()
  const count = useCount(room.path)
  return (
    <Link
      className="room"
      href={addressOf(room)}
      aria-current={isOfRoom(room, location) ? 'page' : undefined}
      {...(onGo && { onClick: onGo })}
    >
      <room.icon size={18} aria-hidden />
      {room.name}
      {count && (
        <span className="count" data-tone={count.tone}>
          {count.count}
        </span>
      )}
    </Link>
  )
}

const Rail = () => (
  <nav className="rail" aria-label="Rooms">
    <Link className="brand" href="/">
      <img src="/icon.svg" alt="" width={28} height={28} />
      Vedette
    </Link>
    {GROUPS.map((group) => {
      const rooms = ROOMS.filter((room) => room.group === group)
      return (
        rooms.length > 0 && (
          <div key={group}>
            <h2>{group}</h2>
            {rooms.map((room) => (
              <RoomLink key={room.path} room={room} />
            ))}
          </div>
        )
      )
    })}
  </nav>
)

const Foot = () => {
  const [isMore, setMore] = useState(false)
  return (
    <nav className="foot" aria-label="Rooms, at the foot">
      {FOOT.map((path) => ROOMS.find((room) => room.path === path)).map(
        (room) => room && <RoomLink key={room.path} room={room} />,
      )}
      <button type="button" onClick={() => setMore(true)}>
        <Menu size={18} aria-hidden />
        More
      </button>
      {isMore && (
        <Dialog title="Rooms" onClose={() => setMore(false)}>
          <div className="more">
            {ROOMS.filter(({ path }) => !FOOT.includes(path)).map((room) => (
              <RoomLink key={room.path} room={room} onGo={() => setMore(false)} />
            ))}
          </div>
        </Dialog>
      )}
    </nav>
  )
}

/** The link to the robot in a few words. */
const RobotLink = () => {
  const { value } = useKnown(nt4)
  if (!value) return null
  const { state, round_trip_us, address } = value.status
  const isLinked = state === 'connected'
  const trip = round_trip_us === null ? '' : `, ${(round_trip_us / 1000).toFixed(1)} ms`
  const words = {
    connected: `robot linked${trip}`,
    off: 'robot: off',
    parked: 'robot: no team number',
    'awaiting-server': 'robot: waiting',
    dialling: `robot: dialling ${address ?? ''}`,
    restarting: 'robot: restarting',
    failed: 'robot: failed',
  }[state]
  const tone = isLinked ? 'good' : state === 'failed' ? 'bad' : ['off', 'parked'].includes(state) ? 'quiet' : 'busy'
  const hasRoom = ROOMS.some(({ path }) => path === 'nt4')
  const pill = (
    <span className="pill" data-tone={tone} title={state}>
      {words}
    </span>
  )
  return hasRoom ? <Link href="/nt4">{pill}</Link> : pill
}

const Bar = () => {
  const name = useKnownOf(hostname, ({ value }) => value?.hostname)
  const team = useKnownOf(nt4, ({ value }) => value?.spec.team)
  const live = useKnownOf(streams, ({ value }) => {
    const own = value?.filter((stream) => !isRemote(stream)) ?? []
    return value && `${own.filter(({ status }) => status.state === 'live').length} of ${own.length} live`
  })
  useEffect(() => {
    document.title = name ? `${name}: Vedette` : 'Vedette'
  }, [name])
  return (
    <header className="bar">
      <span className="device">{name ?? 'Vedette'}</span>
      {typeof team === 'number' && <span className="team">team {team}</span>}
      <div className="right">
        {live && <span className="only-wide">{live}</span>}
        <RobotLink />
      </div>
    </header>
  )
}

/** Says that what stands on the page may be old. */
const AwayAlert = () => {
  const { state, sinceMs } = useSelector(link, ({ context }) => context)
  if (state !== 'away') return null
  return (
    <Alert tone="busy" icon={<TriangleAlert size={20} aria-hidden />}>
      <strong>This device does not answer</strong>, for <Age sinceMs={sinceMs} />. What stands below is what it said
      last. The page tries again by itself. If it goes on, see that the device has power and that this computer is in
      its network.
    </Alert>
  )
}

const NoRoom = () => (
  <Empty action={<Link href="/">Go to the overview</Link>}>There is no such page on this device.</Empty>
)

/**
 * A room, which is loaded when it is opened. React's own way to wait for that shows what has come no sooner than 300 ms
 * after it has shown that it waits.
 */
const OpenRoom = ({ room }: { readonly room: Room }) => {
  const [failed, setFailed] = useState<{ readonly error: unknown }>()
  const [Page, setPage] = useState(() => pageOf(room))
  useEffect(() => {
    if (Page) return
    loadRoom(room).then(
      () => setPage(() => pageOf(room)),
      (error: unknown) => setFailed({ error }),
    )
  }, [room, Page])
  if (failed) throw failed.error
  return Page ? <Page /> : <p className="hint">Loading</p>
}

/** The whole page. */
export const Shell = () => {
  const isAway = useSelector(link, ({ context }) => context.state === 'away')
  const mayRead = useKnownOf(session, ({ value }) => value === undefined || value.may.includes('read'))
  return (
    <div className="shell">
      <Rail />
      <Bar />
      <main className="main">
        {mayRead && <AwayAlert />}
        <Fault />
        <div className={isAway ? 'stack is-old' : 'stack'}>
          {mayRead && (
            <Switch>
              {ROOMS.map((room) => (
                <Route key={room.name} path={room.path === '' ? '/' : `/${room.path}/*?`}>
                  <OpenRoom room={room} />
                </Route>
              ))}
              <Route component={NoRoom} />
            </Switch>
          )}
        </div>
      </main>
      <Foot />
      <SignIn />
      <Strip />
    </div>
  )
}
