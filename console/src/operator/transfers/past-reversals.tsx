/** What people reversed, newest first, out of the audit log. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DateTime } from '../../components/date-time.tsx';
import { QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { actorText } from '../audit/audit-words.ts';
import { type AuditEntry, auditQuery } from '../audit/queries.ts';
import table from '../dense-table.module.css';
import { DenseTable } from '../dense-table.tsx';
import { PersonLink } from '../person-link.tsx';
import { TransferSheet } from './transfer-sheet.tsx';
import classes from './transfers.module.css';

interface RowProps {
  readonly entry: AuditEntry;
  readonly onOpen: (id: number) => void;
}

function Row({ entry: { at, actor, subject, reason }, onOpen }: RowProps) {
  const { t } = useTranslation('operator');
  return (
    <tr>
      <td className={classes.transfer}>
        <button type="button" className={table.open} onClick={() => onOpen(Number(subject.id))}>
          {t('transfers.number', { id: subject.id })}
        </button>
      </td>
      <td className={classes.reason}>{reason}</td>
      <td className={classes.who}>
        {actor.kind === 'person' ? (
          <PersonLink id={actor.id}>{actorText(t, actor)}</PersonLink>
        ) : (
          actorText(t, actor)
        )}
      </td>
      <td className={classes.time}>
        <DateTime iso={at} isShort />
      </td>
    </tr>
  );
}

function ReversalTable({
  entries,
  onOpen,
}: {
  readonly entries: readonly AuditEntry[];
  readonly onOpen: (id: number) => void;
}) {
  const { t } = useTranslation('operator');
  return (
    <DenseTable
      label={t('transfers.reversals')}
      columns={[
        { key: 'transfer', label: t('audit.subjects.transfers'), className: classes.transfer },
        { key: 'reason', label: t('audit.reason'), className: classes.reason },
        { key: 'who', label: t('audit.column.actor'), className: classes.who },
        { key: 'time', label: t('audit.column.time'), className: classes.time },
      ]}
    >
      {entries.map((entry) => (
        <Row key={entry.id} entry={entry} onOpen={onOpen} />
      ))}
    </DenseTable>
  );
}

export const reversalsQuery = auditQuery({ operation: 'reverseTransfer' });

export function PastReversals() {
  const { t } = useTranslation('operator');
  const log = useInfiniteQuery(reversalsQuery);
  const [opened, setOpened] = useState<number>();
  const entries = log.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Section title={t('transfers.reversals')} lead={t('transfers.reversalsLead')}>
      <QueryBoundary query={log} skeleton={<SkeletonLines count={3} />}>
        {() => (
          <>
            {entries.length === 0 ? (
              <p className={classes.none}>{t('transfers.noReversals')}</p>
            ) : (
              <ReversalTable entries={entries} onOpen={setOpened} />
            )}
            {log.hasNextPage && (
              <div className={classes.ways}>
                <MoreButton query={log} label={t('audit.more')} />
              </div>
            )}
          </>
        )}
      </QueryBoundary>
      {opened !== undefined && <TransferSheet id={opened} onClose={() => setOpened(undefined)} />}
    </Section>
  );
}
