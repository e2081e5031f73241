import { Button } from '../../components/button.tsx';
import { Text } from '../../components/text.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { dateTimeText } from '../../lib/time-text.ts';
import classes from './brand.module.css';
import type { Saving } from './use-saving.ts';

/** Another operator has saved the brand: what was typed stays until one of the two is chosen. */
export function ConflictNotice({ submission, theirs, loadTheirs, overwrite }: Saving) {
  const { t, language } = useTranslation('operator');
  if (!theirs) return null;
  const { updated_at: savedAt } = theirs.settings;
  return (
    <div className={classes.conflict}>
      <div role="alert">
        <Text isStrong>
          {savedAt === undefined
            ? t('brand.changed')
            : t('brand.changedAt', { time: dateTimeText(savedAt, language) })}
        </Text>
        <Text isSmall>{t('brand.changedLead')}</Text>
      </div>
      <div className={classes.buttons}>
        {/* Either choice gives up what one of two operators has written: neither is suggested. */}
        <Button variant="default" onClick={loadTheirs} disabled={submission.isPending}>
          {t('brand.loadTheirs')}
        </Button>
        <Button variant="default" onClick={overwrite} isBusy={submission.isPending}>
          {t('brand.overwrite')}
        </Button>
      </div>
    </div>
  );
}
