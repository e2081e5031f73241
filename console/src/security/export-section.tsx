import { useMe } from '../api/me.ts';
import { Button } from '../components/button.tsx';
import { saveBlob } from '../components/file.ts';
import { Section } from '../components/layout.tsx';
import { useTranslation } from '../i18n/index.ts';
import { exportAccount } from './queries.ts';
import type { Proof } from './reauthentication.tsx';
import { useChange } from './use-security-mutation.ts';

/** Everything that is kept about the user, as one archive. */
export function ExportSection({ proof }: { readonly proof: Proof }) {
  const { t } = useTranslation('security');
  const change = useChange(proof);
  const me = useMe();
  const save = (archive: Blob): void => saveBlob(archive, `account-${me.data?.user_id ?? ''}.zip`);
  return (
    <Section title={t('export')} lead={t('exportLead')}>
      {change.message !== '' && <p role="alert">{change.message}</p>}
      <Button
        variant="default"
        isBusy={change.isPending}
        disabled={!me.data}
        onClick={() => change.run(exportAccount, save)}
      >
        {t('exportButton')}
      </Button>
    </Section>
  );
}
