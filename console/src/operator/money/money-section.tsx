import { Allowed, useReads } from '../allows.tsx';
import { HeldRewards } from './held-rewards.tsx';
import { PayReward } from './pay-reward.tsx';
import { WaitingDeposits } from './waiting-deposits.tsx';

/** What operators do with money by hand, as far as their token allows. */
export function MoneySection() {
  const reads = useReads();
  return (
    <>
      {reads('operator:chains') && <WaitingDeposits />}
      {reads('operator:rules') && <HeldRewards />}
      <Allowed scope="operator:rewards">
        <PayReward />
      </Allowed>
    </>
  );
}
