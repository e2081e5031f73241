import { useTranslation } from '../i18n/index.ts';
import { agoText, dateText, dateTimeText, utcText } from '../lib/time-text.ts';

/** A time in the reader's zone; UTC on hover. */
export function When({ iso }: { readonly iso: string }) {
  const { language } = useTranslation('common');
  return (
    <time dateTime={iso} title={utcText(iso)}>
      {dateTimeText(iso, language)}
    </time>
  );
}

/** The day of a time in the reader's zone. */
export function OnDay({ iso }: { readonly iso: string }) {
  const { language } = useTranslation('common');
  return (
    <time dateTime={iso} title={utcText(iso)}>
      {dateText(iso, language)}
    </time>
  );
}

/** How long ago. */
export function Ago({ iso }: { readonly iso: string }) {
  const { language } = useTranslation('common');
  return (
    <time dateTime={iso} title={`${dateTimeText(iso, language)} · ${utcText(iso)}`}>
      {agoText(iso, language, Date.now())}
    </time>
  );
}
