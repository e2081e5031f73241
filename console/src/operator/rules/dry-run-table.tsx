/** What a draft of the rules would change, by reward type and by user. */
import type { ReactNode } from 'react';
import { Amount } from '../../components/amount.tsx';
import { EmptyState } from '../../components/layout.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { rewardTypeText } from '../../i18n/labels.ts';
import classes from '../operator.module.css';
import { PersonName } from '../person-name.tsx';
import type { Comparison, DryRun } from '../queries.ts';
import own from './rules.module.css';

interface ComparisonsProps {
  readonly title: string;
  readonly currency: string;
  readonly rows: readonly (Comparison & { readonly key: string; readonly name: ReactNode })[];
}

/**
 * A group of rows. Each amount has every digit, so that they add up, and for that a line of its
 * own, with its heading.
 */
function Comparisons({ title, currency, rows }: ComparisonsProps) {
  const { t } = useTranslation('operator');
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={4} className={classes.group}>
          {`${title} · ${currency}`}
        </th>
      </tr>
      {rows.map((row) => (
        <tr key={row.key}>
          <th scope="row">{row.name}</th>
          <td data-label={t('rules.now')}>
            <Amount value={row.active} size="sm" digits="exact" />
          </td>
          <td data-label={t('rules.would')}>
            <Amount value={row.draft} size="sm" digits="exact" />
          </td>
          <td data-label={t('rules.difference')}>
            <Amount value={row.difference} size="sm" digits="exact" isSigned />
          </td>
        </tr>
      ))}
    </tbody>
  );
}

export function DryRunTable({ run }: { readonly run: DryRun }) {
  const { t } = useTranslation('operator');
  return (
    <>
      <p className={classes.small}>{t('rules.dryRunLead', { count: run.users_total })}</p>
      {run.by_reward_type.length === 0 ? (
        <EmptyState icon="gauge" title={t('rules.nothing')} />
      ) : (
        <table className={`${classes.table} ${own.dryRun}`}>
          <Comparisons
            title={t('rules.byKind')}
            currency={run.currency}
            rows={run.by_reward_type.map((row) => ({
              ...row,
              key: row.reward_type,
              name: rewardTypeText(t, row.reward_type),
            }))}
          />
          <Comparisons
            title={t('rules.byPerson')}
            currency={run.currency}
            rows={run.users.map((row) => ({
              ...row,
              key: String(row.user_id),
              name: <PersonName userId={row.user_id} />,
            }))}
          />
        </table>
      )}
    </>
  );
}
