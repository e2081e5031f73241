/** What waits, and how far watchers and settlement are behind. */
import { Section } from '../../components/layout.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { payoutStateText } from '../../i18n/labels.ts';
import { spanText } from '../../lib/time-text.ts';
import { useNetworkName } from '../network-name.ts';
import classes from './overview.module.css';
import type { Overview } from './queries.ts';

/** The job runs every 30 seconds: what is younger has only not had its turn. */
const LATE_FROM_S = 60;

export function Queues({ overview }: { readonly overview: Overview }) {
  const { t, language } = useTranslation('operator');
  const nameOf = useNetworkName();
  const number = new Intl.NumberFormat(language);
  const { queues, networks, payouts_waiting: payouts, settlement_lag_s: lag_s } = overview;
  const isLate = lag_s >= LATE_FROM_S;
  const ageOf = (seconds: number | undefined): string =>
    seconds === undefined || seconds < 1 ? '–' : spanText(seconds, language);
  return (
    <Section title={t('overview.queues')}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('overview.what')}</th>
            <th scope="col">{t('overview.waiting')}</th>
            <th scope="col">{t('overview.oldest')}</th>
          </tr>
        </thead>
        <tbody>
          {queues.map(({ queue, waiting, oldest_s: oldest }) => (
            <tr key={queue}>
              <th scope="row">{t(`overview.queue.${queue}`)}</th>
              <td>{number.format(waiting)}</td>
              <td className={classes.short}>{ageOf(oldest)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">{t('overview.settlement')}</th>
            <td className={classes.short}>{t(isLate ? 'overview.late' : 'overview.onTime')}</td>
            <td className={classes.short}>{ageOf(isLate ? lag_s : undefined)}</td>
          </tr>
          {payouts.map(({ reason, count, oldest_at }) => (
            <tr key={reason}>
              <th scope="row">{t('overview.payout', { reason: payoutStateText(t, reason) })}</th>
              <td>{number.format(count)}</td>
              <td className={classes.short}>
                {ageOf((Date.parse(overview.measured_at) - Date.parse(oldest_at)) / 1000)}
              </td>
            </tr>
          ))}
          {networks
            .filter(({ state }) => state !== 'unconfigured' && state !== 'disabled')
            .map(({ network, state, lag_blocks: lag }) => (
              <tr key={network}>
                <th scope="row">{nameOf(network)}</th>
                <td>{t(`chains.state.${state}`)}</td>
                <td>{lag ? t('chains.lag', { count: lag }) : '–'}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </Section>
  );
}
