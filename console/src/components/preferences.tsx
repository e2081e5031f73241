import { useSyncExternalStore } from 'react';
import { changeLanguage, useTranslation } from '../i18n/index.ts';
import { LANGUAGES } from '../i18n/languages.ts';
import { chooseTheme, onThemeChange, readTheme } from '../theme/theme.ts';
import { IconButton } from './button.tsx';
import classes from './preferences.module.css';
import { SelectArrow } from './select-arrow.tsx';

/** Light or dark. */
export function ThemeToggle() {
  const { t } = useTranslation('common');
  const theme = useSyncExternalStore(onThemeChange, readTheme);
  const isDark = theme === 'dark';
  return (
    <IconButton
      icon={isDark ? 'sun' : 'moon'}
      label={isDark ? t('themeLight') : t('themeDark')}
      onClick={() => chooseTheme(isDark ? 'light' : 'dark')}
    />
  );
}

/** The reader's language. */
export function LanguageSelect() {
  const { t, language } = useTranslation('common');
  return (
    <span className={classes.box}>
      <select
        className={classes.language}
        aria-label={t('language')}
        value={language}
        onChange={(event) => void changeLanguage(event.currentTarget.value)}
      >
        {Object.entries(LANGUAGES).map(([code, { name }]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
      <SelectArrow />
    </span>
  );
}
