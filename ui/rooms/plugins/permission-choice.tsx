// What a plugin asks for, and what of that it is granted: a tick for each.
import { useId } from 'react'
import type { Permission } from '../../state/plugins.ts'
import { PERMISSION_WORDS } from './plugin-words.ts'

interface ChoiceProps {
  readonly asked: readonly Permission[]
  readonly granted: readonly Permission[]
  readonly onChange: (granted: readonly Permission[]) => void
}

const Choice = ({
  permission,
  granted,
  onChange,
}: Omit<ChoiceProps, 'asked'> & { readonly permission: Permission }) => {
  const id = useId()
  const { name, means } = PERMISSION_WORDS[permission]
  const change = (isGranted: boolean) =>
    onChange(isGranted ? [...granted, permission] : granted.filter((each) => each !== permission))
  return (
    <li>
      <input
        id={id}
        type="checkbox"
        checked={granted.includes(permission)}
        aria-describedby={`${id}means`}
        onChange={({ target }) => change(target.checked)}
      />
      <div>
        <label htmlFor={id}>{name}</label>
        <p className="hint" id={`${id}means`}>
          {means}
        </p>
      </div>
    </li>
  )
}

export const PermissionChoice = ({ asked, ...rest }: ChoiceProps) =>
  asked.length === 0 ? (
    <p>It asks for nothing: it computes, and sees no more than what a pipeline gives it.</p>
  ) : (
    <fieldset className="plugins-choice">
      <legend>It asks for this. Tick what it may do</legend>
      <ul>
        {asked.map((permission) => (
          <Choice key={permission} permission={permission} {...rest} />
        ))}
      </ul>
      <p className="hint">What you leave out it has to do without. You can change this later.</p>
    </fieldset>
  )
