/** The design tokens: warm neutrals, one green that means "go on" and "earned", and quiet surfaces. */
import { type CSSVariablesResolver, createTheme, defaultVariantColorsResolver, type MantineColorsTuple } from '@mantine/core';

const leaf: MantineColorsTuple = ['#e8f7ef', '#cfeedf', '#a3dfc1', '#72cfa1', '#48bf86', '#23a66c', '#128857', '#0c7349', '#085a39', '#054129'];
const amber: MantineColorsTuple = ['#fdf3e0', '#fae4bd', '#f4cb83', '#eeb14a', '#e79a1e', '#c67f0d', '#a0650a', '#83520a', '#653f0a', '#482c07'];
const rust: MantineColorsTuple = ['#fdeeea', '#fad8cf', '#f4af9f', '#ee846d', '#e65f43', '#cf4427', '#b8361b', '#9b2c16', '#7a2413', '#571a0e'];
const gray: MantineColorsTuple = ['#f6f6f2', '#eeeeea', '#e4e4de', '#d6d6cf', '#92948d', '#83857e', '#666963', '#4c4f4a', '#323531', '#1a1d1b'];
const dark: MantineColorsTuple = ['#e9ece9', '#c8cdc9', '#a2aaa5', '#77807b', '#66706a', '#2a322e', '#1c2320', '#121614', '#0c0f0e', '#070908'];

const FONT =
  'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "PingFang SC", "Microsoft YaHei", "Noto Sans SC", sans-serif';

export const theme = createTheme({
  primaryColor: 'leaf',
  primaryShade: { light: 7, dark: 4 },
  // Filled buttons are dark in the light theme and light in the dark one: so is the text on them, the other way round.
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input);
    return input.variant === 'filled' ? { ...colors, color: 'var(--on-filled)' } : colors;
  },
  colors: { leaf, amber, rust, gray, dark, red: rust },
  black: '#1a1d1b',
  white: '#ffffff',
  fontFamily: FONT,
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace',
  fontSizes: { xs: '0.8125rem', sm: '0.875rem', md: '1rem', lg: '1.125rem', xl: '1.3125rem' },
  headings: {
    fontFamily: FONT,
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.625rem', lineHeight: '1.2' },
      h2: { fontSize: '1.125rem', lineHeight: '1.35' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 'md',
  radius: { xs: '6px', sm: '8px', md: '12px', lg: '18px', xl: '26px' },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'md' } },
    TextInput: { defaultProps: { size: 'md' } },
    PasswordInput: { defaultProps: { size: 'md' } },
    NativeSelect: { defaultProps: { size: 'md' } },
    Skeleton: { defaultProps: { radius: 'sm' } },
    Anchor: { defaultProps: { underline: 'always' } },
  },
});

/** Text colours that keep 4.5:1 on both surfaces; Mantine's own dimmed text does not. */
export const resolveVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#f6f6f2',
    '--mantine-color-dimmed': '#5f625c',
    '--mantine-color-placeholder': '#6b6e68',
    '--mantine-color-error': '#b8361b',
    '--mantine-color-anchor': '#0c7349',
    '--mantine-color-default-border': '#d6d6cf',
    '--on-filled': '#ffffff',
    '--surface': '#ffffff',
    '--surface-sunken': '#eeeeea',
    '--line': '#e4e4de',
    '--line-strong': '#8d8f88',
    '--earned': '#0c7349',
    '--spent': '#1a1d1b',
    '--warned': '#83520a',
  },
  dark: {
    '--mantine-color-body': '#121614',
    '--mantine-color-dimmed': '#a2aaa5',
    '--mantine-color-placeholder': '#8b948f',
    '--mantine-color-error': '#f4937d',
    '--mantine-color-anchor': '#72cfa1',
    '--mantine-color-default-border': '#3c4540',
    '--on-filled': '#08150e',
    '--surface': '#1a201d',
    '--surface-sunken': '#0c0f0e',
    '--line': '#2a322e',
    '--line-strong': '#66706a',
    '--earned': '#72cfa1',
    '--spent': '#e9ece9',
    '--warned': '#f4cb83',
  },
});
