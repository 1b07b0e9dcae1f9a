// That a robot program has set something on its camera which stands in no settings.
import { Bot } from 'lucide-react'
import { Link } from 'wouter'
import { Alert } from '../../parts/parts.tsx'
import { type Stream, useFigures } from '../../state/streams.ts'
import { robotWords } from './robot-words.ts'

/** Nothing, where all is as the settings say. */
export const RobotNote = ({ stream }: { readonly stream: Stream }) => {
  const figures = useFigures(stream.id)
  const set = figures ? figures.robot : stream.status.robot
  if (!set) return null
  return (
    <Alert tone="busy" icon={<Bot size={18} aria-hidden />}>
      The robot has set: {robotWords(set).join('; ')}. That stands in no settings, and holds until the robot takes it
      back or this device starts again. <Link href="/nt4?show=read">What is written to this device</Link>
    </Alert>
  )
}
