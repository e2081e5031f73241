import { Allowed, useReads } from '../allows.tsx';
import { Deposits } from './deposits.tsx';
import { HeldRewards } from './held-rewards.tsx';
import { PayReward } from './pay-reward.tsx';

/** What operators do with money by hand, as far as their token allows. */
export function MoneySection() {
  const reads = useReads();
  return (
    <>
      {reads('operator:chains') && <Deposits />}
      {reads('operator:rules') && <HeldRewards />}
      <Allowed scope="operator:rewards">
        <PayReward />
      </Allowed>
    </>
  );
}
