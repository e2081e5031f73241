import { useQuery } from '@tanstack/react-query';
import { Amount } from '../components/amount.tsx';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../components/layout.tsx';
import { useTranslation } from '../i18n/index.ts';
import { rewardTypeText } from '../i18n/labels.ts';
import { largestOf, shareOf, toUnits } from '../lib/money-text.ts';
import { colorOf } from './chart-colors.ts';
import classes from './home.module.css';
import { type NetworkReward, networkRewardsQuery } from './queries.ts';

/** The size of an entry beside the largest one of its currency. */
function shareInCurrency(list: readonly NetworkReward[], entry: NetworkReward): number {
  const amounts = list
    .filter(({ currency }) => currency === entry.currency)
    .map(({ amount }) => toUnits(amount));
  return shareOf(toUnits(entry.amount), largestOf(amounts));
}

/** Currency by currency, the largest first. */
function sortBySize(list: readonly NetworkReward[]): NetworkReward[] {
  const currencies = [...new Set(list.map(({ currency }) => currency))];
  return currencies.flatMap((code) =>
    list
      .filter(({ currency }) => currency === code)
      .toSorted((one, other) => Number(toUnits(other.amount) - toUnits(one.amount))),
  );
}

/** Network rewards by type, in the colours of the chart. */
export function RewardTypes() {
  const { t } = useTranslation('home');
  const rewards = useQuery(networkRewardsQuery);
  return (
    <Section title={t('rewardsByType')}>
      <QueryBoundary query={rewards} skeleton={<SkeletonLines count={3} />}>
        {(list) => {
          if (list.length === 0)
            return (
              <EmptyState icon="gauge" title={t('noRewards')}>
                {t('noRewardsLead')}
              </EmptyState>
            );
          return (
            <ul className={classes.types}>
              {sortBySize(list).map((entry) => (
                <li key={`${entry.reward_type}-${entry.currency}`}>
                  <span>{rewardTypeText(t, entry.reward_type)}</span>
                  <Amount value={entry.amount} currency={entry.currency} isInColumn />
                  {entry.accrued !== undefined && (
                    <small className={classes.accrued}>
                      {t('accrued')}{' '}
                      <Amount value={entry.accrued} currency={entry.currency} isInColumn />
                    </small>
                  )}
                  <span className={classes.meter} aria-hidden="true">
                    <span
                      data-color={colorOf(entry.reward_type)}
                      style={{ width: `${shareInCurrency(list, entry) * 100}%` }}
                    />
                  </span>
                </li>
              ))}
            </ul>
          );
        }}
      </QueryBoundary>
    </Section>
  );
}
