import { EmptyState, Page, Section } from '../components/layout.tsx';
import { NavButton } from '../components/nav-button.tsx';
import { useTranslation } from '../i18n/index.ts';

export function NotFound() {
  const { t } = useTranslation('shell');
  return (
    <Page title={t('notFound')}>
      <Section>
        <EmptyState icon="search" action={<NavButton to="/">{t('toHome')}</NavButton>}>
          {t('notFoundLead')}
        </EmptyState>
      </Section>
    </Page>
  );
}
