/**
 * The English texts of the console. Tests find a text by its key, so that its wording may change.
 */
import * as consoleTexts from '../../src/i18n/en/console.ts';
import { common, signIn } from '../../src/i18n/en/sign-in.ts';

export const texts = { common, signIn, ...consoleTexts };
