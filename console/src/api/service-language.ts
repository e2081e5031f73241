import type { ResponseBody } from '@edge-account/sdk';

/** A language in which the service writes: mails, pushed notifications, texts of the brand. */
export type ServiceLanguage = NonNullable<
  ResponseBody<'/me/notification-preferences', 'get'>['language']
>;
export const SERVICE_LANGUAGES = ['en', 'es', 'zh'] as const satisfies readonly ServiceLanguage[];

/** The language of a page as the service knows it; undefined: it does not write in it. */
export function toServiceLanguage(language: string): ServiceLanguage | undefined {
  return SERVICE_LANGUAGES.find((known) => known === language);
}
