/** Limits that are exceeded now, with what to do and where. */
import { Link } from '@tanstack/react-router';
import { Icon } from '../../components/icon.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { useNetworkName } from '../network-name.ts';
import type { View } from '../operator-nav.tsx';
import classes from './overview.module.css';
import type { Overview } from './queries.ts';

type Alert = Overview['alerts'][number];

/** The page where an operator acts on it. */
const PLACES: Readonly<Record<Alert['alert'], View | undefined>> = {
  EdgeAccountCodesLate: undefined,
  EdgeAccountSettlementLate: 'settlements',
  EdgeAccountSettlementFailed: 'settlements',
  EdgeAccountWebhooksLate: 'webhooks',
  EdgeAccountPushesLate: undefined,
  EdgeAccountCommunityQueue: undefined,
  EdgeAccountRetentionLate: undefined,
  EdgeAccountChainHalted: 'chains',
  EdgeAccountChainStalled: 'chains',
  EdgeAccountPayoutMismatch: 'payouts',
  EdgeAccountHotWalletSmall: 'payouts',
  EdgeAccountPayoutsLate: 'payouts',
  EdgeAccountBooksDiffer: 'ledger',
  EdgeAccountBooksUnverified: undefined,
};

export function Alerts({ alerts }: { readonly alerts: readonly Alert[] }) {
  const { t } = useTranslation('operator');
  const nameOf = useNetworkName();
  if (alerts.length === 0)
    return (
      <p className={classes.calm} role="status">
        <Icon name="check" size={18} />
        {t('overview.calm')}
      </p>
    );
  return (
    <ul className={classes.alerts} aria-label={t('overview.alerts')}>
      {alerts.map(({ alert, network }) => {
        const view = PLACES[alert];
        return (
          <li key={`${alert} ${network ?? ''}`} className={classes.alert}>
            <Icon name="penalty" size={18} />
            <span>
              <strong>
                {t(`overview.alert.${alert}`, {
                  network: nameOf(network ?? ''),
                })}
              </strong>
              <span>{t(`overview.remedy.${alert}`)}</span>
            </span>
            {view && (
              <Link to="/operator" search={{ view }}>
                {t(`view.${view}`)}
              </Link>
            )}
          </li>
        );
      })}
    </ul>
  );
}
