/** Words of statements, in the language of each. */
import { type Language, textsOf } from '../../lib/language.ts';

export type StatementTexts = ReturnType<typeof textsOf>['statement'];

const MONTH = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;

/** The month of an instant, for example `November 2026`. */
export function writeMonth(from: Date, language: Language): string {
  return new Intl.DateTimeFormat(textsOf(language).tag, MONTH).format(from);
}

/** The name of a type, or its code where it is the operator's own. */
export function nameOf(names: Readonly<Record<string, string>>, code: string): string {
  return names[code] ?? code;
}
