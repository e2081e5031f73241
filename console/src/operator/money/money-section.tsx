import { useSession } from '../../session/use-session.ts';
import { HeldRewards } from './held-rewards.tsx';
import { PayReward } from './pay-reward.tsx';
import { Prices } from './prices.tsx';
import { WaitingDeposits } from './waiting-deposits.tsx';

/** What operators do with money by hand, as far as their token allows. */
export function MoneySection() {
  const session = useSession();
  const scopes = session.status === 'signed-in' ? session.tokens.scopes : new Set<string>();
  return (
    <>
      {scopes.has('operator:chains') && <WaitingDeposits />}
      {scopes.has('operator:rules') && <HeldRewards />}
      {scopes.has('operator:rewards') && <PayReward />}
      {scopes.has('operator:prices') && <Prices />}
    </>
  );
}
