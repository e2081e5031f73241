/** What the form of a provider sends. */
import { fieldText } from '../../hooks/use-submission.ts';
import { wordsOf } from '../words-of.ts';
import type { Preset, Provider, ProviderOrder } from './queries.ts';

export const PRESETS = [
  'google',
  'apple',
  'microsoft',
  'telegram',
] as const satisfies readonly Preset[];
export const APPLE_ISSUER = 'https://appleid.apple.com';

/** Secrets are never shown: a field that is left empty keeps what is stored. */
function readCredential(form: HTMLFormElement): Pick<ProviderOrder, 'client_secret' | 'apple_key'> {
  const secret = fieldText(form, 'client_secret');
  const key = {
    team_id: fieldText(form, 'apple_key.team_id'),
    key_id: fieldText(form, 'apple_key.key_id'),
    private_key: fieldText(form, 'apple_key.private_key'),
  };
  return {
    ...(secret !== '' && { client_secret: secret }),
    ...(key.private_key !== '' && { apple_key: key }),
  };
}

/** The settings of a known provider follow from its name. */
export function readNewProvider(form: HTMLFormElement, preset: Preset | undefined): ProviderOrder {
  const scopes = wordsOf(fieldText(form, 'scopes'));
  return {
    ...(preset !== undefined && { preset }),
    ...(preset === undefined && {
      label: fieldText(form, 'label'),
      issuer: fieldText(form, 'issuer'),
    }),
    ...(scopes.length > 0 && { scopes }),
    client_id: fieldText(form, 'client_id'),
    second_factor_amr: wordsOf(fieldText(form, 'second_factor_amr')),
    ...readCredential(form),
  };
}

/** What the form does not show stays as it is. */
export function readProvider(form: HTMLFormElement, provider: Provider): ProviderOrder {
  const { issuer, response_mode, sends_nonce, enabled } = provider;
  return {
    ...{ issuer, response_mode, sends_nonce, enabled },
    label: fieldText(form, 'label'),
    scopes: wordsOf(fieldText(form, 'scopes')),
    client_id: fieldText(form, 'client_id'),
    second_factor_amr: wordsOf(fieldText(form, 'second_factor_amr')),
    ...readCredential(form),
  };
}

/** The same provider, switched on or off. */
export function switched(provider: Provider, enabled: boolean): ProviderOrder {
  const { label, issuer, client_id, response_mode, scopes, second_factor_amr, sends_nonce } =
    provider;
  return {
    ...{ label, issuer, client_id, response_mode, scopes, second_factor_amr, sends_nonce },
    enabled,
  };
}
