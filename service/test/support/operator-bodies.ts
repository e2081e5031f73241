/** What operators send in tests: keys of a chain, rules of rewards, and of payouts. */
import { HDKey } from '@scure/bip32';

export const XPUB = HDKey.fromMasterSeed(Buffer.alloc(32, 5)).derive(
  "m/44'/60'/0'",
).publicExtendedKey;
export const RULES = {
  uptime: { amount: '0.5' },
  traffic: [{ category: '*', amount: '2' }],
  referral: [],
  campaigns: [],
};
export const POLICY_RULE = {
  ...{ currency: 'ETH', network: 'ETHEREUM', fee: '0.01', minimum: '0.05' },
  ...{ person_day_max: '10', day_max: '1000', email_only_day_max: '0.1' },
  ...{ automatic_max: '1', four_eyes_above: '5' },
};
