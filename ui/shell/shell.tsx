// The frame around every room: where one can go, whose device this is, and what is wrong with it as a whole.
import { useSelector } from '@xstate/store-react'
import { Menu, RefreshCw, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, Route, Switch, useLocation } from 'wouter'
import { link } from '../api/feed.ts'
import { loadLater } from '../parts/later.tsx'
import { Age, Alert, Button, Dialog, Empty } from '../parts/parts.tsx'
import { FOOT, isOfRoom, loadRoom, pageOf, ROOMS, type Room } from '../rooms.ts'
import { errors, hostname, nt4, session } from '../state/device.ts'
import { useKnown, useKnownOf } from '../state/live.ts'
import { pageVersion } from '../state/page-version.ts'
import { isRemote, shownOnce, streams } from '../state/streams.ts'
import { Fault } from './fault.tsx'
import { SignIn } from './sign-in.tsx'
import { Strip } from './strip.tsx'

const GROUPS = ['See', 'Set up', 'Connect', 'Device'] as const

const addressOf = ({ path }: Room): string => `/${path}`

/** How many things a room has that one should know of; undefined: nothing to count. */
const useCount = (path: string): { readonly count: number; readonly tone: 'quiet' | 'bad' } | undefined => {
  const all = useKnownOf(streams, ({ value }) => shownOnce(value ?? []).length)
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
  const isPrevious = useSelector(pageVersion, ({ context }) => context.isPrevious)
  if (state !== 'away' || isPrevious) return null // another version may answer, and not this page
  return (
    <Alert tone="busy" icon={<TriangleAlert size={20} aria-hidden />}>
      <strong>This device does not answer</strong>, for <Age sinceMs={sinceMs} />. What stands below is what it said
      last. The page tries again by itself. If it goes on, see that the device has power and that this computer is in
      its network.
    </Alert>
  )
}

/** Says that the service is another one by now, whose page is another one. */
const PreviousPageAlert = () => {
  const isPrevious = useSelector(pageVersion, ({ context }) => context.isPrevious)
  if (!isPrevious) return null
  return (
    <Alert
      tone="busy"
      icon={<RefreshCw size={20} aria-hidden />}
      action={<Button onClick={() => location.reload()}>Load the new page</Button>}
    >
      <strong>This device runs another version now</strong>, with another page. What is open here is the page of the
      previous version, and may not fit any more. Finish what you are typing, then load the new one.
    </Alert>
  )
}

const NoRoom = () => (
  <Empty action={<Link href="/">Go to the overview</Link>}>There is no such page on this device.</Empty>
)

const LATER = new Map(
  ROOMS.map((room) => [
    room,
    loadLater({
      name: `The page ${room.name}`,
      load: () => loadRoom(room),
      waiting: <p className="hint">Loading</p>,
      mayReload: true,
    }),
  ]),
)

/** A room, which is loaded when it is opened; that of the first view is there already. */
const OpenRoom = ({ room }: { readonly room: Room }) => {
  const [Page] = useState(() => pageOf(room) ?? LATER.get(room))
  return Page && <Page />
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
        <PreviousPageAlert />
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
