import { useSyncExternalStore } from 'react';
import type { Brand } from '../theme/brand.ts';
import { onThemeChange, readTheme, type Theme } from '../theme/theme.ts';
import classes from './brand.module.css';

/** The mark of the service: three nodes of a network. */
function BrandMark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false" className={classes.mark}>
      <rect width="32" height="32" rx="9" />
      <path
        d="M16 9.5 9.6 21M16 9.5 22.4 21M11 22.5h10"
        stroke="#fff"
        strokeOpacity=".55"
        strokeWidth="1.8"
      />
      <circle cx="16" cy="9" r="3.4" fill="#fff" />
      <circle cx="9.2" cy="22.2" r="2.7" fill="#fff" fillOpacity=".65" />
      <circle cx="22.8" cy="22.2" r="2.7" fill="#fff" fillOpacity=".65" />
    </svg>
  );
}

type Logos = Pick<Brand, 'logo' | 'dark_logo'>;

/** The logo of the network, for a page of this theme; without one, the mark of the service. */
export function ThemedBrandSign({
  logos,
  theme,
}: {
  readonly logos: Logos;
  readonly theme: Theme;
}) {
  const { logo, dark_logo: darkLogo } = logos;
  const isDark = theme === 'dark';
  const image = isDark ? (darkLogo ?? logo) : logo;
  if (!image) return <BrandMark />;
  // One that is drawn for light pages has a light plate on dark ones.
  const isPlated = isDark && darkLogo === undefined;
  return (
    <img
      className={isPlated ? `${classes.logo} ${classes.plate}` : classes.logo}
      src={image.path}
      width={image.width}
      height={image.height}
      alt=""
    />
  );
}

/** The same in the theme of the page. */
export function BrandSign(logos: Logos) {
  const theme = useSyncExternalStore(onThemeChange, readTheme);
  return <ThemedBrandSign logos={logos} theme={theme} />;
}
