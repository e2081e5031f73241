/** The brand as the form has it, before it is saved. */
import { isAccent } from '@edge-account/sdk/accent';
import type { BrandOrder, BrandSettings } from './queries.ts';

type Texts = BrandSettings['sign_in_text'];

export interface LogoDraft {
  /** What is shown: as it is stored, or as it was chosen. */
  readonly image?: NonNullable<BrandSettings['logo']>;
  /** In base64, or null to remove it; absent: it stays. */
  readonly change?: string | null;
}

export interface Draft {
  readonly name: string;
  readonly accent: string;
  readonly support_url: string;
  readonly mail_sender_name: string;
  readonly mail_sender_address: string;
  readonly sign_in_text: Texts;
  readonly mail_footer: Texts;
  readonly logo: LogoDraft;
  readonly dark_logo: LogoDraft;
}

const toLogo = (image: BrandSettings['logo']): LogoDraft => (image ? { image } : {});

export const toDraft = (settings: BrandSettings): Draft => ({
  name: settings.name ?? '',
  accent: settings.accent ?? '',
  support_url: settings.support_url ?? '',
  mail_sender_name: settings.mail_sender_name ?? '',
  mail_sender_address: settings.mail_sender_address ?? '',
  sign_in_text: settings.sign_in_text,
  mail_footer: settings.mail_footer,
  logo: toLogo(settings.logo),
  dark_logo: toLogo(settings.dark_logo),
});

/** The draft with the logos that are stored now, but for those that are chosen in it. */
export const withLogosOf = (settings: BrandSettings, draft: Draft): Draft => ({
  ...draft,
  ...(draft.logo.change === undefined && { logo: toLogo(settings.logo) }),
  ...(draft.dark_logo.change === undefined && { dark_logo: toLogo(settings.dark_logo) }),
});

/** Everything as the configuration has it. */
export const DEFAULT_DRAFT: Draft = {
  name: '',
  accent: '',
  support_url: '',
  mail_sender_name: '',
  mail_sender_address: '',
  sign_in_text: {},
  mail_footer: {},
  logo: { change: null },
  dark_logo: { change: null },
};

/** The accent as it is sent; undefined for none, and for what is no colour (yet). */
export function accentOf({ accent }: Pick<Draft, 'accent'>): string | undefined {
  const text = accent.trim().toLowerCase();
  return isAccent(text) ? text : undefined;
}

/** True for what is filled in and no colour. */
export const isAccentWrong = (draft: Pick<Draft, 'accent'>): boolean =>
  draft.accent.trim() !== '' && accentOf(draft) === undefined;

/** Only what is filled in. */
function filled<T extends Readonly<Record<string, string | undefined>>>(texts: T): Partial<T> {
  const trimmed = Object.entries(texts).map(([name, text = '']) => [name, text.trim()] as const);
  return Object.fromEntries(trimmed.filter(([, text]) => text !== '')) as Partial<T>;
}

const changeOf = (name: 'logo' | 'dark_logo', { change }: LogoDraft): BrandOrder =>
  change === undefined ? {} : { [name]: change };

export function toOrder(draft: Draft): BrandOrder {
  const { sign_in_text, mail_footer, logo, dark_logo, accent: _, ...fields } = draft;
  const accent = accentOf(draft);
  return {
    ...filled(fields),
    ...(accent !== undefined && { accent }),
    sign_in_text: filled(sign_in_text),
    mail_footer: filled(mail_footer),
    ...changeOf('logo', logo),
    ...changeOf('dark_logo', dark_logo),
  };
}
