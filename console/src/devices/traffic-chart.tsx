/** The measured traffic of a device by day, both directions stacked. */
import { useQuery } from '@tanstack/react-query';
import { DayChart } from '../components/day-chart/day-chart.tsx';
import { QueryBoundary, Section, SkeletonLines } from '../components/layout.tsx';
import { useTranslation } from '../i18n/index.ts';
import { dayBefore, todayUtc } from '../lib/time-text.ts';
import { usageOfDaysQuery } from './queries.ts';
import { colorOfDirection, trafficByDay } from './traffic-by-day.ts';

interface Props {
  readonly nodeId: string;
  /** Days that are shown, today included. */
  readonly count: number;
}

export function TrafficChart({ nodeId, count }: Props) {
  const { t } = useTranslation('devices');
  const usage = useQuery(usageOfDaysQuery(nodeId, count));
  const today = todayUtc();
  const days = Array.from({ length: count }, (_, at) => dayBefore(today, count - 1 - at));
  const words = {
    label: t('history.traffic'),
    none: t('history.noTraffic'),
    unit: 'GB',
    textOf: (direction: string) => t(direction === 'up' ? 'history.up' : 'history.down'),
    colorOf: colorOfDirection,
  };
  return (
    <Section title={t('history.traffic')} lead={t('history.trafficLead')}>
      <QueryBoundary query={usage} skeleton={<SkeletonLines count={1} height={240} />}>
        {(hours) => <DayChart words={words} days={trafficByDay(hours, days)} />}
      </QueryBoundary>
    </Section>
  );
}
