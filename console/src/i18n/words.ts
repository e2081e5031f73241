/** Codes of the service in words; a code without words of ours is shown as it is, tidied. */

/** Any translation function: its own type knows only the keys of its namespace. */
type Translate = (key: never, options: never) => unknown;

function wordsOf(t: Translate, group: string, code: string): string {
  const translate = t as unknown as (key: string, options: { ns: string; defaultValue: string }) => string;
  const tidy = code.replaceAll(/[_.]/g, ' ').toLowerCase();
  return translate(`${group}.${code}`, { ns: 'shell', defaultValue: tidy.charAt(0).toUpperCase() + tidy.slice(1) });
}

export function rewardTypeText(t: Translate, code: string): string {
  return wordsOf(t, 'rewardType', code);
}

/** A `businessId`. */
export function businessText(t: Translate, code: string): string {
  return wordsOf(t, 'business', code);
}

export function depositStatusText(t: Translate, code: string): string {
  return wordsOf(t, 'depositStatus', code);
}

export function eventText(t: Translate, code: string): string {
  return wordsOf(t, 'securityEvent', code.replaceAll('.', '_'));
}
