import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Empty, Page, Section } from '../parts/layout.tsx';
import { startSession } from '../session/session.ts';

/** Pages for people who run the network. */
export function OperatorPage() {
  const { t } = useTranslation('operator');
  return (
    <Page title={t('title')}>
      <Section>
        <Empty icon="gauge" title={t('notAllowed')} action={<Button onClick={() => void startSession({ isFresh: true })}>{t('confirm')}</Button>}>
          {t('notAllowedLead')}
        </Empty>
      </Section>
    </Page>
  );
}
