/** The brand as the form has it, before it is saved. */
import { isAccent } from '@edge-account/sdk/accent';
import { countCharacters } from '../../lib/characters.ts';
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

/** Characters as a person counts them; as the service limits them. */
export const LIMITS = {
  name: 40,
  mail_sender_name: 60,
  support_url: 500,
  sign_in_text: 300,
  mail_footer: 500,
} as const;

export type Limited = keyof typeof LIMITS;

/** By how many characters a text is too long; 0 for one that fits. */
export const excessOf = (name: Limited, text: string): number =>
  Math.max(0, countCharacters(text.trim()) - LIMITS[name]);

/** Fields of the form whose text is too long, by their names, with the limit of each. */
export function findTooLong(draft: Draft): Readonly<Record<string, number>> {
  const { name, mail_sender_name, support_url } = draft;
  const texts = [
    ...Object.entries({ name, mail_sender_name, support_url }),
    ...(['sign_in_text', 'mail_footer'] as const).flatMap((field) =>
      Object.entries(draft[field]).map(
        ([language, text = '']) => [`${field}.${language}`, text] as const,
      ),
    ),
  ];
  return Object.fromEntries(
    texts.flatMap(([field, text]) => {
      const limited = field.split('.', 1)[0] as Limited;
      return excessOf(limited, text) > 0 ? [[field, LIMITS[limited]]] : [];
    }),
  );
}

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
