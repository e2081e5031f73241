import { use, useId, useState } from 'react';
import buttons from '../../components/button.module.css';
import { IconButton } from '../../components/button.tsx';
import fields from '../../components/field.module.css';
import { FieldProblems } from '../../components/field-frame.tsx';
import { Icon } from '../../components/icon.tsx';
import { useReadOnly } from '../../components/read-only.ts';
import unseen from '../../components/visually-hidden.module.css';
import { useTranslation } from '../../i18n/index.ts';
import classes from './brand.module.css';
import type { LogoDraft } from './draft.ts';
import { LOGO_BYTES_MAX, LOGO_TYPES, readLogo } from './read-logo.ts';

interface PickerProps {
  readonly name: string;
  readonly label: string;
  readonly isWrong: boolean;
  readonly describedBy: string;
  readonly onChoose: (file: File | undefined) => Promise<void>;
}

/** The browser's own button would speak the browser's language. */
function FilePicker({ name, label, isWrong, describedBy, onChoose }: PickerProps) {
  return (
    <label className={`${buttons.button} ${classes.choose}`} data-variant="default" data-size="sm">
      <input
        type="file"
        name={name}
        accept={LOGO_TYPES}
        className={unseen.unseen}
        aria-invalid={isWrong || undefined}
        aria-describedby={describedBy}
        onChange={(event) => {
          const { currentTarget: input } = event;
          void onChoose(input.files?.[0]).finally(() => {
            // The same file can be chosen again.
            input.value = '';
          });
        }}
      />
      <span className={buttons.label}>
        <Icon name="plus" size={18} />
        {label}
      </span>
    </label>
  );
}

interface Props {
  readonly name: 'logo' | 'dark_logo';
  readonly logo: LogoDraft;
  readonly onChange: (logo: LogoDraft) => void;
}

/** Chooses a picture, or removes the one that is there. */
export function LogoField({ name, logo, onChange }: Props) {
  const { t } = useTranslation('operator');
  const id = useId();
  const problems = use(FieldProblems);
  const isReadOnly = useReadOnly();
  const [unfit, setUnfit] = useState('');
  const isDark = name === 'dark_logo';
  const error = unfit || problems[name];
  const choose = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    if (file.size > LOGO_BYTES_MAX) return setUnfit(t('brand.logoTooLarge'));
    const chosen = await readLogo(file);
    setUnfit(chosen ? '' : t('brand.logoUnknown'));
    if (chosen) onChange(chosen);
  };
  return (
    <div className={`${fields.field} ${classes.field}`}>
      <span className={fields.label}>{t(isDark ? 'brand.darkLogo' : 'brand.logo')}</span>
      <p id={`${id}-hint`} className={fields.description}>
        {t(isDark ? 'brand.darkLogoLead' : 'brand.logoLead')}
      </p>
      <div className={classes.logoRow}>
        {logo.image && (
          <img
            className={classes.thumbnail}
            data-dark={isDark || undefined}
            src={logo.image.path}
            alt=""
          />
        )}
        {!isReadOnly && (
          <FilePicker
            name={name}
            label={t(isDark ? 'brand.chooseDarkLogo' : 'brand.chooseLogo')}
            isWrong={Boolean(error)}
            describedBy={error ? `${id}-hint ${id}-error` : `${id}-hint`}
            onChoose={choose}
          />
        )}
        {logo.image && !isReadOnly && (
          <IconButton
            icon="trash"
            label={t(isDark ? 'brand.removeDarkLogo' : 'brand.removeLogo')}
            onClick={() => onChange({ change: null })}
          />
        )}
      </div>
      {error && (
        <p id={`${id}-error`} className={fields.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
