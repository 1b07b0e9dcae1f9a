// The ways to choose files of one's own.
import { Upload } from 'lucide-react'
import { type ReactNode, useId, useRef } from 'react'
import { Button } from './parts.tsx'

interface FileChoiceProps {
  /** What may be chosen, as `input` takes it. */
  readonly accept: string
  readonly isDisabled?: boolean
  readonly onChoose: (files: readonly File[]) => void
  readonly children: ReactNode
}

/** Chooses one file. The same one can be chosen again, when it was mended. */
export const FileChoice = ({ accept, isDisabled = false, onChoose, children }: FileChoiceProps) => {
  const id = useId()
  return (
    <div>
      <label className="button" htmlFor={id} aria-disabled={isDisabled || undefined}>
        <Upload size={16} aria-hidden />
        {children}
      </label>
      <input
        id={id}
        className="only-read-aloud"
        type="file"
        accept={accept}
        disabled={isDisabled}
        onChange={({ target }) => {
          onChoose([...(target.files ?? [])])
          target.value = ''
        }}
      />
    </div>
  )
}

interface FilesButtonProps extends Omit<FileChoiceProps, 'isDisabled'> {
  /** What the files are, for who does not see it. */
  readonly name: string
  readonly kind?: 'main'
  /** Default: that of sending. */
  readonly icon?: ReactNode
  /** Whether several may be chosen at once. */
  readonly hasSeveral?: boolean
}

/** Chooses files. The same ones can be chosen again. */
export const FilesButton = ({ name, accept, kind, icon, hasSeveral, onChoose, children }: FilesButtonProps) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple={hasSeveral === true}
        hidden
        accept={accept}
        aria-label={name}
        onChange={({ target }) => {
          onChoose([...(target.files ?? [])])
          target.value = ''
        }}
      />
      <Button
        {...(kind && { kind })}
        icon={icon ?? <Upload size={18} aria-hidden />}
        onClick={() => input.current?.click()}
      >
        {children}
      </Button>
    </>
  )
}
