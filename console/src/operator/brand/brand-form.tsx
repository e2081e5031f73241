import { SERVICE_LANGUAGES, type ServiceLanguage } from '../../api/service-language.ts';
import { Button } from '../../components/button.tsx';
import { Select, Textarea, TextInput } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Segments } from '../../components/segmented-control.tsx';
import { Text } from '../../components/text.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { LANGUAGES } from '../../i18n/languages.ts';
import { joinSentences } from '../../i18n/sentences.ts';
import { AccentField } from './accent-field.tsx';
import classes from './brand.module.css';
import { ConflictNotice } from './conflict-notice.tsx';
import { DEFAULT_DRAFT, type Draft, excessOf, LIMITS, type Limited } from './draft.ts';
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
  /** The draft is not what is saved. */
  readonly isChanged: boolean;
  readonly onDiscard: () => void;
  readonly onLanguage: (language: ServiceLanguage) => void;
}

/** What a field is for and how much it holds; and by how much a text is too long for it. */
function useLimits() {
  const { t, language } = useTranslation('operator');
  return {
    leadOf: (lead: 'nameLead' | 'supportLead' | 'senderLead' | 'textLead', name: Limited) =>
      joinSentences(language, t(`brand.${lead}`), t('brand.limit', { count: LIMITS[name] })),
    excessText(name: Limited, text: string): string | undefined {
      const count = excessOf(name, text);
      return count === 0 ? undefined : t('brand.tooLong', { count });
    },
  };
}

function LookFields({ settings, draft, onChange }: FieldsProps) {
  const { t } = useTranslation('operator');
  const { leadOf, excessText } = useLimits();
  return (
    <>
      <TextInput
        name="name"
        className={classes.field}
        label={t('brand.name')}
        description={leadOf('nameLead', 'name')}
        value={draft.name}
        onChange={(event) => onChange({ ...draft, name: event.currentTarget.value })}
        placeholder={settings.default_name}
        error={excessText('name', draft.name)}
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
        className={classes.field}
        label={t('brand.support')}
        description={leadOf('supportLead', 'support_url')}
        value={draft.support_url}
        onChange={(event) => onChange({ ...draft, support_url: event.currentTarget.value })}
        inputMode="url"
        error={excessText('support_url', draft.support_url)}
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
  { name: 'sign_in_text', label: 'brand.signInText' },
  { name: 'mail_footer', label: 'brand.mailFooter' },
] as const;

function TextFields({ draft, language, onChange }: FieldsProps) {
  const { t } = useTranslation('operator');
  const { leadOf, excessText } = useLimits();
  return TEXTS.map(({ name, label }) => (
    <Textarea
      key={`${name}.${language}`}
      name={`${name}.${language}`}
      className={classes.field}
      label={t(label, { language: languageName(language) })}
      description={leadOf('textLead', name)}
      lang={language}
      rows={2}
      error={excessText(name, draft[name][language] ?? '')}
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
  const { leadOf, excessText } = useLimits();
  const [first = '', ...others] = settings.mail_sender_addresses;
  return (
    <>
      <TextInput
        name="mail_sender_name"
        className={classes.field}
        label={t('brand.sender')}
        description={leadOf('senderLead', 'mail_sender_name')}
        value={draft.mail_sender_name}
        onChange={(event) => onChange({ ...draft, mail_sender_name: event.currentTarget.value })}
        placeholder={draft.name || settings.default_mail_sender_name}
        error={excessText('mail_sender_name', draft.mail_sender_name)}
        autoComplete="off"
      />
      <Select
        name="mail_sender_address"
        className={classes.field}
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
export function BrandForm({ saving, isChanged, onDiscard, onLanguage, ...props }: Props) {
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
          {isChanged && (
            <>
              <Button variant="default" onClick={onDiscard}>
                {t('brand.discard')}
              </Button>
              <Text isSmall isDimmed>
                {t('brand.unsaved')}
              </Text>
            </>
          )}
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
