import { DateTime, UtcDay } from '../components/date-time.tsx';
import { type BillTimes, earnedDayOf } from './time-kind.ts';

interface Props {
  readonly bill: BillTimes;
  /** In a row of a list. */
  readonly isShort?: boolean;
}

/** When what a bill is about happened or was earned: a time, or a day of the service. */
export function EventTime({ bill, isShort = false }: Props) {
  const day = earnedDayOf(bill);
  return day === undefined ? (
    <DateTime iso={bill.event_at} isShort={isShort} />
  ) : (
    <UtcDay day={day} hasYear={!isShort} />
  );
}
