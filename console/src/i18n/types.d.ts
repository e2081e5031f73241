import 'i18next';
import type * as consoleTexts from './en/console.ts';
import type { common, signIn } from './en/entry.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: { common: typeof common; signIn: typeof signIn } & typeof consoleTexts;
  }
}
