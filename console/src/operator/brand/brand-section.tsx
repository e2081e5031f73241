import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ServiceLanguage, toServiceLanguage } from '../../api/service-language.ts';
import { QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { Editable } from '../allows.tsx';
import classes from './brand.module.css';
import { BrandForm } from './brand-form.tsx';
import { BrandPreview } from './brand-preview.tsx';
import { type BrandVersion, brandQuery } from './queries.ts';
import { useKeptDraft } from './use-kept-draft.ts';
import { useSaving } from './use-saving.ts';

/** The language of the texts that the reader's own is, or English. */
function textLanguageOf(language: string): ServiceLanguage {
  const [code = ''] = language.split('-', 1);
  return toServiceLanguage(code) ?? 'en';
}

function BrandEditor({ version }: { readonly version: BrandVersion }) {
  const { t, language: reader } = useTranslation('operator');
  const { settings } = version;
  const kept = useKeptDraft(version);
  const { draft, setDraft } = kept;
  const saving = useSaving(kept);
  const [language, setLanguage] = useState(() => textLanguageOf(reader));
  return (
    <>
      <Section title={t('view.brand')} lead={t('brand.lead')}>
        <Editable scope="operator:brand">
          <div className={classes.form}>
            <BrandForm
              settings={settings}
              draft={draft}
              language={language}
              saving={saving}
              isChanged={kept.isChanged}
              onDiscard={kept.discard}
              onChange={setDraft}
              onLanguage={setLanguage}
            />
          </div>
        </Editable>
      </Section>
      <Section title={t('brand.preview')} lead={t('brand.previewLead')}>
        <BrandPreview settings={settings} draft={draft} language={language} />
      </Section>
    </>
  );
}

/** What people know the network by. */
export function BrandSection() {
  const { t } = useTranslation('operator');
  const query = useQuery(brandQuery);
  return (
    <QueryBoundary
      query={query}
      skeleton={
        <Section title={t('view.brand')} lead={t('brand.lead')}>
          <SkeletonLines count={6} height={64} />
        </Section>
      }
    >
      {(version) => <BrandEditor version={version} />}
    </QueryBoundary>
  );
}
