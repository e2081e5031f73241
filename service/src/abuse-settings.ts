/** Settings against accounts that programs make; a part of `config-schema.ts`. */
import Type from 'typebox';

export const ABUSE_SETTINGS = {
  DISPOSABLE_MAIL: Type.Union([Type.Literal('refuse'), Type.Literal('accept')], {
    default: 'refuse',
    description: 'Addresses at known domains of disposable mailboxes: `refuse` or `accept`.',
  }),
  MAIL_DOMAINS_REFUSED: Type.String({
    default: '',
    description: 'Further domains that no account may use, with commas between; subdomains too.',
  }),
  MAIL_DOMAINS_ALLOWED: Type.String({
    default: 'duck.com,mozmail.com',
    description:
      'Domains that are accepted although they are listed, with commas between; the default are ' +
      'relays that forward to a person.',
  }),
  MAIL_DOMAINS_SHARED: Type.String({
    default:
      'gmail.com,googlemail.com,outlook.com,hotmail.com,live.com,msn.com,yahoo.com,icloud.com,' +
      'me.com,aol.com,proton.me,protonmail.com,gmx.com,gmx.net,gmx.de,web.de,mail.com,zoho.com,' +
      'fastmail.com,yandex.com,yandex.ru,mail.ru,qq.com,163.com,126.com,sina.com,foxmail.com,' +
      'naver.com,daum.net,orange.fr,free.fr,libero.it,t-online.de,comcast.net',
    description:
      'Mail providers that strangers share, with commas between: registrations are counted by ' +
      'mailbox there, elsewhere by domain.',
  }),
  CHALLENGE: Type.Union(
    [
      Type.Literal('proof_of_work'),
      Type.Literal('turnstile'),
      Type.Literal('hcaptcha'),
      Type.Literal('off'),
    ],
    {
      default: 'proof_of_work',
      description:
        'What sign-in asks of a suspicious request: work of the browser (without a third ' +
        'party), or the widget of a provider.',
    },
  ),
  CHALLENGE_SITE_KEY: Type.String({
    default: '',
    description: 'Public key of the site at Turnstile or hCaptcha.',
  }),
  CHALLENGE_SECRET: Type.String({
    default: '',
    description: 'Secret key of the site at Turnstile or hCaptcha.',
  }),
  CHALLENGE_VERIFY_URL: Type.String({
    default: '',
    description: 'Where its solutions are verified. Default: the address of the provider.',
  }),
  REGISTRATIONS_EXPECTED: Type.Integer({
    default: 30,
    minimum: 1,
    maximum: 1_000_000,
    description:
      'Registrations from all networks in an hour; with more, networks without users are asked ' +
      'for a challenge, and challenges become harder.',
  }),
};
