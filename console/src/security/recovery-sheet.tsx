import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy.tsx';
import { saveBlob } from '../components/file.ts';
import { Sheet } from '../components/sheet.tsx';
import { Text } from '../components/text.tsx';
import { useTranslation } from '../i18n/index.ts';
import classes from './security.module.css';

/** Recovery codes, shown once. */
export function RecoverySheet({
  codes,
  onClose,
}: {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('security');
  const text = `${codes.join('\n')}\n`;
  return (
    <Sheet title={t('recovery')} onClose={onClose} isKept>
      <Text>{t('recoveryLead')}</Text>
      <ul className={classes.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={classes.buttons}>
        <CopyButton text={text} label={t('copyCodes')} />
        <Button
          variant="default"
          icon="download"
          onClick={() =>
            saveBlob(new Blob([text], { type: 'text/plain' }), 'edge-account-recovery-codes.txt')
          }
        >
          {t('saveFile')}
        </Button>
        <Button onClick={onClose}>{t('savedThem')}</Button>
      </div>
    </Sheet>
  );
}
