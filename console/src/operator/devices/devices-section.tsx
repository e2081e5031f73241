/** Devices of all people: found, reported wrongly, and sharing an address. */
import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useFilterChange } from '../../components/use-filter-change.ts';
import { type NetworkDeviceFilter, readNetworkDeviceFilter } from './device-filter.ts';
import { FindSection } from './find-section.tsx';
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
  return (
    <>
      <FindSection filter={filter} onChange={change} />
      <RefusedSection onFilter={show} />
      <SharedSection onFilter={show} />
    </>
  );
}
