import { useInfiniteQuery } from '@tanstack/react-query';
import { Allowed, DEPOSITS, HELD_REWARDS, useReads } from '../allows.tsx';
import { Together } from '../together.tsx';
import { FindWithdrawal } from '../withdrawals/find-withdrawal.tsx';
import { openHoldsQuery } from '../withdrawals/queries.ts';
import { Deposits, FIRST_SHOWN } from './deposits.tsx';
import { HeldRewards } from './held-rewards.tsx';
import { PayReward } from './pay-reward.tsx';
import { depositsQuery, heldRewardsQuery } from './queries.ts';

/** What operators do with money by hand, as far as their token allows. */
export function MoneySection() {
  const reads = useReads();
  const [seesDeposits, seesHeld] = [reads(DEPOSITS), reads(HELD_REWARDS)];
  // The sections ask again by themselves.
  const once = { refetchInterval: false } as const;
  const deposits = useInfiniteQuery({
    ...depositsQuery({ status: FIRST_SHOWN }),
    ...once,
    enabled: seesDeposits,
  });
  const held = useInfiniteQuery({ ...heldRewardsQuery, ...once, enabled: seesHeld });
  const holds = useInfiniteQuery({ ...openHoldsQuery, enabled: reads('operator:withdrawals') });
  return (
    <Together queries={[deposits, held, holds]}>
      {seesDeposits && <Deposits />}
      {seesHeld && <HeldRewards />}
      {reads('operator:withdrawals') && <FindWithdrawal />}
      <Allowed scope="operator:rewards">
        <PayReward />
      </Allowed>
    </Together>
  );
}
