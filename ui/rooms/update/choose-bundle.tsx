// The file with the new version: chosen or dropped, sent, and gone on with after an interruption.
import { FilesButton } from '../../parts/file-choice.tsx'
import { Button, Card, ProblemNote } from '../../parts/parts.tsx'
import { useFileDrop } from '../../parts/use-file-drop.ts'
import type { UpdateState } from '../../state/update.ts'
import { sizeOf } from '../../words.ts'
import { sendBundle, stopSending, useSending } from './send-bundle.ts'

/** The states in which a file is taken. */
const TAKES_A_FILE: readonly UpdateState['state'][] = ['idle', 'committed', 'rolled-back', 'failed']

const Choose = ({ onFile, children }: { readonly onFile: (file: File) => void; readonly children: string }) => (
  <FilesButton
    name="File with the new version"
    accept=".vedette"
    kind="main"
    onChoose={([file]) => void (file && onFile(file))}
  >
    {children}
  </FilesButton>
)

/** Where a file is chosen, and what stands in the way. */
export const ChooseBundle = ({ known }: { readonly known: UpdateState }) => {
  const { fileName, problem } = useSending()
  const { state, upload } = known
  const goesOn = state === 'receiving' && upload !== null && upload.interrupted
  const isOpen = fileName === undefined && (TAKES_A_FILE.includes(state) || goesOn)
  const take = (file: File) => void sendBundle(file, goesOn ? upload : null)
  const drop = useFileDrop(([file]) => file && take(file), isOpen)
  if (!isOpen && fileName === undefined && !problem) return null
  return (
    <Card title="New version">
      <div className="card-body stack update-drop" {...drop}>
        {fileName !== undefined && (
          <div className="row">
            <span className="grow">
              Sending <strong>{fileName}</strong>. This page may be left open or closed: what has arrived stays.
            </span>
            <Button onClick={stopSending}>Pause</Button>
          </div>
        )}
        {isOpen && goesOn && (
          <p>
            {sizeOf(upload.bytes)}
            {upload.total_bytes !== null && ` of ${sizeOf(upload.total_bytes)}`} are on the device. Choose the same file
            again, and the rest of it is sent.
          </p>
        )}
        {isOpen && !goesOn && (
          <p>
            Drop the file with the new version here, or choose it: its name ends in <code>.vedette</code>. Nothing
            changes on the device before you say so.
          </p>
        )}
        {isOpen && (
          <div className="row">
            <Choose onFile={take}>{goesOn ? 'Go on' : 'Choose a file'}</Choose>
          </div>
        )}
        {problem && <ProblemNote problem={problem} />}
      </div>
    </Card>
  )
}
