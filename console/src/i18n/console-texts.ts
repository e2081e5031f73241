/** Texts of the console's pages; loaded with them, not with the sign-in page. */
import type { Language } from './index.ts';

const CONSOLE = { en: () => import('./en/console.ts'), zh: () => import('./zh/console.ts') };

export async function loadConsoleTexts(
  language: Language,
): Promise<Readonly<Record<string, object>>> {
  return { ...(await CONSOLE[language]()) };
}
