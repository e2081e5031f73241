/** Devices of all people: searched, page after page. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Select } from '../../components/field.tsx';
import { Found, NoMatch } from '../../components/filter-state.tsx';
import form from '../../components/form.module.css';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { SearchForm } from '../../components/search-form.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { KINDS, type NetworkDeviceFilter, STATUSES } from './device-filter.ts';
import { NetworkDeviceSheet } from './device-sheet.tsx';
import { DeviceTable } from './device-table.tsx';
import classes from './devices.module.css';
import { type NetworkDevice, networkDevicesQuery } from './queries.ts';

interface Props {
  readonly filter: NetworkDeviceFilter;
  readonly onChange: (change: NetworkDeviceFilter) => void;
}

const NO_FILTER = { device: undefined, status: undefined, kind: undefined };

function Search({ filter, onChange }: Props) {
  const { t } = useTranslation('operator');
  const of = useTranslation('devices').t;
  return (
    <search className={`${form.filters} ${form.inRow}`}>
      <SearchForm
        label={t('devices.search')}
        submitLabel={t('devices.find')}
        value={filter.device ?? ''}
        focusKey="/"
        onSearch={(device) => onChange({ device: device || undefined })}
      />
      <Select
        label={t('devices.column.status')}
        value={filter.status ?? ''}
        onChange={(event) =>
          onChange({ status: STATUSES.find((status) => status === event.currentTarget.value) })
        }
        options={[
          { value: '', label: t('devices.any') },
          ...STATUSES.map((value) => ({ value, label: of(`status.${value}`) })),
        ]}
      />
      <Select
        label={of('type')}
        value={filter.kind ?? ''}
        onChange={(event) =>
          onChange({ kind: KINDS.find((kind) => kind === event.currentTarget.value) })
        }
        options={[
          { value: '', label: t('devices.any') },
          ...KINDS.map((value) => ({ value, label: of(`kind.${value}`) })),
        ]}
      />
    </search>
  );
}

function List({ filter, onChange }: Props) {
  const { t } = useTranslation('operator');
  const found = useInfiniteQuery(networkDevicesQuery(filter));
  const [opened, setOpened] = useState<NetworkDevice>();
  const devices = found.data?.pages.flatMap((page) => page.devices) ?? [];
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const clear = () => onChange(NO_FILTER);
  const more = found.hasNextPage && (
    <MoreButton
      query={found}
      label={t(devices.length > 0 ? 'devices.more' : 'devices.furtherBack')}
    />
  );
  const nothing =
    more !== false ? (
      <EmptyState icon="search" title={t('devices.noMatchYet')} action={more} />
    ) : isFiltered ? (
      <NoMatch title={t('devices.noMatch')} onClear={clear} />
    ) : (
      <EmptyState icon="device" title={t('devices.none')} />
    );
  return (
    <QueryBoundary query={found} skeleton={<SkeletonLines count={6} height={52} />}>
      {() => (
        <>
          <div role="status">
            {devices.length === 0
              ? nothing
              : isFiltered && (
                  <Found
                    text={t('devices.count', { count: devices.length })}
                    isFiltered
                    onClear={clear}
                  />
                )}
          </div>
          {devices.length > 0 && (
            <>
              <DeviceTable devices={devices} onOpen={setOpened} />
              <div className={classes.more}>{more}</div>
            </>
          )}
          {opened && (
            <NetworkDeviceSheet
              device={devices.find(({ node_id }) => node_id === opened.node_id) ?? opened}
              onFilter={(next) => onChange({ ...NO_FILTER, ...next })}
              onClose={() => setOpened(undefined)}
            />
          )}
        </>
      )}
    </QueryBoundary>
  );
}

export function FindSection(props: Props) {
  const { t } = useTranslation('operator');
  return (
    <Section title={t('view.devices')} lead={t('devices.lead')}>
      <Search {...props} />
      <List key={JSON.stringify(props.filter)} {...props} />
    </Section>
  );
}
