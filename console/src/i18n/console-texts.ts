/** Texts of the console's pages; loaded with them, not with the sign-in page. */
import { languageData } from './find-language.ts';

export async function loadConsoleTexts(
  language: string,
): Promise<Readonly<Record<string, object>>> {
  return { ...(await languageData(language).loadConsole()) };
}
