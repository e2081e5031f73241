/**
 * The list of languages with two more, made from the English texts: `npm run
 * dev` and tests have it in place of `../languages.ts`.
 */
import * as en from '../en/sign-in.ts';
import { type LanguageData, LANGUAGES as OFFERED } from '../languages.ts';
import type { ConsoleTexts, EntryTexts, Translation } from '../texts.ts';
import { createPseudoTexts, lengthen, turnAround } from './pseudo-texts.ts';

function pseudoLanguage(
  tag: string,
  data: Pick<LanguageData, 'name' | 'direction'>,
  write: (text: string) => string,
): LanguageData {
  return {
    ...data,
    sentenceGap: ' ',
    entry: createPseudoTexts(en, tag, write) as Translation<EntryTexts>,
    loadConsole: async () =>
      createPseudoTexts(await import('../en/console.ts'), tag, write) as Translation<ConsoleTexts>,
  };
}

/** Their tags are those that CLDR keeps for pseudo-languages. */
export const LANGUAGES: typeof OFFERED = {
  ...OFFERED,
  'en-XA': pseudoLanguage('en-XA', { name: '[Ëñglíísh]', direction: 'ltr' }, lengthen),
  // Counts as Arabic does, in six forms.
  'ar-XB': pseudoLanguage('ar-XB', { name: '[hsilgnE]', direction: 'rtl' }, turnAround),
};
