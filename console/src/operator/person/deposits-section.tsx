/** Deposits of a person; those on hold are decided about where all of them are. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Amount } from '../../components/amount.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { depositStatusText } from '../../i18n/labels.ts';
import { operatorDepositReasonText, ownWordsOf } from '../../i18n/message-code-text.ts';
import { shortAddress } from '../../lib/short-address.ts';
import { DEPOSITS, useChanges } from '../allows.tsx';
import table from '../dense-table.module.css';
import { depositsOfQuery, type PersonDeposit } from './money-queries.ts';
import classes from './person.module.css';

function DepositItem({ deposit }: { readonly deposit: PersonDeposit }) {
  const { t } = useTranslation('operator');
  const may = useChanges();
  const why = [operatorDepositReasonText(t, deposit), ownWordsOf(deposit)]
    .filter(Boolean)
    .join(' ');
  return (
    <li>
      <span>
        {depositStatusText(t, deposit.status)}
        <span className={classes.small}>
          {deposit.network_name} · <DateTime iso={deposit.detected_at} isShort />
          {deposit.status === 'on_hold' && may(DEPOSITS) && (
            <>
              {' '}
              ·{' '}
              <Link to="/operator" search={{ view: 'money' }} className={table.link}>
                {t('person.deposits.decide')}
              </Link>
            </>
          )}
        </span>
        {why !== '' && <span className={classes.small}>{why}</span>}
        <span className={`${classes.small} ${classes.hash}`}>
          <code title={deposit.tx_hash}>{shortAddress(deposit.tx_hash)}</code>
          <CopyButton size="xs" text={deposit.tx_hash} label={t('person.deposits.copyHash')} />
        </span>
      </span>
      <Amount value={deposit.amount} currency={deposit.currency} size="sm" />
    </li>
  );
}

export function DepositsSection({ userId }: { readonly userId: number }) {
  const { t } = useTranslation('operator');
  const deposits = useInfiniteQuery(depositsOfQuery(userId));
  return (
    <Section title={t('person.deposits.title')}>
      <QueryBoundary query={deposits} skeleton={<SkeletonLines count={2} />}>
        {({ pages }) =>
          pages[0]?.records.length === 0 ? (
            <p className={classes.none}>{t('person.deposits.none')}</p>
          ) : (
            <>
              <ul className={classes.bills} aria-label={t('person.deposits.title')}>
                {pages
                  .flatMap(({ records }) => records)
                  .map((deposit) => (
                    <DepositItem key={deposit.id} deposit={deposit} />
                  ))}
              </ul>
              {deposits.hasNextPage && <MoreButton query={deposits} label={t('payouts.more')} />}
            </>
          )
        }
      </QueryBoundary>
    </Section>
  );
}
