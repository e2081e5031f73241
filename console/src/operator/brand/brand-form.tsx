import { SERVICE_LANGUAGES, type ServiceLanguage } from '../../api/service-language.ts';
import { Button } from '../../components/button.tsx';
import { Select, Textarea, TextInput } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Segments } from '../../components/segmented-control.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { LANGUAGES } from '../../i18n/languages.ts';
import { AccentField } from './accent-field.tsx';
import classes from './brand.module.css';
import { ConflictNotice } from './conflict-notice.tsx';
import { DEFAULT_DRAFT, type Draft } from './draft.ts';
import { LogoField } from './logo-field.tsx';
import type { BrandSettings } from './queries.ts';
import type { Saving } from './use-saving.ts';

interface FieldsProps {
  readonly settings: BrandSettings;
  readonly draft: Draft;
  readonly language: ServiceLanguage;
  readonly onChange: (draft: Draft) => void;
}

interface Props extends FieldsProps {
  readonly saving: Saving;
  readonly onLanguage: (language: ServiceLanguage) => void;
}

function LookFields({ settings, draft, onChange }: FieldsProps) {
  const { t } = useTranslation('operator');
  return (
    <>
      <TextInput
        name="name"
        label={t('brand.name')}
        description={t('brand.nameLead')}
        value={draft.name}
        onChange={(event) => onChange({ ...draft, name: event.currentTarget.value })}
        placeholder={settings.default_name}
        maxLength={40}
        autoComplete="off"
      />
      <AccentField accent={draft.accent} onChange={(accent) => onChange({ ...draft, accent })} />
      <LogoField
        name="logo"
        logo={draft.logo}
        onChange={(logo) =>
          // The one for dark pages goes with it.
          onChange({ ...draft, logo, ...(logo.image ? {} : { dark_logo: { change: null } }) })
        }
      />
      {draft.logo.image && (
        <LogoField
          name="dark_logo"
          logo={draft.dark_logo}
          onChange={(logo) => onChange({ ...draft, dark_logo: logo })}
        />
      )}
      <TextInput
        name="support_url"
        label={t('brand.support')}
        description={t('brand.supportLead')}
        value={draft.support_url}
        onChange={(event) => onChange({ ...draft, support_url: event.currentTarget.value })}
        inputMode="url"
        maxLength={500}
        autoComplete="off"
        spellCheck={false}
      />
    </>
  );
}

/** By its own name. */
function languageName(code: ServiceLanguage): string {
  const tag = Object.keys(LANGUAGES).find((known) => known.split('-', 1)[0] === code);
  return LANGUAGES[tag ?? '']?.name ?? code;
}

const TEXTS = [
  { name: 'sign_in_text', label: 'brand.signInText', max: 300 },
  { name: 'mail_footer', label: 'brand.mailFooter', max: 500 },
] as const;

function TextFields({ draft, language, onChange }: FieldsProps) {
  const { t } = useTranslation('operator');
  return TEXTS.map(({ name, label, max }) => (
    <Textarea
      key={`${name}.${language}`}
      name={`${name}.${language}`}
      label={t(label, { language: languageName(language) })}
      description={t('brand.textLead')}
      lang={language}
      rows={2}
      maxLength={max}
      value={draft[name][language] ?? ''}
      onChange={(event) =>
        // One paragraph, also of what is pasted.
        onChange({
          ...draft,
          [name]: {
            ...draft[name],
            [language]: event.currentTarget.value.replace(/\s*\n\s*/g, ' '),
          },
        })
      }
    />
  ));
}

function SenderFields({ settings, draft, onChange }: FieldsProps) {
  const { t } = useTranslation('operator');
  const [first = '', ...others] = settings.mail_sender_addresses;
  return (
    <>
      <TextInput
        name="mail_sender_name"
        label={t('brand.sender')}
        description={t('brand.senderLead')}
        value={draft.mail_sender_name}
        onChange={(event) => onChange({ ...draft, mail_sender_name: event.currentTarget.value })}
        placeholder={draft.name || settings.default_mail_sender_name}
        maxLength={60}
        autoComplete="off"
      />
      <Select
        name="mail_sender_address"
        label={t('brand.address')}
        description={t('brand.addressLead')}
        value={draft.mail_sender_address}
        onChange={(event) => onChange({ ...draft, mail_sender_address: event.currentTarget.value })}
        options={[{ value: '', label: first }, ...others]}
      />
    </>
  );
}

/** Everything that operators set of the brand. */
export function BrandForm({ saving, onLanguage, ...props }: Props) {
  const { t } = useTranslation('operator');
  const { language, onChange } = props;
  return (
    <Form
      submission={saving.submission}
      submitLabel={t('brand.save')}
      onSubmit={saving.save}
      footer={
        <>
          <Button variant="default" onClick={() => onChange(DEFAULT_DRAFT)}>
            {t('brand.reset')}
          </Button>
          <ConflictNotice {...saving} />
        </>
      }
    >
      <LookFields {...props} />
      <div className={classes.languages}>
        <Segments
          label={t('brand.texts')}
          value={language}
          options={SERVICE_LANGUAGES.map((value) => ({ value, label: languageName(value) }))}
          onChange={onLanguage}
        />
      </div>
      <TextFields {...props} />
      <SenderFields {...props} />
    </Form>
  );
}
