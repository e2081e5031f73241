/** Who mails come from: as operators choose, within what the configuration allows. */
import type { Config } from '../config.ts';
import type { Brand } from './brand.ts';

export interface MailSender {
  /** Empty: the address alone. */
  readonly name: string;
  readonly address: string;
}

type SenderSettings = Pick<Config, 'MAIL_FROM' | 'MAIL_SENDERS'>;

/** The sender of `MAIL_FROM`: `name <address>`, or an address. */
export function configuredSender({ MAIL_FROM }: Pick<Config, 'MAIL_FROM'>): MailSender {
  const [, name, address] = /^([^<]*)<([^>]*)>$/.exec(MAIL_FROM) ?? ['', '', MAIL_FROM];
  return { name: (name ?? '').trim().replace(/^"(.*)"$/, '$1'), address: address ?? '' };
}

/**
 * The addresses that operators may choose. A session of an operator that is stolen can so send
 * mails as none that the owner of the server has not named.
 */
export function allowedAddresses(config: SenderSettings): readonly string[] {
  const named = config.MAIL_SENDERS.split(',').map((address) => address.trim());
  const all = [configuredSender(config).address, ...named.filter((address) => address !== '')];
  return [...new Set(all)];
}

/** The sender now: an address that the configuration no longer allows is not used. */
export function senderOf(brand: Brand, config: SenderSettings): MailSender {
  const configured = configuredSender(config);
  const { mailSenderAddress: chosen = '' } = brand;
  return {
    name: brand.mailSenderName ?? brand.name ?? configured.name,
    address: allowedAddresses(config).includes(chosen) ? chosen : configured.address,
  };
}
