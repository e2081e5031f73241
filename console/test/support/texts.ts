/** The console's English texts. Tests find a text by its key, so that a better wording is free. */
import * as consoleTexts from '../../src/i18n/en/console.ts';
import { common, signIn } from '../../src/i18n/en/sign-in.ts';

export const texts = { common, signIn, ...consoleTexts };
