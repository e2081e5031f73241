import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCurrencies } from '../../api/currencies.ts';
import { Allowed } from '../allows.tsx';
import { Together } from '../together.tsx';
import { ApproverKeys } from './approver-keys.tsx';
import { Policy } from './policy.tsx';
import { policyQuery, queueQuery, stopsQuery } from './queries.ts';
import { FIRST_SHOWN, Queue } from './queue.tsx';
import { Stops } from './stops.tsx';

/** What operators decide about money that leaves. */
export function PayoutsSection() {
  // The queue asks again by itself.
  const queue = useInfiniteQuery({ ...queueQuery(FIRST_SHOWN), refetchInterval: false });
  const currencies = useCurrencies();
  const stops = useQuery(stopsQuery);
  const policy = useQuery(policyQuery);
  return (
    <Together queries={[queue, currencies, stops, policy]}>
      <Queue />
      <Stops />
      <Policy />
      <Allowed scope="operator:payouts">
        <ApproverKeys />
      </Allowed>
    </Together>
  );
}
