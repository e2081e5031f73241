/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../http/index.ts';

export const operations = describeOperations('rewards', {
  listRewardKeys: {
    summary: 'The key that signs proofs (JWK set)',
    description: 'Ed25519 public keys, for all who check a proof without access to the service.',
  },
  listRewardRoots: {
    summary: 'The roots of settled hours, newest first',
    description:
      'The same for every reader: compare the root of a proof with the one of its batch here, ' +
      'or with a copy that another user kept.',
  },
  listRewardLines: {
    summary: 'Reward lines, paid or not, with the reason',
    description:
      'What the rules computed for the devices and referees of the person, hour by hour, also ' +
      'where nothing was paid. Where the operator archives rewards (`REWARD_KEPT_DAYS`), the ' +
      'proof of a bill has its older lines, and this list does not.',
  },
  getRewardSchedule: {
    summary: 'Whether the network pays rewards, for what, and when the next time',
    description:
      'The same for every user, and open to each of their tokens, those of devices included. ' +
      'Hours are paid in their order, some time after each, or after their UTC day.',
  },
  getRewardProof: {
    summary: 'Proof of a reward bill',
    description:
      'From the bill to the rule, the usage and the root in the sealed ledger. Keep the bytes ' +
      'unchanged: `edge-account verify-proof FILE` checks them offline.',
    failures: ['not_paid_by_rules', 'not_provable', 'not_settled', 'unavailable'],
  },
});
