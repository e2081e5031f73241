/** Devices of all people: found, reported wrongly, and sharing an address. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useFilterChange } from '../../components/use-filter-change.ts';
import { Together } from '../together.tsx';
import { type NetworkDeviceFilter, readNetworkDeviceFilter } from './device-filter.ts';
import { FindSection } from './find-section.tsx';
import {
  networkDevicesQuery,
  refusedCountsQuery,
  refusedReportsQuery,
  sharedAddressesQuery,
} from './queries.ts';
import { RefusedSection } from './refused-section.tsx';
import { SharedSection } from './shared-section.tsx';

export function DevicesSection() {
  const search = useSearch({ from: '/operator' });
  const filter = useMemo(() => readNetworkDeviceFilter({ ...search }), [search]);
  const change = useFilterChange<NetworkDeviceFilter>();
  const show = (next: NetworkDeviceFilter): void => {
    change({ device: undefined, status: undefined, kind: undefined, ...next });
    window.scrollTo({ top: 0 });
  };
  const [first] = useState(filter);
  const found = useInfiniteQuery(networkDevicesQuery(first));
  const reports = useInfiniteQuery(refusedReportsQuery);
  const counts = useQuery(refusedCountsQuery);
  const shared = useQuery(sharedAddressesQuery);
  return (
    <Together queries={[found, reports, counts, shared]}>
      <FindSection filter={filter} onChange={change} />
      <RefusedSection onFilter={show} />
      <SharedSection onFilter={show} />
    </Together>
  );
}
