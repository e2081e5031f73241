import { TextInput } from '../../components/field.tsx';
import { useTranslation } from '../../i18n/index.ts';
import classes from './brand.module.css';
import { accentOf, isAccentWrong } from './draft.ts';

/** Where the browser's chooser begins. */
const OWN_ACCENT = '#0c7349';

interface Props {
  readonly accent: string;
  readonly onChange: (accent: string) => void;
}

/** A colour, written or chosen. */
export function AccentField({ accent, onChange }: Props) {
  const { t } = useTranslation('operator');
  return (
    <TextInput
      name="accent"
      className={classes.field}
      label={t('brand.accent')}
      description={t('brand.accentLead')}
      error={isAccentWrong({ accent }) ? t('brand.accentInvalid') : undefined}
      value={accent}
      onChange={(event) => onChange(event.currentTarget.value)}
      placeholder={OWN_ACCENT}
      maxLength={7}
      autoComplete="off"
      spellCheck={false}
      trailing={
        <input
          type="color"
          className={classes.swatch}
          aria-label={t('brand.pick')}
          value={accentOf({ accent }) ?? OWN_ACCENT}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      }
    />
  );
}
