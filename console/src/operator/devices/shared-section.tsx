/** Network addresses with many devices: of a household, or of one person who runs many. */
import { useQuery } from '@tanstack/react-query';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { DenseTable, RowOpener } from '../dense-table.tsx';
import type { NetworkDeviceFilter } from './device-filter.ts';
import classes from './devices.module.css';
import { sharedAddressesQuery } from './queries.ts';

interface Props {
  readonly onFilter: (filter: NetworkDeviceFilter) => void;
}

export function SharedSection({ onFilter }: Props) {
  const { t, language } = useTranslation('operator');
  const number = new Intl.NumberFormat(language);
  const shared = useQuery(sharedAddressesQuery);
  return (
    <Section title={t('devices.shared')} lead={t('devices.sharedLead')}>
      <QueryBoundary query={shared} skeleton={<SkeletonLines count={3} />}>
        {({ addresses }) =>
          addresses.length === 0 ? (
            <EmptyState icon="check" title={t('devices.noShared')} />
          ) : (
            <DenseTable
              label={t('devices.shared')}
              columns={[
                { key: 'address', label: t('devices.column.address') },
                { key: 'devices', label: t('devices.devices'), className: classes.number },
                { key: 'owners', label: t('devices.owners'), className: classes.number },
              ]}
            >
              {addresses.map(({ address, devices, users }) => (
                <tr key={address} className={classes.brief}>
                  <td>
                    <RowOpener label={address} onOpen={() => onFilter({ device: address })}>
                      {address}
                    </RowOpener>
                  </td>
                  <td className={classes.number}>{number.format(devices)}</td>
                  <td className={classes.number}>{number.format(users)}</td>
                </tr>
              ))}
            </DenseTable>
          )
        }
      </QueryBoundary>
    </Section>
  );
}
