/** An entry of the audit log in full: who, what, why, from where, and each value that changed. */
import { useState } from 'react';
import { Amount } from '../../components/amount.tsx';
import { Button } from '../../components/button.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Facts } from '../../components/description-list.tsx';
import { Sheet } from '../../components/sheet.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { programText } from '../../i18n/labels.ts';
import { useReads } from '../allows.tsx';
import { DifferenceTable } from '../differences/difference-table.tsx';
import { FullPersonName } from '../person-name.tsx';
import { TransferSheet } from '../transfers/transfer-sheet.tsx';
import classes from './audit.module.css';
import type { AuditFilter } from './audit-filter.ts';
import {
  actorText,
  fullActorText,
  operationText,
  subjectText,
  transferText,
  walletText,
} from './audit-words.ts';
import type { AuditEntry } from './queries.ts';
import {
  changedFields,
  otherValues,
  readEntryMoney,
  readSettlementId,
} from './read-entry-money.ts';

interface MoneyProps {
  readonly entry: AuditEntry;
  readonly onShow: (transferId: number) => void;
}

/** Whose money it is, how much, and what moved it. */
function MoneyFacts({ entry, onShow }: MoneyProps) {
  const { t } = useTranslation('operator');
  const reads = useReads();
  const money = readEntryMoney(entry);
  const settlement = readSettlementId(entry);
  const [first, other] = entry.people;
  const name = (person: typeof first) => person && <FullPersonName userId={person.user_id} />;
  const transfer = money?.transferId;
  const number = transfer !== undefined && t('transfers.number', { id: transfer });
  return (
    <Facts
      facts={[
        [
          t('money.amount'),
          money && <Amount value={money.amount} currency={money.currency} digits="exact" />,
        ],
        [t('transfers.kind'), money && transferText(t, money)],
        [t(other ? 'audit.debited' : 'audit.subjects.users'), name(first)],
        [t('audit.credited'), name(other)],
        [t('transfers.from'), money?.debit && walletText(t, money.debit)],
        [t('transfers.to'), money?.credit && walletText(t, money.credit)],
        [
          t('audit.subjects.transfers'),
          transfer !== undefined && reads('operator:ledger') ? (
            <Button key="transfer" variant="default" size="xs" onClick={() => onShow(transfer)}>
              {number}
            </Button>
          ) : (
            number
          ),
        ],
        [t('audit.subjects.settlements'), settlement !== undefined && String(settlement)],
      ]}
    />
  );
}

/** Each value that changed; what `MoneyFacts` shows is none of them. */
function Changed({ entry }: { readonly entry: AuditEntry }) {
  const { t } = useTranslation('operator');
  if (readEntryMoney(entry) && changedFields(entry).length === 0) return null;
  return (
    <>
      <h3 className={classes.part}>{t('audit.difference')}</h3>
      <DifferenceTable
        before={otherValues(entry, entry.before)}
        after={otherValues(entry, entry.after)}
        none={t('audit.noDifference')}
      />
    </>
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
        [t('audit.program'), entry.user_agent && programText(t, entry.user_agent)],
        [t('audit.name'), code(entry.operation)],
        [t('audit.requestId'), code(entry.request_id)],
        [t('audit.idempotencyKey'), code(entry.idempotency_key)],
        [t('audit.seal'), t(entry.is_sealed ? 'audit.sealed' : 'audit.unsealed')],
      ]}
    />
  );
}

/** The ways to all entries of the same actor, subject or person. */
function Ways({ entry, onFilter }: Pick<Props, 'entry' | 'onFilter'>) {
  const { t } = useTranslation('operator');
  const { actor, subject, people } = entry;
  const way = (name: string, filter: AuditFilter) => (
    <Button key={name} variant="default" size="sm" onClick={() => onFilter(filter)}>
      {name}
    </Button>
  );
  const ofSubject = { subjectKind: subject.kind, subjectId: subject.id || undefined };
  return (
    <div className={classes.ways}>
      {way(t('audit.ofActor', { name: actorText(t, actor) }), {
        ...{ actorKind: actor.kind, actorId: actor.id },
      })}
      {subject.kind !== 'users' &&
        way(t('audit.ofSubject', { name: subjectText(t, subject) }), ofSubject)}
      {people.map((person) => {
        const name = subjectText(t, { kind: 'users', id: String(person.user_id) });
        return way(t('audit.ofSubject', { name }), { userId: String(person.user_id) });
      })}
    </div>
  );
}

interface Props {
  readonly entry: AuditEntry;
  readonly onFilter: (filter: AuditFilter) => void;
  readonly onClose: () => void;
}

export function AuditSheet({ entry, onFilter, onClose }: Props) {
  const { t } = useTranslation('operator');
  const [transfer, setTransfer] = useState<number>();
  const show = (filter: AuditFilter): void => {
    onFilter(filter);
    onClose();
  };
  if (transfer !== undefined)
    return <TransferSheet id={transfer} onClose={() => setTransfer(undefined)} />;
  return (
    <Sheet title={operationText(t, entry.operation)} onClose={onClose}>
      {entry.people.length > 0 && <MoneyFacts entry={entry} onShow={setTransfer} />}
      <Changed entry={entry} />
      <EntryFacts entry={entry} />
      <Ways entry={entry} onFilter={show} />
    </Sheet>
  );
}
