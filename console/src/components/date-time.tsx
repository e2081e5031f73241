import { useTranslation } from '../i18n/index.ts';
import { serverNow_ms } from '../lib/server-clock.ts';
import {
  agoText,
  dateText,
  dateTimeText,
  dayText,
  shortDateTimeText,
  spanText,
  timeOfDayText,
  utcText,
} from '../lib/time-text.ts';

/** A time in the reader's zone; UTC on hover. In a row of a list it is short. */
export function DateTime({
  iso,
  isShort = false,
}: {
  readonly iso: string;
  readonly isShort?: boolean;
}) {
  const { language } = useTranslation('common');
  return (
    <time dateTime={iso} title={utcText(iso)}>
      {isShort ? shortDateTimeText(iso, language) : dateTimeText(iso, language)}
    </time>
  );
}

/** The time of day in the reader's zone, below a heading with the day. */
export function TimeOfDay({ iso }: { readonly iso: string }) {
  const { language } = useTranslation('common');
  return (
    <time dateTime={iso} title={utcText(iso)}>
      {timeOfDayText(iso, language)}
    </time>
  );
}

/** The day of a time in the reader's zone. */
export function DateOnly({ iso }: { readonly iso: string }) {
  const { language } = useTranslation('common');
  return (
    <time dateTime={iso} title={utcText(iso)}>
      {dateText(iso, language)}
    </time>
  );
}

/** A day as the service counts it, labelled as UTC. */
export function UtcDay({
  day,
  hasYear = false,
}: {
  readonly day: string;
  readonly hasYear?: boolean;
}) {
  const { language } = useTranslation('common');
  return (
    <time dateTime={day} title={`${day} 00:00–24:00 UTC`}>
      {`${dayText(day, language, hasYear ? 'medium' : 'short')} UTC`.replaceAll(' ', '\u00a0')}
    </time>
  );
}

/** How long ago. */
export function RelativeTime({ iso }: { readonly iso: string }) {
  const { language } = useTranslation('common');
  return (
    <time dateTime={iso} title={`${dateTimeText(iso, language)} · ${utcText(iso)}`}>
      {agoText(iso, language, serverNow_ms())}
    </time>
  );
}

/** How long it lasts by now. */
export function ElapsedTime({ iso }: { readonly iso: string }) {
  const { language } = useTranslation('common');
  const seconds = Math.max(0, (serverNow_ms() - Date.parse(iso)) / 1000);
  return (
    <time dateTime={iso} title={`${dateTimeText(iso, language)} · ${utcText(iso)}`}>
      {spanText(seconds, language, 'long')}
    </time>
  );
}
