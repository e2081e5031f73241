/** Network addresses with many devices: of a household, or of one person who runs many. */
import { useQuery } from '@tanstack/react-query';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { useTranslation } from '../../i18n/index.ts';
import table from '../dense-table.module.css';
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
            <table className={table.table} aria-label={t('devices.shared')}>
              <thead>
                <tr>
                  <th scope="col">{t('devices.column.address')}</th>
                  <th scope="col" className={classes.number}>
                    {t('devices.devices')}
                  </th>
                  <th scope="col" className={classes.number}>
                    {t('devices.owners')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {addresses.map(({ address, devices, users }) => (
                  <tr key={address} className={classes.brief}>
                    <td>
                      <button
                        type="button"
                        className={table.open}
                        onClick={() => onFilter({ device: address })}
                      >
                        {address}
                      </button>
                    </td>
                    <td className={classes.number}>{number.format(devices)}</td>
                    <td className={classes.number}>{number.format(users)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </QueryBoundary>
    </Section>
  );
}
