import { useTranslation } from '../i18n/index.ts';
import classes from './confirmation-meter.module.css';

interface Props {
  readonly done: number;
  readonly needed: number;
}

/** How deep a transaction is in its chain, of how deep it must be. */
export function ConfirmationMeter({ done, needed }: Props) {
  const { t } = useTranslation('deposits');
  return (
    <span className={classes.meter}>
      <progress value={Math.min(done, needed)} max={needed} aria-label={t('confirmations')} />
      {t('confirmationsOf', { done, needed })}
    </span>
  );
}
