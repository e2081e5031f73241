import { Policy } from './policy.tsx';
import { Queue } from './queue.tsx';
import { Stops } from './stops.tsx';

/** What operators decide about money that leaves. */
export function PayoutsSection() {
  return (
    <>
      <Queue />
      <Stops />
      <Policy />
    </>
  );
}
