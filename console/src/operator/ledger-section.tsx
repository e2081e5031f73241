import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../i18n/index.ts';
import { Button } from '../parts/button.tsx';
import { saveBlob } from '../parts/file.ts';
import { Failure } from '../parts/form.tsx';
import { Empty, Loaded, Section, SkeletonLines } from '../parts/layout.tsx';
import { useSubmission } from '../parts/submission.ts';
import { showToast } from '../parts/toaster.tsx';
import classes from './operator.module.css';
import { headsQuery, signHead } from './queries.ts';

const HEAD_FILE = 'ledger-head.json';

/** The signed heads of the ledger: kept outside, they show whether anything before them was changed or cut off. */
export function LedgerSection() {
  const { t } = useTranslation('operator');
  const heads = useQuery(headsQuery);
  const submission = useSubmission();
  const sign = (): void =>
    submission.submit(async () => {
      // Handed out, not kept: the list is of the heads that close a day.
      saveBlob(new Blob([JSON.stringify(await signHead())], { type: 'application/json' }), HEAD_FILE);
      showToast(t('ledger.signed', { file: HEAD_FILE }));
    });
  const save = (): void => saveBlob(new Blob([JSON.stringify(heads.data, undefined, 2)], { type: 'application/json' }), 'ledger-heads.json');
  return (
    <Section
      title={t('ledger.heads')}
      lead={t('ledger.lead')}
      actions={
        <>
          <Button variant="default" size="sm" icon="download" disabled={!heads.data?.length} onClick={save}>
            {t('ledger.save')}
          </Button>
          <Button size="sm" isBusy={submission.isPending} onClick={sign}>
            {t('ledger.sign')}
          </Button>
        </>
      }
    >
      <Failure>{submission.message}</Failure>
      <Loaded query={heads} skeleton={<SkeletonLines count={3} />}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon="shield" title={t('ledger.none')}>
              {t('ledger.noneLead')}
            </Empty>
          ) : (
            <ul className={classes.list}>
              {list.map((head) => (
                <li key={head.signature} className={classes.item}>
                  <span className={classes.text}>
                    <strong>{head.day}</strong>
                    <code className={classes.hash}>{head.signature}</code>
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
