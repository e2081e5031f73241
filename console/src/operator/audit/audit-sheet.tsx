/** An entry of the audit log in full: who, what, why, from where, and each value that changed. */
import { Button } from '../../components/button.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Facts } from '../../components/description-list.tsx';
import { Sheet } from '../../components/sheet.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { programText } from '../../i18n/labels.ts';
import { DifferenceTable } from '../differences/difference-table.tsx';
import classes from './audit.module.css';
import type { AuditFilter } from './audit-filter.ts';
import { actorText, fullActorText, operationText, subjectText } from './audit-words.ts';
import type { AuditEntry } from './queries.ts';

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
        [t('audit.program'), entry.user_agent && programText(t, entry.user_agent)],
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
      <DifferenceTable before={entry.before} after={entry.after} none={t('audit.noDifference')} />
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
