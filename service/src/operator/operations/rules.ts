/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../../http/index.ts';

export const operations = describeOperations('operator-rules', {
  createRules: {
    summary: 'Draft rules',
    description:
      'Stores a version that pays nothing until it is activated. All faults of the document ' +
      'are reported at once.',
  },
  listRules: {
    summary: 'Versions, newest first',
    description: 'Drafts, the active version, and those that applied before.',
  },
  getRules: {
    summary: 'One version',
    description: 'The rules as they were sent, and when they apply.',
  },
  replaceRules: {
    summary: 'Replace a draft',
    description: 'Only a draft can be replaced. All faults of the document are reported at once.',
    failures: ['rules_not_draft'],
  },
  activateRules: {
    summary: 'Let a version apply from an hour on',
    description:
      'From the begin of an hour that is still to come; the next one by default. The version ' +
      'active before applies until then.',
  },
  dryRunRules: {
    summary: 'Who would have got what',
    description:
      'Nothing is written. Which addresses devices had, and whose account was active, is not ' +
      'kept by hour: limits and gates are judged by those of today, so that a past hour can ' +
      'differ from what was settled. Referral rewards: by the rules that applied, of the ' +
      'referees that settlement counted in that hour; by these rules, as if their own gates ' +
      'had applied to all users from the first hour on. Hours online continue from what ' +
      'settlement had counted by then; it counts only under rules with referral rewards, and ' +
      'no further than their highest gate. What would be held is left out. When these rules ' +
      'are activated, users who count already keep counting, and users who are held stay held ' +
      'until released. Hours whose records are archived (`REWARD_KEPT_DAYS`) are refused.',
  },
  listSettlements: {
    summary: 'Runs of settlement, newest first',
    description: 'Each run settles one hour, corrects one, or pays what was held.',
  },
  closeSettlement: {
    summary: 'Close a run that cannot continue',
    description:
      'Ends it without what is left: lines that were not posted, and those that it holds, ' +
      'become `refused`, with the reason `settlement_closed`; a run that could not be computed ' +
      'pays nothing. What was paid stays. Pay the rest by `POST /operator/rewards`.',
    failures: ['settlement_done'],
  },
  listHeldRewards: {
    summary: 'Referees whose rewards are held',
    description:
      'People whose devices share an address or a key with others, and what is held back from ' +
      'their referrers.',
  },
  releaseHeldRewards: {
    summary: 'Pay what was held for a referee, and hold no more',
    description:
      'A run of settlement pays what was held, and rewards on account of this person are paid ' +
      'from then on.',
    failures: ['not_held', 'unknown_user'],
  },
});
