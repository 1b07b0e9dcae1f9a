// A change of the settings of the IMU, written from the revision that it was made from.
import { useState } from 'react'
import { type Imu, type ImuChange, writeImu } from '../../state/imu.ts'
import { isOfDevice } from '../../state/localization-config.ts'
import { useWrite } from '../../state/write.ts'

/** change: writes it at once. note: what a `WriteNote` is given. */
export const useChange = ({ revision }: Imu) => {
  const { state, write, clear } = useWrite({ heeds: isOfDevice })
  const [mine, setMine] = useState<ImuChange>()
  const [applied, setApplied] = useState(0) // the answer to a change may come before the settings are read again
  const change = async (to: ImuChange, expected: number | null = Math.max(revision, applied)) => {
    setMine(to)
    const answer = await write(() => writeImu(to, expected))
    if (answer.ok) setApplied(answer.value.revision)
  }
  return {
    change: (to: ImuChange) => void change(to),
    note: { state, onTakeTheirs: clear, onSetMine: () => void (mine && change(mine, null)) },
  }
}
