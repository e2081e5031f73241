import { useTranslation } from 'react-i18next';
import { agoText, dateText, dateTimeText, utcText } from '../lib/time-text.ts';

/** A time in the reader's zone; UTC on hover. */
export function When({ iso }: { readonly iso: string }) {
  const { i18n } = useTranslation();
  return (
    <time dateTime={iso} title={utcText(iso)}>
      {dateTimeText(iso, i18n.language)}
    </time>
  );
}

/** The day of a time in the reader's zone. */
export function OnDay({ iso }: { readonly iso: string }) {
  const { i18n } = useTranslation();
  return (
    <time dateTime={iso} title={utcText(iso)}>
      {dateText(iso, i18n.language)}
    </time>
  );
}

/** How long ago. */
export function Ago({ iso }: { readonly iso: string }) {
  const { i18n } = useTranslation();
  return (
    <time dateTime={iso} title={`${dateTimeText(iso, i18n.language)} · ${utcText(iso)}`}>
      {agoText(iso, i18n.language, Date.now())}
    </time>
  );
}
