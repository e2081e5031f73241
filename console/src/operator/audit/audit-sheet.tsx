/** An entry of the audit log in full: who, what, why, from where, and each value that changed. */
import { Button } from '../../components/button.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Facts } from '../../components/description-list.tsx';
import { Sheet } from '../../components/sheet.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { programText } from '../../lib/user-agent-text.ts';
import classes from './audit.module.css';
import type { AuditFilter } from './audit-filter.ts';
import { actorText, fullActorText, operationText, subjectText } from './audit-words.ts';
import { listDifferences, SECRET } from './list-differences.ts';
import type { AuditEntry } from './queries.ts';

interface ValueProps {
  readonly label: string;
  readonly text: string | undefined;
  readonly isGone?: boolean;
}

/** A value in the cell below its heading; on a phone the heading stands in the cell. */
function Value({ label, text, isGone = false }: ValueProps) {
  const { t } = useTranslation('operator');
  const Mark = isGone ? 'del' : 'ins';
  return (
    <td data-label={label}>
      {text === undefined || text === SECRET ? (
        <span className={classes.none}>{t(text === SECRET ? 'audit.secret' : 'audit.absent')}</span>
      ) : (
        <Mark>{text === '' ? '“”' : text}</Mark>
      )}
    </td>
  );
}

function Differences({ entry }: { readonly entry: AuditEntry }) {
  const { t } = useTranslation('operator');
  const differences = listDifferences(entry.before, entry.after);
  if (differences.length === 0) return <p className={classes.note}>{t('audit.noDifference')}</p>;
  return (
    <table className={classes.differences}>
      <thead>
        <tr>
          <th scope="col">{t('audit.field')}</th>
          <th scope="col">{t('audit.before')}</th>
          <th scope="col">{t('audit.after')}</th>
        </tr>
      </thead>
      <tbody>
        {differences.map(({ path, before, after }) => (
          <tr key={path}>
            <th scope="row">
              <code>{path}</code>
            </th>
            <Value label={t('audit.before')} text={before} isGone />
            <Value label={t('audit.after')} text={after} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function EntryFacts({ entry }: { readonly entry: AuditEntry }) {
  const { t } = useTranslation('operator');
  const { actor, subject } = entry;
  const code = (text: string | undefined) => text && <code>{text}</code>;
  return (
    <Facts
      facts={[
        [t('audit.column.time'), <DateTime key="time" iso={entry.at} />],
        [t('audit.actor'), fullActorText(t, actor)],
        [t('audit.application'), actor.client_id],
        [t('audit.subject'), subjectText(t, subject)],
        [t('audit.reason'), entry.reason],
        [t('audit.address'), entry.ip],
        [t('audit.program'), entry.user_agent && programText(entry.user_agent)],
        [t('audit.name'), code(entry.operation)],
        [t('audit.requestId'), code(entry.request_id)],
        [t('audit.idempotencyKey'), code(entry.idempotency_key)],
        [t('audit.seal'), t(entry.is_sealed ? 'audit.sealed' : 'audit.unsealed')],
      ]}
    />
  );
}

interface Props {
  readonly entry: AuditEntry;
  readonly onFilter: (filter: AuditFilter) => void;
  readonly onClose: () => void;
}

export function AuditSheet({ entry, onFilter, onClose }: Props) {
  const { t } = useTranslation('operator');
  const { actor, subject } = entry;
  const show = (filter: AuditFilter) => () => {
    onFilter(filter);
    onClose();
  };
  return (
    <Sheet title={operationText(t, entry.operation)} onClose={onClose}>
      <h3 className={classes.part}>{t('audit.difference')}</h3>
      <Differences entry={entry} />
      <EntryFacts entry={entry} />
      <div className={classes.ways}>
        <Button
          variant="default"
          size="sm"
          onClick={show({ actorKind: actor.kind, actorId: actor.id })}
        >
          {t('audit.ofActor', { name: actorText(t, actor) })}
        </Button>
        <Button
          variant="default"
          size="sm"
          onClick={show({ subjectKind: subject.kind, subjectId: subject.id || undefined })}
        >
          {t('audit.ofSubject', { name: subjectText(t, subject) })}
        </Button>
      </div>
    </Sheet>
  );
}
