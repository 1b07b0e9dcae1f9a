// Where the package of a plugin is dropped or chosen.
import { FilesButton } from '../../parts/file-choice.tsx'
import { Button, Card, ProblemNote } from '../../parts/parts.tsx'
import { useFileDrop } from '../../parts/use-file-drop.ts'
import { sizeOf } from '../../words.ts'
import { sendPackage, stopSending, useSentPackage } from './send-package.ts'

export const UploadCard = () => {
  const { state, fileName, sentBytes, sizeBytes, problem } = useSentPackage()
  const isOnItsWay = state === 'sending' || state === 'checking'
  const take = ([file]: readonly File[]) => file && sendPackage(file)
  const drop = useFileDrop(take, !isOnItsWay)
  return (
    <Card title="Add a plugin">
      <div className="card-body stack plugins-drop" {...drop}>
        <p>
          Drop the <code>.zip</code> of a plugin here, or choose it. The device looks through it and shows what it
          wants; nothing of it runs before you install it.
        </p>
        {isOnItsWay ? (
          <div className="row" role="status">
            <div className="grow">
              {state === 'sending'
                ? `Sending ${fileName}: ${sizeOf(sentBytes)} of ${sizeOf(sizeBytes)}`
                : `Checking ${fileName}`}
              <progress aria-label={`${fileName} is sent`} max={sizeBytes || 1} value={sentBytes} />
            </div>
            <Button onClick={stopSending}>Stop</Button>
          </div>
        ) : (
          <div className="row">
            <FilesButton name="Package of a plugin" accept=".zip,application/zip" kind="main" onChoose={take}>
              Choose a package
            </FilesButton>
          </div>
        )}
        {problem && <ProblemNote title={`${fileName} was not taken.`} problem={problem} />}
      </div>
    </Card>
  )
}
