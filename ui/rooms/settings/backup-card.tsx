// Backup and restore: one file out, one file in, and each item of it with what would become of it, before it does.
import { Download, FolderOpen } from 'lucide-react'
import { useState } from 'react'
import type { Problem } from '../../api/client.ts'
import { FilesButton } from '../../parts/file-choice.tsx'
import { Alert, Button, Card, Pill, ProblemNote } from '../../parts/parts.tsx'
import { counted, type Tone } from '../../words.ts'
import {
  type Backup,
  type BackupItem,
  type BackupKind,
  backupOf,
  itemsOf,
  judge,
  readBackup,
  type Verdict,
} from './backup.ts'
import { readDevice, writeItem } from './restore.ts'

const KINDS: Readonly<Record<BackupKind, string>> = {
  pipeline: 'Pipeline',
  stream: 'Stream',
  robot: 'Dimensions of the robot',
  nt4: 'Link to the robot and team',
}

const VERDICTS: Readonly<Record<Verdict['is'], Tone>> = { new: 'busy', same: 'good', different: 'busy', refused: 'bad' }

/** An item with what would become of it, and what has. */
interface Row {
  readonly item: BackupItem
  readonly now: BackupItem | undefined
  readonly verdict: Verdict
  readonly isTicked: boolean
  readonly result?: 'applied' | Problem
}

const keyOf = ({ kind, id }: BackupItem): string => `${kind} ${id}`

const save = (backup: Backup): void => {
  const url = URL.createObjectURL(new Blob([JSON.stringify(backup, null, 2)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `vedette-${backup.device}-${backup.made_at.slice(0, 10)}.json`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url)) // the browser has taken it by then
}

const rowsOf = (backup: Backup, now: readonly BackupItem[]): readonly Row[] =>
  backup.items.map((item) => {
    const verdict = judge(item, now)
    return {
      item,
      now: now.find((each) => keyOf(each) === keyOf(item)),
      verdict,
      isTicked: verdict.is === 'new' || verdict.is === 'different',
    }
  })

interface RowProps {
  readonly row: Row
  readonly onTick: (isTicked: boolean) => void
}

const nameOf = ({ kind, id }: BackupItem): string => `${KINDS[kind] ?? kind}${id ? ` ${id}` : ''}`

const wordsOf = (verdict: Verdict): string => {
  if (verdict.is === 'different') return `differs in ${verdict.what.join(', ')}`
  return verdict.is === 'refused' ? verdict.why : ''
}

const RestoreRow = ({ row: { item, verdict, isTicked, result }, onTick }: RowProps) => {
  const canBeWritten = (verdict.is === 'new' || verdict.is === 'different') && result !== 'applied'
  return (
    <li>
      <label className="row grow">
        <input
          type="checkbox"
          checked={isTicked && canBeWritten}
          disabled={!canBeWritten}
          onChange={({ target }) => onTick(target.checked)}
        />
        <span className="grow">
          {nameOf(item)} <span className="hint">{wordsOf(verdict)}</span>
        </span>
      </label>
      {result === 'applied' ? (
        <Pill tone="good">applied</Pill>
      ) : (
        <Pill tone={result ? 'bad' : VERDICTS[verdict.is]}>{result ? 'refused' : verdict.is}</Pill>
      )}
      {result && result !== 'applied' && <ProblemNote problem={result} />}
    </li>
  )
}

interface RestoreProps {
  readonly backup: Backup
  readonly first: readonly Row[]
  readonly onClose: () => void
}

const Restore = ({ backup, first, onClose }: RestoreProps) => {
  const [rows, setRows] = useState(first)
  const [isBusy, setBusy] = useState(false)
  const change = (at: number, to: Partial<Row>) =>
    setRows((now) => now.map((row, index) => (index === at ? { ...row, ...to } : row)))
  const wanted = rows.filter(({ isTicked, result }) => isTicked && result !== 'applied').length
  const apply = async () => {
    setBusy(true)
    for (const [at, { item, now, isTicked, result }] of rows.entries()) {
      if (!isTicked || result === 'applied') continue
      const answer = await writeItem(item, now)
      change(at, { result: answer.ok ? 'applied' : answer.problem })
    }
    setBusy(false)
  }
  return (
    <section className="stack" aria-label="Restore">
      <p>
        Of {backup.device}, made on {new Date(backup.made_at).toLocaleString()} with version {backup.version}. What is
        not in it stays as it is here.
      </p>
      <ul className="list settings-restore">
        {rows.map((row, at) => (
          <RestoreRow key={keyOf(row.item)} row={row} onTick={(isTicked) => change(at, { isTicked })} />
        ))}
      </ul>
      <div className="row">
        <Button kind="main" disabled={wanted === 0 || isBusy} onClick={() => void apply()}>
          {isBusy ? 'Restoring' : `Restore ${counted(wanted, 'item')}`}
        </Button>
        <Button onClick={onClose}>Close</Button>
      </div>
    </section>
  )
}

/** Both ways. */
export const BackupCard = () => {
  const [opened, setOpened] = useState<{ readonly backup: Backup; readonly rows: readonly Row[] }>()
  const [problem, setProblem] = useState<Problem>()
  const [why, setWhy] = useState<string>()

  const saveNow = async () => {
    const answer = await readDevice()
    setProblem(answer.ok ? undefined : answer.problem)
    if (answer.ok) save(backupOf(answer.value, Date.now()))
  }
  const open = async (file: File) => {
    const backup = readBackup(await file.text())
    setOpened(undefined)
    setWhy(typeof backup === 'string' ? backup : undefined)
    if (typeof backup === 'string') return
    const answer = await readDevice()
    setProblem(answer.ok ? undefined : answer.problem)
    if (answer.ok) setOpened({ backup, rows: rowsOf(backup, itemsOf(answer.value)) })
  }
  return (
    <Card title="Backup">
      <div className="card-body stack">
        <p>
          One file with the streams, with where their cameras sit and how they are calibrated, the stored pipelines, the
          dimensions of the robot, the link to the robot and the team number.
        </p>
        <p className="hint">
          Not in it: the token of the device and its certificate, which devices it trusts, its name, pictures and
          recordings and models with their notes, maps of the field, errors and jobs, and what this browser keeps.
        </p>
        <div className="row">
          <Button icon={<Download size={18} aria-hidden />} onClick={() => void saveNow()}>
            Save a backup
          </Button>
          <FilesButton
            name="Backup to restore"
            accept="application/json,.json"
            icon={<FolderOpen size={18} aria-hidden />}
            onChoose={([file]) => void (file && open(file))}
          >
            Look into a backup
          </FilesButton>
        </div>
        {problem && <ProblemNote problem={problem} />}
        {why !== undefined && <Alert tone="bad">{why}</Alert>}
        {opened && (
          <Restore
            key={opened.backup.made_at}
            backup={opened.backup}
            first={opened.rows}
            onClose={() => setOpened(undefined)}
          />
        )}
      </div>
    </Card>
  )
}
