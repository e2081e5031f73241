/** What the brand would look like, in light and in dark, before it is saved. */

import {
  type AccentShades,
  createAccentShades,
  TEXT_CONTRAST,
  toCustomProperties,
} from '@edge-account/sdk/accent';
import type { CSSProperties } from 'react';
import type { ServiceLanguage } from '../../api/service-language.ts';
import { ThemedBrandSign } from '../../components/brand.tsx';
import buttons from '../../components/button.module.css';
import fields from '../../components/field.module.css';
import { useTranslation } from '../../i18n/index.ts';
import { signInTextOf } from '../../theme/brand.ts';
import type { Theme } from '../../theme/theme.ts';
import classes from './brand.module.css';
import { accentOf, type Draft } from './draft.ts';
import type { BrandSettings } from './queries.ts';

interface Props {
  readonly settings: BrandSettings;
  readonly draft: Draft;
  /** Of the texts that operators write. */
  readonly language: ServiceLanguage;
}

interface PaneProps extends Props {
  readonly theme: Theme;
  readonly shades: AccentShades | undefined;
}

function SignInCard({ settings, draft, language, theme }: PaneProps) {
  const { t } = useTranslation('signIn');
  const text = signInTextOf({ name: '', sign_in_text: draft.sign_in_text }, language);
  const logos = {
    ...(draft.logo.image && { logo: draft.logo.image }),
    ...(draft.dark_logo.image && { dark_logo: draft.dark_logo.image }),
  };
  return (
    <div className={classes.card}>
      <p className={classes.sign}>
        <ThemedBrandSign logos={logos} theme={theme} />
        <span>{draft.name.trim() || settings.default_name}</span>
      </p>
      <p className={classes.title}>{t('title')}</p>
      <p className={fields.label}>{t('email')}</p>
      <p className={fields.input} />
      <p>
        <span className={`${buttons.button} ${buttons.wide}`} data-variant="filled">
          {t('submit')}
        </span>
      </p>
      <p>
        <span className={classes.link}>{t('forgot')}</span>
      </p>
      {text && <p className={classes.quiet}>{text}</p>}
      {draft.support_url.trim() !== '' && (
        <p>
          <span className={classes.link}>{t('help')}</span>
        </p>
      )}
    </div>
  );
}

function Mail({ settings, draft, language }: Props) {
  const { t } = useTranslation('operator');
  const name = draft.name.trim() || settings.default_name;
  const sender =
    draft.mail_sender_name.trim() || draft.name.trim() || settings.default_mail_sender_name;
  const address = draft.mail_sender_address || settings.mail_sender_addresses[0];
  const footer = draft.mail_footer[language] || draft.mail_footer.en;
  return (
    <div className={classes.mail}>
      <p className={classes.quiet}>
        {t('brand.mailFrom', { sender: `${sender} <${address}>`.trim() })}
      </p>
      <p className={classes.subject}>{t('brand.mailSubject')}</p>
      <p>{t('brand.mailText')}</p>
      <p>123456</p>
      <p>{name}</p>
      {footer && <p>{footer}</p>}
      {draft.support_url.trim() !== '' && <p>{draft.support_url.trim().replace(/^mailto:/, '')}</p>}
    </div>
  );
}

/** Rounded down: what is too little does not look like enough. */
function useContrastText(): (contrast: number) => string {
  const { language } = useTranslation('operator');
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  return (contrast) => format.format(Math.floor(contrast * 10) / 10);
}

function ContrastNote({ draft, theme, shades }: PaneProps) {
  const { t } = useTranslation('operator');
  const contrastText = useContrastText();
  const accent = accentOf(draft);
  if (!shades || accent === undefined) return <p>{t('brand.ownAccent')}</p>;
  const { filled, ownContrast } = shades[theme];
  const contrast = contrastText(ownContrast);
  if (filled === accent) return <p>{t('brand.kept', { contrast })}</p>;
  const needed = contrastText(TEXT_CONTRAST);
  return (
    <p className={classes.warning}>
      {t('brand.corrected', { accent, contrast, needed, shade: filled })}
    </p>
  );
}

function Pane(props: PaneProps) {
  const { t } = useTranslation('operator');
  const { theme, shades } = props;
  const style = { colorScheme: theme, ...(shades && toCustomProperties(shades)) };
  return (
    <figure className={classes.pane}>
      <figcaption className={classes.caption}>
        <strong>{t(`brand.${theme}`)}</strong>
        <ContrastNote {...props} />
      </figcaption>
      <div
        className={classes.page}
        data-accent={shades ? 'chosen' : 'own'}
        data-preview={theme}
        style={style as CSSProperties}
        inert
      >
        <SignInCard {...props} />
        <p className={classes.buttons}>
          <span className={buttons.button} data-variant="filled" data-size="sm">
            {t('confirm')}
          </span>
          <span className={buttons.button} data-variant="default" data-size="sm">
            {t('brand.other')}
          </span>
        </p>
        <Mail {...props} />
      </div>
    </figure>
  );
}

export function BrandPreview(props: Props) {
  const accent = accentOf(props.draft);
  const shades = accent === undefined ? undefined : createAccentShades(accent);
  return (
    <div className={classes.panes}>
      {(['light', 'dark'] as const).map((theme) => (
        <Pane key={theme} {...props} theme={theme} shades={shades} />
      ))}
    </div>
  );
}
