/** Entries of the audit log, a row each: a table, and on a phone two lines an entry. */
import { DateTime } from '../../components/date-time.tsx';
import { useTranslation } from '../../i18n/index.ts';
import table from '../dense-table.module.css';
import { DenseTable } from '../dense-table.tsx';
import { PersonLink } from '../person-link.tsx';
import classes from './audit.module.css';
import {
  actorKindText,
  actorText,
  operationText,
  subjectText,
  transferText,
} from './audit-words.ts';
import { EntryAmount, EntryPeople } from './entry-money.tsx';
import type { AuditEntry } from './queries.ts';
import { changedFields, readEntryMoney } from './read-entry-money.ts';

const NAMED_MAX = 3;

/** The first names, as code in every language, and how many more there are. */
function namedBriefly(names: readonly string[]): string {
  const more = names.length - NAMED_MAX;
  return names.slice(0, NAMED_MAX).join(', ') + (more > 0 ? ` +${more}` : '');
}

interface RowProps {
  readonly entry: AuditEntry;
  readonly onOpen: () => void;
}

function Row({ entry, onOpen }: RowProps) {
  const { t } = useTranslation('operator');
  const { actor, subject } = entry;
  const what = operationText(t, entry.operation);
  const money = readEntryMoney(entry);
  const isAccount = subject.kind === 'users';
  return (
    <tr>
      <td className={classes.time}>
        <DateTime iso={entry.at} isShort />
      </td>
      <td className={classes.actor}>
        {actor.kind === 'person' ? (
          <PersonLink id={actor.id}>{actorText(t, actor)}</PersonLink>
        ) : (
          actorText(t, actor)
        )}
        <span className={table.small}>
          {actor.client_id === undefined
            ? actorKindText(t, actor.kind)
            : t('audit.viaApplication', { id: actor.client_id })}
        </span>
      </td>
      <td className={classes.what}>
        <button
          type="button"
          className={table.open}
          aria-label={t('audit.open', { id: String(entry.id), what })}
          onClick={onOpen}
        >
          {what}
        </button>
        {money?.business !== undefined && (
          <span className={table.small}>{transferText(t, money)}</span>
        )}
        <code className={table.small}>{namedBriefly(changedFields(entry))}</code>
      </td>
      <td className={classes.subject}>
        {isAccount ? (
          <PersonLink id={subject.id}>{subjectText(t, subject)}</PersonLink>
        ) : (
          subjectText(t, subject)
        )}
        {!isAccount && entry.people.length > 0 && (
          <span className={classes.money}>
            <EntryAmount entry={entry} />
            <EntryPeople entry={entry} />
          </span>
        )}
      </td>
      <td className={classes.origin}>{entry.ip}</td>
    </tr>
  );
}

/** With the class of each. */
const COLUMNS = {
  time: classes.time,
  actor: classes.actor,
  operation: classes.what,
  subject: classes.subject,
  origin: classes.origin,
} as const;

interface TableProps {
  readonly entries: readonly AuditEntry[];
  readonly onOpen: (entry: AuditEntry) => void;
}

export function AuditTable({ entries, onOpen }: TableProps) {
  const { t } = useTranslation('operator');
  return (
    <DenseTable
      label={t('audit.entries')}
      columns={(Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).map((key) => ({
        key,
        label: t(`audit.column.${key}`),
        className: COLUMNS[key],
      }))}
    >
      {entries.map((entry) => (
        <Row key={entry.id} entry={entry} onOpen={() => onOpen(entry)} />
      ))}
    </DenseTable>
  );
}
