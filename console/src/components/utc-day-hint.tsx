import { useTranslation } from '../i18n/index.ts';
import { dayBeginText } from '../lib/time-text.ts';
import { Text } from './text.tsx';

/** Beside what goes by days, which are the service's: since when one counts where the reader is. */
export function DaysNote({ className }: { readonly className?: string | undefined }) {
  const { t, language } = useTranslation('shell');
  const time = dayBeginText(language);
  return (
    <Text isSmall isDimmed {...(className !== undefined && { className })}>
      {time === undefined ? t('days.utc') : t('days.local', { time })}
    </Text>
  );
}
