import { useQuery } from '@tanstack/react-query';
import { Button } from '../components/button.tsx';
import { UtcDay } from '../components/date-time.tsx';
import { ExportButton } from '../components/export-button.tsx';
import { saveBlob } from '../components/file.ts';
import { Failure } from '../components/form.tsx';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../components/layout.tsx';
import { showToast } from '../components/toaster.tsx';
import { useSubmission } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { ChangeButton } from './allows.tsx';
import classes from './operator.module.css';
import { exportJournal, headsQuery, type LedgerHead, readAllHeads, signHead } from './queries.ts';

const HEAD_FILE = 'ledger-head.json';

function HeadList({ heads }: { readonly heads: readonly LedgerHead[] }) {
  return (
    <ul className={classes.list}>
      {heads.map((head) => (
        <li key={head.signature} className={classes.item}>
          <span className={classes.text}>
            <strong>
              <UtcDay day={head.day} hasYear />
            </strong>
            <code className={classes.hash}>{head.signature}</code>
          </span>
        </li>
      ))}
    </ul>
  );
}

/**
 * The signed heads of the ledger: kept outside, they show whether anything before them was changed
 * or cut off.
 */
export function LedgerSection() {
  const { t } = useTranslation('operator');
  const heads = useQuery(headsQuery);
  const submission = useSubmission();
  const sign = (): void =>
    submission.submit(async () => {
      // Handed out, not kept: the list is of the heads that close a day.
      saveBlob(
        new Blob([JSON.stringify(await signHead())], { type: 'application/json' }),
        HEAD_FILE,
      );
      showToast(t('ledger.signed', { file: HEAD_FILE }));
    });
  const save = (): void =>
    submission.submit(async () => {
      const all = JSON.stringify(await readAllHeads(), undefined, 2);
      saveBlob(new Blob([all], { type: 'application/json' }), 'ledger-heads.json');
    });
  return (
    <Section
      title={t('ledger.heads')}
      lead={t('ledger.lead')}
      actions={
        <>
          <Button
            variant="default"
            size="sm"
            icon="download"
            disabled={!heads.data?.length}
            isBusy={submission.isPending}
            onClick={save}
          >
            {t('ledger.save')}
          </Button>
          <ChangeButton
            scope="operator:ledger"
            size="sm"
            isBusy={submission.isPending}
            onClick={sign}
          >
            {t('ledger.sign')}
          </ChangeButton>
        </>
      }
    >
      <Failure>{submission.message}</Failure>
      <QueryBoundary query={heads} skeleton={<SkeletonLines count={3} />}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon="shield" title={t('ledger.none')}>
              {t('ledger.noneLead')}
            </EmptyState>
          ) : (
            <HeadList heads={list} />
          )
        }
      </QueryBoundary>
    </Section>
  );
}

/** All postings, for programs of bookkeeping. */
export function JournalSection() {
  const { t } = useTranslation('operator');
  return (
    <Section title={t('ledger.journal')} lead={t('ledger.journalLead')}>
      <ExportButton
        label={t('ledger.saveJournal')}
        fetchTable={exportJournal}
        fileName="ledger.journal"
      />
    </Section>
  );
}
