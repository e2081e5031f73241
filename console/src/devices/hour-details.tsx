import { useQuery } from '@tanstack/react-query';
import { Traffic } from '../components/data-size.tsx';
import { Facts } from '../components/description-list.tsx';
import { combineQueries, QueryBoundary, SkeletonLines } from '../components/layout.tsx';
import { Text } from '../components/text.tsx';
import { scheduleQuery } from '../home/queries.ts';
import { useTranslation } from '../i18n/index.ts';
import { rewardTypeText } from '../i18n/labels.ts';
import { refusedReportText } from '../i18n/message-code-text.ts';
import { spanText } from '../lib/time-text.ts';
import { ValuedAmount } from '../wallets/approximate-value.tsx';
import {
  explainAbsence,
  listPaid,
  listReasons,
  listRefused,
  type Schedule,
} from './explain-hour.ts';
import { useHourText } from './hours-grid.tsx';
import { type Device, type RewardLine, refusedReportsQuery, rewardLinesQuery } from './queries.ts';
import classes from './uptime.module.css';
import type { Hour } from './uptime.ts';

interface Props {
  readonly device: Device;
  readonly hour: Hour;
}

function Usage({ hour: { usage } }: Pick<Props, 'hour'>) {
  const { t, language } = useTranslation('devices');
  const gigabytes = (bytes: number): string => {
    const digits = String(bytes).padStart(10, '0');
    return `${digits.slice(0, -9)}.${digits.slice(-9)}`;
  };
  return (
    <Facts
      facts={[
        [t('status.online'), spanText(usage?.online_seconds ?? 0, language)],
        [
          t('history.up'),
          <Traffic key="up" gigabytes={gigabytes(usage?.bytes_up ?? 0)} digits="switch" />,
        ],
        [
          t('history.down'),
          <Traffic key="down" gigabytes={gigabytes(usage?.bytes_down ?? 0)} digits="switch" />,
        ],
      ]}
    />
  );
}

interface RewardsProps extends Props {
  readonly lines: readonly RewardLine[];
  readonly schedule: Schedule;
}

/** What the hour earned; where that is nothing, or was limited, why. */
function Rewards({ device, hour, lines, schedule }: RewardsProps) {
  const { t } = useTranslation('devices');
  const paid = listPaid(lines, hour);
  const reasons = listReasons(lines, hour);
  const hasLine = paid.length > 0 || reasons.length > 0;
  return (
    <>
      <Facts
        facts={paid.map(({ reward_type, part, currency, amount, bill_id = 0 }) => [
          rewardTypeText(t, reward_type),
          <ValuedAmount
            key={`${part} ${bill_id}`}
            value={amount}
            currency={currency}
            isSigned
            isInColumn
          />,
        ])}
      />
      {reasons.map(({ type, code, known }) => (
        <Text key={`${type} ${code}`}>
          {t('common:labelled', {
            name: rewardTypeText(t, type),
            value: known ? t(`history.whyNot.${known}`) : code,
          })}
        </Text>
      ))}
      {!hasLine && (
        <Text>{t(`history.outcome.${explainAbsence(hour, schedule, device.created_at)}`)}</Text>
      )}
    </>
  );
}

/** Traffic reports about the hour that do not count, and why: each reason once. */
function Refusals({ device, hour }: Props) {
  const { t } = useTranslation('devices');
  const { data } = useQuery(refusedReportsQuery(device.node_id));
  const refused = listRefused(data?.records ?? [], hour);
  const reasons = new Set(refused.map((report) => refusedReportText(t, report)));
  if (refused.length === 0) return null;
  return (
    <Text>
      {t('common:labelled', {
        name: t('refusedReports', { count: refused.length }),
        value: [...reasons].join(' · '),
      })}
    </Text>
  );
}

/** One hour of a device: how long it was online, its traffic, and what it earned. */
export function HourDetails({ device, hour }: Props) {
  const hourText = useHourText();
  const lines = useQuery(rewardLinesQuery(device.node_id, hour.iso.slice(0, 10)));
  const schedule = useQuery(scheduleQuery);
  return (
    <div className={classes.hour} role="status">
      <h3>{hourText(hour)}</h3>
      <QueryBoundary
        query={combineQueries(lines, schedule)}
        skeleton={<SkeletonLines count={1} height={44} />}
      >
        {([known, when]) => <Rewards device={device} hour={hour} lines={known} schedule={when} />}
      </QueryBoundary>
      <Usage hour={hour} />
      <Refusals device={device} hour={hour} />
    </div>
  );
}
