/** Bodies of `/brand` and `/operator/brand`. */
import Type, { type TString } from 'typebox';
import { Timestamp } from '../http/index.ts';
import { LANGUAGES, type Language } from '../lib/language.ts';

export const NAME_MAX = 40;
export const SENDER_NAME_MAX = 60;
export const SIGN_IN_TEXT_MAX = 300;
export const FOOTER_MAX = 500;
export const LOGO_BYTES_MAX = 65_536;
const URL_MAX = 500;
const LOGO_BASE64_MAX = Math.ceil(LOGO_BYTES_MAX / 3) * 4;

const Name = Type.String({
  maxLength: 4 * NAME_MAX,
  description:
    'What the network is called: pages, mails, authenticators, passkeys, statements. 1 to ' +
    `${NAME_MAX} characters, without < > " \\ @ and ://.`,
});
const Accent = Type.String({
  pattern: '^#[0-9a-fA-F]{6}$',
  description: 'Accent colour, sRGB as `#rrggbb`.',
});
const SupportUrl = Type.String({
  maxLength: URL_MAX,
  description: 'Where people find help: `https:`, or `mailto:` with one address and nothing else.',
});
const SenderName = Type.String({
  maxLength: 4 * SENDER_NAME_MAX,
  description:
    `Name of the sender of mails: 1 to ${SENDER_NAME_MAX} characters, without < > " \\ @ and ` +
    '://. Default: `name`, or else the name in `MAIL_FROM`.',
});
const SenderAddress = Type.String({
  maxLength: 320,
  description: 'Address of the sender of mails: one of `mail_sender_addresses`.',
});

/** An object with a text for each language. */
function TextByLanguage(max: number, description: string) {
  const text = Type.Optional(Type.String({ maxLength: 4 * max }));
  const properties = Object.fromEntries(LANGUAGES.map((language) => [language, text]));
  return Type.Object(properties as Record<Language, typeof text>, {
    additionalProperties: false,
    description:
      `${description} Plain text, 1 to ${max} characters; a language without one has the ` +
      'English one.',
  });
}
const SignInText = TextByLanguage(SIGN_IN_TEXT_MAX, 'Text on the sign-in page, by language.');
const MailFooter = TextByLanguage(FOOTER_MAX, 'Last lines of mails, by language.');

const LogoUpload = (description: string) =>
  Type.Union(
    [
      Type.String({ maxLength: LOGO_BASE64_MAX, pattern: '^[A-Za-z0-9+/]+={0,2}$' }) as TString,
      Type.Null(),
    ],
    { description: `${description} Left out: it stays. Null: none.` },
  );

export const BrandOrder = Type.Object(
  {
    name: Type.Optional(Name),
    accent: Type.Optional(Accent),
    logo: Type.Optional(
      LogoUpload(
        'PNG, JPEG or WebP in base64: at most 64 KB, and 1,024 pixels in a side. Its type ' +
          'follows from its content.',
      ),
    ),
    dark_logo: Type.Optional(LogoUpload('The same for dark pages; it needs `logo`.')),
    support_url: Type.Optional(SupportUrl),
    sign_in_text: Type.Optional(SignInText),
    mail_footer: Type.Optional(MailFooter),
    mail_sender_name: Type.Optional(SenderName),
    mail_sender_address: Type.Optional(SenderAddress),
  },
  {
    additionalProperties: false,
    description: 'The whole brand: what is left out, but a logo, gets its default.',
  },
);

const Logo = Type.Object(
  {
    path: Type.String({ description: 'Path of the image at this service.' }),
    width: Type.Integer({ minimum: 1, maximum: 1024, description: 'In pixels.' }),
    height: Type.Integer({ minimum: 1, maximum: 1024, description: 'In pixels.' }),
  },
  { $id: 'BrandLogo', description: 'PNG, JPEG or WebP.' },
);

const Color = (description: string) => Type.String({ pattern: '^#[0-9a-f]{6}$', description });
const Shades = Type.Object(
  {
    filled: Color('Links, and what buttons are filled with.'),
    filled_hover: Color('The same under the pointer.'),
    on_filled: Color('Text on both.'),
  },
  { $id: 'BrandShades', description: 'sRGB, `#rrggbb`. Text has a contrast of at least 4.5:1.' },
);

const shown = {
  accent: Type.Optional(Accent),
  logo: Type.Optional(Logo),
  dark_logo: Type.Optional(Logo),
  support_url: Type.Optional(SupportUrl),
  sign_in_text: SignInText,
};

export const PublicBrand = Type.Object(
  {
    name: Name,
    ...shown,
    shades: Type.Optional(
      Type.Object(
        { light: Shades, dark: Shades },
        { description: 'What light and dark pages make of `accent`.' },
      ),
    ),
  },
  { $id: 'Brand', description: 'What people know the network by; absent: the default.' },
);

export const OperatorBrand = Type.Object(
  {
    name: Type.Optional(Name),
    ...shown,
    mail_footer: MailFooter,
    mail_sender_name: Type.Optional(SenderName),
    mail_sender_address: Type.Optional(SenderAddress),
    mail_sender_addresses: Type.Array(Type.String(), {
      description:
        'What `mail_sender_address` can be: the address of `MAIL_FROM`, then those of ' +
        '`MAIL_SENDERS`.',
    }),
    default_name: Type.String({ description: '`name` where none is set.' }),
    default_mail_sender_name: Type.String({
      description: 'The name in `MAIL_FROM`; empty: none.',
    }),
    updated_at: Type.Optional(Timestamp('The last change; absent: nothing was ever set.')),
  },
  { $id: 'OperatorBrand', description: 'The brand as operators set it; absent: the default.' },
);
